// How bulk jobs stand: who sees them, waits for them and ends them, and whose role holds. Contract 3 §2, 3 §10.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Answer, assertRefused, send } from '../../helpers/answers.ts'
import {
  type BulkErrorBody,
  type BulkJobBody,
  byIds,
  byQuery,
  errorsOf,
  postJob,
  runJob,
  untilEnded,
} from '../../helpers/bulk-jobs.ts'
import { atOneServer, type Client } from '../../helpers/client.ts'
import { over } from '../../helpers/over.ts'
import { english, everywhere, makeShirt, readRecord, startWorkspace, type Workspace } from '../../helpers/shirts.ts'

/** Jobs stand still before each step while it is closed. */
let gate: { open: () => void; passed: Promise<void> } | undefined
function closeGate(): void {
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = { open: resolve, passed: promise }
}
function openGate(): void {
  gate?.open()
  gate = undefined
}

/** Searches stand still until it resolves. */
let searching: Promise<void> | undefined

let shop: Workspace
before(async () => {
  shop = await startWorkspace({
    maxRecords: 0,
    testing: {
      wrapStore: (store) => {
        const search: typeof store.read.search = async (...asked) => {
          await searching
          return store.read.search(...asked)
        }
        const read = over(store.read, { search })
        return over(store, { read, whenCalm: () => gate?.passed ?? Promise.resolve() })
      },
    },
  })
  for (let n = 0; n < 5; n += 1)
    await makeShirt(shop.admin, { weight: everywhere(n), sku: everywhere(`S-${n}`) }, { id: `s-${n}` })
})
beforeEach(() => openGate())
after(async () => {
  openGate()
  await shop.stop()
})

const get = <Body = BulkJobBody>(client: Client, path: string): Promise<Answer<Body>> =>
  send<Body>(client, 'GET', `/api/v1/bulk-jobs${path}`)
const cancel = (client: Client, id: string) => send<BulkJobBody>(client, 'POST', `/api/v1/bulk-jobs/${id}/cancel`)
const weigh = (weight: number, ...ids: string[]) => ({
  selection: byIds(...ids),
  actions: [{ setValues: { weight: everywhere(weight) } }],
})
async function post(client: Client, body: object): Promise<string> {
  const answer = await postJob(client, body)
  assert.equal(answer.status, 202, answer.text)
  return answer.body.id
}
async function untilRunning(client: Client, id: string): Promise<void> {
  while ((await get(client, `/${id}?wait=1`)).body.status !== 'running');
}

async function untilPaused(id: string): Promise<{ message: string }> {
  for (;;) {
    const { pausedReason } = (await get(shop.admin, `/${id}?wait=1`)).body
    if (pausedReason !== null) return pausedReason
  }
}

describe('GET /api/v1/bulk-jobs', () => {
  it('lists the own jobs, the latest first, and to who manages users those of everybody', async () => {
    const mine = await runJob(shop.editor, weigh(1, 's-0'))
    const later = await runJob(shop.editor, weigh(2, 's-0'))
    const ids = async (client: Client, page = '') => (await get<BulkJobBody[]>(client, page)).body.map(({ id }) => id)
    assert.deepEqual(await ids(shop.editor), [later.id, mine.id])
    assert.deepEqual(await ids(shop.editor, '?limit=1&offset=1'), [mine.id])
    assert.deepEqual(await ids(shop.viewer), [])
    assert.ok((await ids(shop.admin)).includes(mine.id))
    assertRefused(await get(shop.admin, '?limit=0'), 'VALIDATION_ERROR', 'limit')
  })
})

describe('GET /api/v1/bulk-jobs/:id', () => {
  it('answers the job to its owner and who manages users, and to nobody else', async () => {
    const { id } = await runJob(shop.editor, weigh(3, 's-0'))
    for (const client of [shop.editor, shop.admin]) assert.equal((await get(client, `/${id}`)).body.changed, 1)
    for (const path of ['', '/errors', '/samples'])
      assertRefused(await get(shop.viewer, `/${id}${path}`), 'NOT_FOUND', id)
    for (const path of ['cancel', 'undo'])
      assertRefused(await send(shop.viewer, 'POST', `/api/v1/bulk-jobs/${id}/${path}`), 'NOT_FOUND', id)
    assertRefused(await get(shop.admin, '/nothing'), 'NOT_FOUND', 'nothing')
  })

  it('waits until something has changed, and no longer for a job that has ended', async () => {
    closeGate()
    const id = await post(shop.admin, weigh(4, 's-1'))
    await untilRunning(shop.admin, id)
    const begin = performance.now()
    assert.equal((await get(shop.admin, `/${id}?wait=0.2`)).body.done, 0)
    assert.ok(performance.now() - begin >= 190)
    const waiting = get(shop.admin, `/${id}?wait=20`)
    openGate()
    assert.equal((await waiting).body.done, 1)
    assert.equal((await get(shop.admin, `/${id}?wait=20`)).body.status, 'succeeded')
    assert.ok(performance.now() - begin < 10_000)
    for (const wait of ['26', '-1', 'x'])
      assertRefused(await get(shop.admin, `/${id}?wait=${wait}`), 'VALIDATION_ERROR')
  })

  it('tells progress alone ten times a second at most, and the end at once', async () => {
    const ids = Array.from({ length: 1000 }, (_, n) => `p-${n}`)
    const operations = ids.map((id) => ({ op: 'create', id, schemaId: 'sch-shirt', values: { weight: everywhere(1) } }))
    const made = await send(shop.admin, 'POST', '/api/v1/records/batch', { operations })
    assert.equal(made.status, 200, made.text)
    const begin = performance.now()
    const id = await post(shop.admin, weigh(2, ...ids))
    let answers = 0
    for (let hasEnded = false; !hasEnded; answers += 1)
      hasEnded = (await get(shop.admin, `/${id}?wait=20`)).body.completedAt !== null
    const most = 3 + (performance.now() - begin) / 100
    assert.ok(answers <= most, `${answers} answers, of ${most}`)
    await runJob(shop.admin, { selection: byIds(...ids), actions: [{ delete: true }] })
  })

  it('lets 20 requests of a caller wait, those for changes included', async () => {
    const admin = atOneServer(shop.admin)
    closeGate()
    const id = await post(shop.admin, weigh(5, 's-1'))
    await untilRunning(shop.admin, id)
    const waiting: Promise<Answer<unknown>>[] = [
      ...Array.from({ length: 15 }, () => get(admin, `/${id}?wait=20`)),
      ...Array.from({ length: 6 }, () => send(admin, 'GET', '/api/v1/changes?after=latest&wait=20')),
    ]
    assertRefused(await Promise.race(waiting), 'RATE_LIMITED', '20')
    openGate()
    const statuses = (await Promise.all(waiting)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 20)
    await untilEnded(shop.admin, id)
  })
})

describe('Jobs that wait', () => {
  it('two run at a time, 50 of a caller wait, and the next is refused', async () => {
    closeGate()
    const running = [await post(shop.admin, weigh(1, 's-2')), await post(shop.admin, weigh(2, 's-3'))]
    for (const id of running) await untilRunning(shop.admin, id)
    const queued: string[] = []
    for (let n = 0; n < 50; n += 1) queued.push(await post(shop.admin, weigh(n, 's-4')))
    assertRefused(await postJob(shop.admin, weigh(1, 's-4')), 'RATE_LIMITED', '50')
    assert.equal((await postJob(shop.editor, weigh(7, 's-4'))).status, 202)
    const standing = (await get<BulkJobBody[]>(shop.admin, '?limit=1000')).body.map(({ status }) => status)
    assert.equal(standing.filter((status) => status === 'running').length, 2)
    for (const id of queued.slice(1)) assert.equal((await cancel(shop.admin, id)).body.status, 'cancelled')
    openGate()
    for (const id of [...running, queued[0]!]) assert.equal((await untilEnded(shop.admin, id)).changed, 1)
    assert.equal((await get(shop.admin, `/${queued[1]!}`)).body.done, 0)
  })
})

describe('POST /api/v1/bulk-jobs/:id/cancel', () => {
  it('ends a job: from its answer on nothing more is changed', async () => {
    closeGate()
    const id = await post(shop.admin, weigh(100, 's-0', 's-1'))
    await untilRunning(shop.admin, id)
    const { status, body } = await cancel(shop.admin, id)
    assert.deepEqual([status, body.status, body.done], [202, 'cancelled', 0])
    assert.notEqual(body.completedAt, null)
    openGate()
    await runJob(shop.admin, weigh(101, 's-2'))
    assert.notDeepEqual((await readRecord(shop.admin, 's-0')).values['weight'], everywhere(100))
    assertRefused(await cancel(shop.admin, id), 'CONFLICT', id)
  })

  it('ends one whose records are still looked for, too', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    searching = promise
    const id = await post(shop.admin, { ...weigh(200), selection: byQuery() })
    assert.equal((await get(shop.admin, `/${id}?wait=0.1`)).body.status, 'queued')
    assert.equal((await cancel(shop.admin, id)).body.status, 'cancelled')
    searching = undefined
    resolve()
    for (const weight of [201, 202]) await runJob(shop.admin, { ...weigh(weight), selection: byQuery() })
    const { body } = await get(shop.admin, `/${id}`)
    assert.deepEqual([body.status, body.selected, body.done], ['cancelled', 0, 0])
  })
})

describe('GET /api/v1/bulk-jobs/:id/errors', () => {
  it('lists what failed, page by page, in the order of the records', async () => {
    const ids = Array.from({ length: 7 }, (_, n) => `nobody-${n}`)
    const job = await runJob(shop.admin, weigh(1, ...ids, 's-0'))
    assert.equal(job.failed, 7)
    const page = await get<BulkErrorBody[]>(shop.admin, `/${job.id}/errors?limit=3&offset=2`)
    assert.deepEqual(
      page.body.map(({ recordId, error }) => `${recordId} ${error}`),
      ['nobody-2', 'nobody-3', 'nobody-4'].map((id) => `${id} NOT_FOUND`),
    )
  })

  it('tells why the job as a whole could not be done', async () => {
    closeGate()
    const attribute = { alias: 'passing', dataType: 'text' }
    const schema = { id: 'sch-passing', name: 'Passing', attributes: [attribute] }
    await send(shop.admin, 'POST', '/api/v1/schemas', schema)
    const blockers = [await post(shop.admin, weigh(1, 's-2')), await post(shop.admin, weigh(2, 's-3'))]
    for (const blocker of blockers) await untilRunning(shop.admin, blocker)
    const id = await post(shop.admin, {
      selection: byQuery([{ attributeAlias: 'passing', operator: 'isEmpty' }]),
      actions: [{ delete: true }],
    })
    await send(shop.admin, 'DELETE', '/api/v1/schemas/sch-passing')
    openGate()
    const job = await untilEnded(shop.admin, id)
    assert.deepEqual([job.status, job.selected, job.failed], ['failed', 0, 0])
    const [error] = await errorsOf(shop.admin, id)
    assert.equal(error!.recordId, null)
    assert.equal(error!.error, 'VALIDATION_ERROR')
    assert.match(error!.message, /passing/)
  })
})

describe('GET /api/v1/bulk-jobs/:id/samples', () => {
  it('lists the first records of an outcome with what changed', async () => {
    await runJob(shop.admin, weigh(50, 's-0', 's-1', 's-2'))
    const job = await runJob(shop.admin, weigh(51, 's-0', 's-1'))
    const change = { attributeAlias: 'weight', scope: {}, oldValue: 50, newValue: 51 }
    const expected = ['s-0', 's-1'].map((recordId) => ({ recordId, changes: [change] }))
    assert.deepEqual((await get(shop.admin, `/${job.id}/samples`)).body, expected)
    assert.deepEqual((await get(shop.admin, `/${job.id}/samples?outcome=updated&offset=1`)).body, expected.slice(1))
    assert.deepEqual((await get(shop.admin, `/${job.id}/samples?outcome=unchanged`)).body, [])
    const again = await runJob(shop.admin, weigh(51, 's-0'))
    assert.deepEqual((await get(shop.admin, `/${again.id}/samples?outcome=unchanged`)).body, [
      { recordId: 's-0', changes: [] },
    ])
    assertRefused(await get(shop.admin, `/${job.id}/samples?outcome=update`), 'VALIDATION_ERROR', 'updated')
  })

  it('names those that failed', async () => {
    const job = await runJob(shop.admin, weigh(52, 's-0', 'nobody-1', 'nobody-2'))
    const failed = ['nobody-1', 'nobody-2'].map((recordId) => ({ recordId, changes: [] }))
    assert.deepEqual((await get(shop.admin, `/${job.id}/samples?outcome=failed`)).body, failed)
    assert.deepEqual((await get(shop.admin, `/${job.id}/samples?outcome=failed&offset=1`)).body, failed.slice(1))
  })
})

describe('The role of who posted a job', () => {
  it('is asked again at each step, as it is then: without it the job is paused', async () => {
    const role = {
      id: 'role-passing',
      name: 'Passing',
      permissions: ['records.update'],
      defaultAttributePermission: 'write',
    }
    await send(shop.admin, 'POST', '/api/v1/roles', role)
    const { body } = await send<{ id: string; key: string }>(shop.admin, 'POST', '/api/v1/api-keys', {
      name: 'P',
      roleId: role.id,
    })
    const client: Client = { ...shop.admin, headers: { 'x-service-apikey': body.key } }
    closeGate()
    const id = await post(client, weigh(61, 's-0'))
    await untilRunning(client, id)
    await send(shop.admin, 'PUT', `/api/v1/roles/${role.id}`, { ...role, permissions: [] })
    openGate()
    assert.match((await untilPaused(id)).message, /role of the owner.*records.update/)
    await send(shop.admin, 'PUT', `/api/v1/roles/${role.id}`, role)
    closeGate()
    const next = await post(client, weigh(62, 's-0', 's-1'))
    await untilRunning(client, next)
    await send(shop.admin, 'DELETE', `/api/v1/api-keys/${body.id}`)
    openGate()
    assert.match((await untilPaused(next)).message, /owner.*no longer exists/)
    for (const paused of [id, next]) assert.equal((await cancel(shop.admin, paused)).body.done, 0)
    assert.notDeepEqual((await readRecord(shop.admin, 's-0')).values['weight'], everywhere(62))
  })

  it('hides attributes: they are neither written nor copied, looked for nor told', async () => {
    const attributes = {
      defaultAttributePermission: 'write',
      attributePermissions: { 'sch-shirt': { sku: 'none', name: 'none', weight: 'read' } },
    }
    const rights = ['records.read', 'records.update', 'records.delete'] as const
    const blind = await shop.clientWith(rights, attributes)
    await makeShirt(shop.admin, { name: [english('Secret')], sku: everywhere('S-SECRET') }, { id: 'veiled' })
    const selection = byIds('veiled')
    for (const action of [
      { setValues: { sku: [] } },
      { clearValues: { attributeAliases: ['name'] } },
      { replaceText: { attributeAlias: 'name', find: 'Secret', replace: '' } },
      { copyScope: { from: { language: 'en' }, to: { language: 'de' }, attributeAliases: ['name'] } },
      { patchValues: { weight: everywhere(1) } },
    ])
      assertRefused(await postJob(blind, { selection, actions: [action] }), 'PERMISSION_DENIED')
    const search = byQuery([{ attributeAlias: 'sku', operator: 'equals', value: 'S-SECRET' }])
    assertRefused(await postJob(blind, { selection: search, actions: [{ delete: true }] }), 'PERMISSION_DENIED', 'sku')
    const expecting = {
      patchValues: { toString: everywhere('x') },
      expect: [{ attributeAlias: 'sku', scope: {}, value: 'S-SECRET' }],
    }
    const job = await runJob(blind, { selection, actions: [expecting] })
    assert.deepEqual(
      (await errorsOf(blind, job.id)).map(({ error }) => error),
      ['PERMISSION_DENIED'],
    )
    const copy = { copyScope: { from: { language: 'en' }, to: { language: 'de' } } }
    assert.equal((await runJob(blind, { selection, actions: [copy] })).unchanged, 1)
    const dry = await runJob(blind, { selection, actions: [{ delete: true }], dryRun: true })
    assert.deepEqual(dry.sample, [{ recordId: 'veiled', changes: [] }])
    const samples = await get(blind, `/${dry.id}/samples`)
    assert.doesNotMatch(JSON.stringify(dry) + samples.text, /SECRET|Secret/)
    const seen = (await get(shop.admin, `/${dry.id}`)).body.sample![0]!.changes
    assert.equal(seen.length, 2)
  })

  it('counts in each schema by itself, and says the same whatever a hidden attribute holds', async () => {
    const attributes = [{ alias: 'sku', dataType: 'text' }]
    await send(shop.admin, 'POST', '/api/v1/schemas', { id: 'sch-open', name: 'Open', attributes })
    const half = await shop.clientWith(['records.update'], {
      defaultAttributePermission: 'write',
      attributePermissions: { 'sch-shirt': { sku: 'none' } },
    })
    await makeShirt(shop.admin, { sku: everywhere('HALF-1') }, { id: 'half-1' })
    await makeShirt(shop.admin, {}, { id: 'half-2' })
    const open = { id: 'half-3', schemaId: 'sch-open', values: { sku: everywhere('HALF') } }
    await send(shop.admin, 'POST', '/api/v1/records', open)
    const job = await runJob(half, {
      selection: byIds('half-1', 'half-2', 'half-3'),
      // Longer than the schema of the shirts allows.
      actions: [{ replaceText: { attributeAlias: 'sku', find: 'HALF', replace: 'W'.repeat(30) } }],
    })
    assert.deepEqual([job.changed, job.failed], [1, 2])
    const [first, second] = await errorsOf(half, job.id)
    assert.deepEqual([first!.error, first!.message], [second!.error, second!.message])
    assert.equal(first!.error, 'PERMISSION_DENIED')
    assert.deepEqual((await readRecord(shop.admin, 'half-1')).values['sku'], everywhere('HALF-1'))
  })
})
