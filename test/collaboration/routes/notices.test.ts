// Notices over HTTP: who is told what, and who is not. Contract 5 §3.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { NOTICE_KINDS } from '../../../src/collaboration/rules/notice.ts'
import { assertRefused, send } from '../../helpers/answers.ts'
import { untilEnded } from '../../helpers/bulk-jobs.ts'
import { make, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import {
  type CommentBody,
  makePerson,
  newKinds,
  newShirt,
  type NoticeBody,
  noticesOf,
  readAll,
  say,
  type TalkingPerson,
} from '../talking.ts'

let shop: Workspace
let anna: TalkingPerson
let ben: TalkingPerson
let eve: TalkingPerson
before(async () => {
  shop = await startWorkspace()
  anna = await makePerson(shop, 'Anna')
  ben = await makePerson(shop, 'Ben')
  eve = await makePerson(shop, 'Eve')
})
after(() => shop.stop())

const unreadOf = async ({ client }: TalkingPerson): Promise<number> =>
  (await send<{ unread: number }>(client, 'GET', '/api/v1/notices/count')).body.unread

describe('A comment', () => {
  it('tells each person once, for the nearest reason, and not its author', async () => {
    await readAll(anna, ben, eve)
    const record = await newShirt(shop)
    const head = await say(anna.client, record, `@[${ben.id}] look, and me: @[${anna.id}]`)
    assert.deepEqual(await newKinds(ben.client), ['mention'])
    assert.deepEqual(await newKinds(anna.client), [])
    await say(ben.client, record, `@[${anna.id}] fine`, { threadId: head.id })
    assert.deepEqual(await newKinds(anna.client), ['mention'])
    await say(ben.client, record, 'And more', { threadId: head.id })
    assert.deepEqual(await newKinds(anna.client), ['mention', 'reply'])
    await send(eve.client, 'PUT', `/api/v1/records/${record}/follow`, { follows: true })
    const last = await say(anna.client, record, 'Something else')
    assert.deepEqual(await newKinds(ben.client), ['mention', 'comment'])
    const [notice] = await noticesOf(eve.client, '?unread=true')
    assert.deepEqual(
      { ...notice, id: '', createdAt: '' },
      {
        id: '',
        createdAt: '',
        kind: 'comment',
        read: false,
        actor: { id: anna.id, kind: 'user', name: 'Anna' },
        recordId: record,
        commentId: last.id,
        assignmentId: null,
        count: null,
        exportJobId: null,
        exportRunId: null,
        importId: null,
        bulkJobId: null,
      },
    )
  })

  it('on a hidden attribute tells nobody from whom the attribute is hidden', async () => {
    const clerk = await makePerson(shop, 'Clerk', 'role-clerk')
    const record = await newShirt(shop)
    await send(clerk.client, 'PUT', `/api/v1/records/${record}/follow`, { follows: true })
    await say(anna.client, record, '9.90?', { attributeAlias: 'price' })
    assert.deepEqual(await noticesOf(clerk.client), [])
    await say(anna.client, record, 'Name?', { attributeAlias: 'name' })
    assert.equal(await unreadOf(clerk), 1)
  })

  it('tells of the mentions that an edit adds', async () => {
    await readAll(ben, eve)
    const { id } = await say(anna.client, await newShirt(shop), `@[${ben.id}]`)
    await send(anna.client, 'PATCH', `/api/v1/comments/${id}`, { text: `@[${ben.id}] @[${eve.id}]` })
    assert.deepEqual([await newKinds(ben.client), await newKinds(eve.client)], [['mention'], ['mention']])
  })

  it('tells those who have to work on the record, and not those who left it or are disabled', async () => {
    const record = await newShirt(shop)
    const gone = await makePerson(shop, 'Gone')
    await make(anna.client, '/api/v1/assignments', { recordIds: [record], assigneeId: eve.id })
    await make(anna.client, '/api/v1/assignments', { recordIds: [record], assigneeId: gone.id })
    await say(ben.client, record, 'x')
    await send(ben.client, 'PUT', `/api/v1/records/${record}/follow`, { follows: false })
    await send(shop.admin, 'PATCH', `/api/v1/users/${gone.id}`, { disabled: true })
    await readAll(ben, eve)
    await say(anna.client, record, 'y')
    assert.deepEqual([await newKinds(ben.client), await newKinds(eve.client)], [[], ['comment']])
    await send(shop.admin, 'PATCH', `/api/v1/users/${gone.id}`, { disabled: false })
    assert.ok((await noticesOf(anna.client)).every(({ actor }) => actor?.id !== anna.id))
  })

  it('that is refused tells nobody', async () => {
    await readAll(ben)
    const path = `/api/v1/records/${await newShirt(shop)}/comments`
    const refused = await send(anna.client, 'POST', path, { text: `@[${ben.id}] @[nobody]` })
    assertRefused(refused, 'VALIDATION_ERROR', 'nobody')
    assert.deepEqual(await newKinds(ben.client), [])
  })

  it('that is sent twice with an Idempotency-Key is one comment, and one notice', async () => {
    await readAll(ben)
    const path = `/api/v1/records/${await newShirt(shop)}/comments`
    const body = { text: `@[${ben.id}]` }
    const once = () => send<CommentBody>(anna.client, 'POST', path, body, { 'idempotency-key': 'only-once-please' })
    assert.equal((await once()).body.id, (await once()).body.id)
    assert.deepEqual(await newKinds(ben.client), ['mention'])
  })
})

describe('The end of a job', () => {
  it('is told to its owner: of an import, whatever became of it; of an export, if it failed', async () => {
    await readAll(anna)
    const importer = await makePerson(shop, 'Importer', 'role-admin')
    const { url, headers } = importer.client
    const upload = { method: 'POST', headers: { ...headers, 'content-type': 'text/csv' }, body: 'id\nimported-1\n' }
    const { id } = (await (await fetch(`${url}/api/v1/imports?fileName=a.csv`, upload)).json()) as { id: string }
    const mapping = { schemaId: 'sch-shirt', columns: [{ header: 'id', to: { field: 'id' } }] }
    await send(importer.client, 'PUT', `/api/v1/imports/${id}/mapping`, mapping)
    for (const step of ['dry-run', 'run']) {
      const job = await send<{ id: string }>(importer.client, 'POST', `/api/v1/imports/${id}/${step}`)
      await untilEnded(importer.client, job.body.id)
    }
    const told = await noticesOf(importer.client)
    assert.deepEqual(
      told.map(({ kind, importId, actor }) => [kind, importId, actor]),
      [['importEnded', id, null]],
    )
    const job = await make<{ id: string }>(importer.client, '/api/v1/export-jobs', {
      name: 'J',
      destinationType: 'webhook',
      destinationConfig: { url: 'https://example.org/' },
      format: 'json',
      schedule: '0 3 * * *',
      includeVariants: true,
      compress: false,
      filenameTemplate: 'a.json',
      active: false,
    })
    const runs = `/export-jobs/${job.id}/runs`
    await make(shop.admin, runs, { status: 'success' })
    const run = await make<{ id: string }>(shop.admin, runs, { id: 'run-bad', status: 'failed', error: 'Bad' })
    const [failed, ...others] = await noticesOf(importer.client)
    assert.deepEqual([failed!.kind, failed!.exportJobId, failed!.exportRunId], ['exportFailed', job.id, run.id])
    assert.equal(others.length, 1)
    assert.deepEqual(await newKinds(anna.client), [])
  })
})

describe('Notices', () => {
  it('are listed page by page by GET /api/v1/notices, and read one by one or all by POST /api/v1/notices/read', async () => {
    const person = await makePerson(shop, 'Reader')
    const record = await newShirt(shop)
    for (const text of ['1', '2', '3']) await say(anna.client, record, `${text} @[${person.id}]`)
    // GET /api/v1/notices/count
    assert.equal(await unreadOf(person), 3)
    const first = await send<{ items: NoticeBody[] }>(person.client, 'GET', '/api/v1/notices?limit=2')
    const cursor = first.headers.get('x-next-cursor')
    const rest = await noticesOf(person.client, `?limit=2&after=${cursor}`)
    assert.deepEqual([first.body.items.length, rest.length], [2, 1])
    const some = { ids: [rest[0]!.id, 'none'] }
    assert.deepEqual((await send(person.client, 'POST', '/api/v1/notices/read', some)).body, { unread: 2 })
    assert.deepEqual((await send(anna.client, 'POST', '/api/v1/notices/read', some)).status, 200)
    assert.equal((await noticesOf(person.client, '?unread=true')).length, 2)
    assert.deepEqual((await send(person.client, 'POST', '/api/v1/notices/read', {})).body, { unread: 0 })
    assertRefused(await send(person.client, 'GET', '/api/v1/notices?after=x'), 'VALIDATION_ERROR', 'after')
    const many = { ids: Array.from({ length: 101 }, (_, at) => `n${at}`) }
    assertRefused(await send(person.client, 'POST', '/api/v1/notices/read', many), 'VALIDATION_ERROR', 'ids')
  })

  it('of each kind can be switched off by PUT /api/v1/notices/settings', async () => {
    const person = await makePerson(shop, 'Quiet')
    const path = '/api/v1/notices/settings'
    // GET /api/v1/notices/settings
    const offOf = (answer: { body: unknown }) => (answer.body as { off: string[] }).off
    assert.deepEqual(offOf(await send(person.client, 'GET', path)), [])
    const off = [...NOTICE_KINDS]
    assert.deepEqual(offOf(await send(person.client, 'PUT', path, { off })), off)
    const record = await newShirt(shop)
    const head = await say(person.client, record, 'x')
    await say(anna.client, record, `@[${person.id}]`, { threadId: head.id })
    await say(anna.client, record, 'y', { threadId: head.id })
    await say(anna.client, record, 'z')
    await make(anna.client, '/api/v1/assignments', { recordIds: [record], assigneeId: person.id })
    assert.deepEqual(await noticesOf(person.client), [])
    await send(person.client, 'PUT', path, { off: ['reply'] })
    await say(anna.client, record, 'y', { threadId: head.id })
    await say(anna.client, record, 'z')
    assert.deepEqual(await newKinds(person.client), ['comment'])
    assertRefused(await send(person.client, 'PUT', path, { off: ['everything'] }), 'VALIDATION_ERROR', 'off')
  })

  it('are none for API keys', async () => {
    assert.deepEqual(await noticesOf(shop.admin), [])
    assert.deepEqual((await send(shop.admin, 'GET', '/api/v1/notices/count')).body, { unread: 0 })
    const off = await send(shop.admin, 'PUT', '/api/v1/notices/settings', { off: [] })
    assertRefused(off, 'PERMISSION_DENIED', 'API key')
  })

  it('go with their user', async () => {
    const body = { id: 'usr-again', username: 'again', password: 'a long password', roleId: 'role-editor' }
    await make(shop.admin, '/api/v1/users', body)
    await say(anna.client, await newShirt(shop), '@[usr-again]')
    await send(shop.admin, 'DELETE', '/api/v1/users/usr-again')
    await make(shop.admin, '/api/v1/users', body)
    const { body: session } = await send<{ accessToken: string }>(shop.anonymous, 'POST', '/api/v1/auth/login', body)
    const client = { ...shop.anonymous, headers: { authorization: `Bearer ${session.accessToken}` } }
    assert.deepEqual(await noticesOf(client), [])
  })

  it('end the wait of GET /api/v1/changes for whoever asks with unread', async () => {
    const person = await makePerson(shop, 'Waiting')
    const changes = (query: string) =>
      send<{ items: unknown[]; cursor: string; unread?: number }>(person.client, 'GET', `/api/v1/changes?${query}`)
    const { cursor } = (await changes('after=latest')).body
    const record = await newShirt(shop)
    const begun = (await changes(`after=${cursor}&unread=0`)).body
    assert.equal(begun.unread, 0)
    const waiting = changes(`after=${begun.cursor}&unread=0&wait=20`)
    await say(anna.client, record, `@[${person.id}]`)
    const answer = (await waiting).body
    assert.deepEqual([answer.items, answer.unread], [[], 1])
    assert.equal('unread' in (await changes(`after=${begun.cursor}`)).body, false)
    assertRefused(await changes('before=latest&unread=0'), 'VALIDATION_ERROR', 'unread')
  })
})
