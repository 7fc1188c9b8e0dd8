// Contract 3 §2 (Idempotency), 3 §10.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { apiRoutes } from '../../../src/app/api.ts'
import type { Store, Transaction } from '../../../src/store/port.ts'
import { type Answer, assertRefused, send } from '../../helpers/answers.ts'
import { type Client } from '../../helpers/client.ts'
import { HOUR, makeClock } from '../../helpers/clock.ts'
import { over } from '../../helpers/over.ts'
import { eventually } from '../../helpers/puppet.ts'
import {
  english,
  everywhere,
  make,
  makeShirt,
  type RecordBody,
  startWorkspace,
  type Workspace,
} from '../../helpers/shirts.ts'
import { storedIn } from '../../helpers/tested-database.ts'

const clock = makeClock()
/** What the tests do to transactions; and what those that kept an answer used besides. */
const spy = {
  hold: undefined as Promise<void> | undefined,
  held: false,
  fault: undefined as Error | undefined,
  keeping: [] as string[][],
  /** Bulk jobs begin once it is over. */
  calm: undefined as Promise<void> | undefined,
}
let shop: Workspace
before(async () => {
  shop = await startWorkspace({ allowFaults: true, testing: { system: clock, wrapStore: watchStore } })
})
after(() => shop.stop())

function watchStore(store: Store): Store {
  const pass = async (): Promise<void> => {
    if (spy.hold !== undefined) spy.held = true
    await spy.hold
    if (spy.fault !== undefined) throw spy.fault
  }
  return over(store, {
    whenCalm: () => spy.calm ?? store.whenCalm(),
    transaction: async (work) => {
      await pass()
      return store.transaction((tx) => noteUse(tx, work))
    },
    longTransaction: async (work) => {
      await pass()
      return store.longTransaction((tx) => noteUse(tx, work))
    },
  })
}

async function noteUse<Tx extends Transaction, Result>(tx: Tx, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const used = new Set<string>()
  const noted = new Proxy(tx, {
    get(_target, name) {
      used.add(String(name))
      const member: unknown = Reflect.get(tx, name)
      return typeof member === 'function' ? (member.bind(tx) as unknown) : member
    },
  })
  const result = await work(noted)
  if (used.delete('keptAnswers')) spy.keeping.push([...used])
  return result
}

let keys = 0
const newKey = (): string => `key-${(keys += 1)}`

function post<Body = unknown>(client: Client, url: string, key: string, body?: unknown): Promise<Answer<Body>> {
  return send<Body>(client, 'POST', url, body, { 'idempotency-key': key })
}

const shirt = (values: object = {}): object => ({ schemaId: 'sch-shirt', values })

async function count(): Promise<number> {
  return (await send<{ total: number }>(shop.admin, 'GET', '/api/v1/records?limit=1')).body.total
}

function assertReplayed(again: Answer<unknown>, first: Answer<unknown>): void {
  assert.equal(again.headers.get('idempotency-replayed'), 'true', again.text)
  assert.equal(first.headers.get('idempotency-replayed'), null)
  assert.deepEqual([again.status, again.text], [first.status, first.text])
  for (const name of ['etag', 'content-type', 'x-total-count'])
    assert.equal(again.headers.get(name), first.headers.get(name))
  assert.notEqual(again.headers.get('x-request-id'), first.headers.get('x-request-id'))
}

describe('A POST with an Idempotency-Key', () => {
  it('is done once; later ones get the first answer', async () => {
    const [key, before] = [newKey(), await count()]
    const first = await post(shop.admin, '/api/v1/records', key, shirt({ weight: everywhere(1) }))
    assert.equal(first.status, 201)
    for (let times = 0; times < 3; times += 1)
      assertReplayed(await post(shop.admin, '/api/v1/records', key, shirt({ weight: everywhere(1) })), first)
    assert.equal(await count(), before + 1)
  })

  it('with another body, or another query, is refused and does nothing', async () => {
    const [key, before] = [newKey(), await count()]
    await post(shop.admin, '/api/v1/records', key, shirt())
    assertRefused(
      await post(shop.admin, '/api/v1/records', key, shirt({ weight: everywhere(2) })),
      'CONFLICT',
      'Idempotency-Key',
    )
    assertRefused(await post(shop.admin, '/api/v1/records?x=1', key, shirt()), 'CONFLICT', 'Idempotency-Key')
    assert.equal(await count(), before + 1)
  })

  it('to an endpoint that takes no body belongs to its body, too', async () => {
    const key = newKey()
    const rotate = (body?: unknown) => post(shop.admin, '/api/v1/files/rotate-addresses', key, body)
    const first = await rotate({ note: 'one' })
    assert.equal(first.status, 200, first.text)
    assertReplayed(await rotate({ note: 'one' }), first)
    for (const other of [undefined, { note: 'other' }]) assertRefused(await rotate(other), 'CONFLICT', 'another body')
    const large = await post(shop.admin, '/api/v1/files/rotate-addresses', newKey(), 'x'.repeat(11 * 1024 ** 2))
    assertRefused(large, 'PAYLOAD_TOO_LARGE', '--max-body')
  })

  it('of another caller, at another path, and with another key, is another request', async () => {
    const [key, before] = [newKey(), await count()]
    const ids = new Set<string>()
    for (const client of [shop.admin, shop.editor]) {
      const answer = await post<RecordBody>(client, '/api/v1/records', key, shirt())
      assert.equal(answer.headers.get('idempotency-replayed'), null)
      ids.add(answer.body.id)
    }
    ids.add((await post<RecordBody>(shop.admin, '/api/v1/records', newKey(), shirt())).body.id)
    assert.equal(ids.size, 3)
    assert.equal(await count(), before + 3)
    const dimension = { name: 'Where', segments: [{ id: 'here' }] }
    assert.equal((await post(shop.admin, '/api/v1/dimensions', key, dimension)).status, 201)
  })

  it('that comes while the first is under way is refused with Retry-After', async () => {
    const [key, before] = [newKey(), await count()]
    const held = Promise.withResolvers<void>()
    spy.hold = held.promise
    const first = post(shop.admin, '/api/v1/records', key, shirt())
    await eventually(() => spy.held)
    const second = await post(shop.admin, '/api/v1/records', key, shirt())
    assertRefused(second, 'CONFLICT', 'under way')
    assert.equal(second.headers.get('retry-after'), '1')
    spy.hold = undefined
    held.resolve()
    assert.equal((await first).status, 201)
    assertReplayed(await post(shop.admin, '/api/v1/records', key, shirt()), await first)
    assert.equal(await count(), before + 1)
  })

  it('two at once make one record', async () => {
    const before = await count()
    for (let round = 0; round < 20; round += 1) {
      const key = newKey()
      const answers = await Promise.all(
        [1, 2, 3].map(() => post<RecordBody>(shop.admin, '/api/v1/records', key, shirt())),
      )
      const made = answers.filter(({ status }) => status === 201)
      assert.ok(made.length >= 1)
      assert.equal(new Set(made.map(({ body }) => body.id)).size, 1)
      for (const { status } of answers) assert.ok(status === 201 || status === 409)
    }
    assert.equal(await count(), before + 20)
  })

  it('is done again after 24 hours, and not before', async () => {
    const key = newKey()
    const first = await post<RecordBody>(shop.admin, '/api/v1/records', key, shirt())
    clock.advance(24 * HOUR)
    assertReplayed(await post(shop.admin, '/api/v1/records', key, shirt()), first)
    clock.advance(1)
    const second = await post<RecordBody>(shop.admin, '/api/v1/records', key, shirt())
    assert.equal(second.status, 201)
    assert.notEqual(second.body.id, first.body.id)
    assertReplayed(await post(shop.admin, '/api/v1/records', key, shirt()), second)
  })

  it('that was refused stays refused, though its cause is gone', async () => {
    const key = newKey()
    const first = await post(shop.admin, '/api/v1/records', key, shirt({ sku: everywhere('lower case') }))
    assertRefused(first, 'VALIDATION_ERROR', 'sku')
    assertReplayed(await post(shop.admin, '/api/v1/records', key, shirt({ sku: everywhere('lower case') })), first)
    const late = { name: 'Late', id: 'cat-late' }
    const unknown = await post(shop.admin, '/api/v1/catalogs/cat-late/categories', key, { name: 'A' })
    assertRefused(unknown, 'NOT_FOUND')
    await make(shop.admin, '/api/v1/catalogs', late)
    assertReplayed(await post(shop.admin, '/api/v1/catalogs/cat-late/categories', key, { name: 'A' }), unknown)
  })

  it('whose body is no JSON, or not what the route takes, is refused the same way again', async () => {
    for (const body of ['{', '[]', '{"values":1}']) {
      const headers = {
        ...shop.admin.headers,
        'content-type': 'application/json',
        'idempotency-key': `bad-${body.length}`,
      }
      const sending = () => fetch(`${shop.url}/api/v1/records`, { method: 'POST', headers, body })
      const [first, again] = [await sending(), await sending()]
      assert.equal(first.status, 400)
      assert.equal(again.headers.get('idempotency-replayed'), 'true')
      assert.equal(await again.text(), await first.text())
    }
  })

  it('that the server failed at is tried anew', async () => {
    const [key, before] = [newKey(), await count()]
    spy.fault = new Error('a fault of the test')
    const first = await post(shop.admin, '/api/v1/records', key, shirt())
    spy.fault = undefined
    assert.equal(first.status, 500)
    const second = await post(shop.admin, '/api/v1/records', key, shirt())
    assert.equal(second.status, 201)
    assert.equal(second.headers.get('idempotency-replayed'), null)
    assert.equal(await count(), before + 1)
  })

  it('that was cut off in its body leaves nothing', async () => {
    const [key, before] = [newKey(), await count()]
    const controller = new AbortController()
    const body = new ReadableStream({
      start(stream) {
        stream.enqueue(new TextEncoder().encode('{"schemaId":"sch-shirt",'))
        setTimeout(() => controller.abort(), 50)
      },
    })
    const headers = { ...shop.admin.headers, 'content-type': 'application/json', 'idempotency-key': key }
    const options = { method: 'POST', headers, body, duplex: 'half', signal: controller.signal }
    await assert.rejects(fetch(`${shop.url}/api/v1/records`, options as RequestInit))
    const answer = await untilFree(() => post(shop.admin, '/api/v1/records', key, shirt()))
    assert.equal(answer.status, 201, answer.text)
    assert.equal(await count(), before + 1)
  })

  it('with an answer above 64 KiB is not kept', async () => {
    const [key, before] = [newKey(), await count()]
    const large = shirt({ toString: everywhere('x'.repeat(64 * 1024)) })
    for (const round of [1, 2]) {
      const answer = await post(shop.admin, '/api/v1/records', key, large)
      assert.equal(answer.status, 201)
      assert.equal(answer.headers.get('idempotency-replayed'), null)
      assert.equal(await count(), before + round)
    }
  })

  it('with a key that is none is refused, naming the header', async () => {
    for (const key of ['a b', 'x'.repeat(256)])
      assertRefused(await post(shop.admin, '/api/v1/records', key, shirt()), 'VALIDATION_ERROR', 'Idempotency-Key')
    assert.equal((await post(shop.admin, '/api/v1/records', 'x'.repeat(255), shirt())).status, 201)
  })
})

describe('The first answer is given again only to whom it is for', () => {
  it('a role that lost the permission gets 403, and nothing of it', async () => {
    const role = { name: 'Maker', permissions: ['records.create'], defaultAttributePermission: 'write' }
    const { id } = await make<{ id: string }>(shop.admin, '/api/v1/roles', role)
    const { key: secret } = await make<{ key: string }>(shop.admin, '/api/v1/api-keys', { name: 'Maker', roleId: id })
    const maker: Client = { url: shop.url, headers: { 'x-service-apikey': secret } }
    const key = newKey()
    const body = shirt({ weight: everywhere(77) })
    const first = await post(maker, '/api/v1/records', key, body)
    await send(shop.admin, 'PUT', `/api/v1/roles/${id}`, { ...role, permissions: [] })
    assertRefused(await post(maker, '/api/v1/records', key, body), 'PERMISSION_DENIED')
    const hiding = { ...role, attributePermissions: { 'sch-shirt': { weight: 'none' } } }
    await send(shop.admin, 'PUT', `/api/v1/roles/${id}`, hiding)
    const hidden = await post(maker, '/api/v1/records', key, body)
    assertRefused(hidden, 'PERMISSION_DENIED')
    assert.doesNotMatch(hidden.text, /77/)
    await send(shop.admin, 'PUT', `/api/v1/roles/${id}`, { ...role, name: 'Renamed' })
    assertReplayed(await post(maker, '/api/v1/records', key, body), first)
  })

  it('a refusal, which may name what is hidden by now, is not shown either', async () => {
    const role = { name: 'Mover', permissions: ['records.create', 'records.read'], defaultAttributePermission: 'write' }
    const { id } = await make<{ id: string }>(shop.admin, '/api/v1/roles', role)
    const { key: secret } = await make<{ key: string }>(shop.admin, '/api/v1/api-keys', { name: 'Mover', roleId: id })
    const mover: Client = { url: shop.url, headers: { 'x-service-apikey': secret } }
    const [key, body] = [newKey(), shirt({ sku: everywhere('lower') })]
    assertRefused(await post(mover, '/api/v1/records', key, body), 'VALIDATION_ERROR', 'sku')
    const hiding = { ...role, attributePermissions: { 'sch-shirt': { sku: 'none' } } }
    await send(shop.admin, 'PUT', `/api/v1/roles/${id}`, hiding)
    const hidden = await post(mover, '/api/v1/records', key, body)
    assertRefused(hidden, 'PERMISSION_DENIED', 'new Idempotency-Key')
    assert.doesNotMatch(hidden.text, /sku/)
  })

  it('an unknown credential gets 401', async () => {
    const key = newKey()
    await post(shop.admin, '/api/v1/records', key, shirt())
    assertRefused(await post(shop.anonymous, '/api/v1/records', key, shirt()), 'UNAUTHORIZED')
  })

  it('neither the key of a request nor a secret in its answer stands in the workspace', async () => {
    const key = 'a-key-that-nobody-else-would-make-up'
    const body = { name: 'Secret', roleId: 'role-viewer' }
    const first = await post<{ key: string }>(shop.admin, '/api/v1/api-keys', key, body)
    assertReplayed(await post(shop.admin, '/api/v1/api-keys', key, body), first)
    const stored = await storedIn(shop.dataDir)
    assert.ok(stored.some((part) => part.includes('role-viewer')))
    for (const text of [key, first.body.key]) assert.ok(stored.every((part) => !part.includes(text)))
  })
})

describe('What writes', () => {
  let beginJobs = (): void => undefined
  after(() => beginJobs())
  /** Each writing POST: path and body. No bulk job begins before `spy.calm` is over. */
  async function requests(): Promise<Record<string, readonly [string, unknown]>> {
    const { id } = await makeShirt(shop.admin, { name: [english('A'), { scope: { language: 'de' }, value: 'B' }] })
    const job = await make<{ id: string }>(shop.admin, '/api/v1/export-jobs', exportJob)
    const catalog = await make<{ id: string }>(shop.admin, '/api/v1/catalogs', { name: 'C' })
    const { version } = (await send<{ version: number }[]>(shop.admin, 'GET', `/api/v1/records/${id}/audit`)).body[0]!
    await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: { weight: everywhere(3) } })
    const category = await make<{ id: string }>(shop.admin, `/api/v1/catalogs/${catalog.id}/categories`, { name: 'C' })
    await send(shop.admin, 'PUT', `/api/v1/records/${id}/categories`, [{ categoryId: category.id }])
    const bulk = { selection: { ids: [id] }, actions: [{ setValues: { weight: everywhere(4) } }] }
    const { body: done } = await send<{ id: string }>(shop.admin, 'POST', '/api/v1/bulk-jobs', bulk)
    for (let isOver = false; !isOver;) {
      const { body } = await send<{ completedAt: string | null }>(
        shop.admin,
        'GET',
        `/api/v1/bulk-jobs/${done.id}?wait=20`,
      )
      isOver = body.completedAt !== null
    }
    const begin = Promise.withResolvers<void>()
    beginJobs = begin.resolve
    spy.calm = begin.promise
    const { body: waiting } = await send<{ id: string }>(shop.editor, 'POST', '/api/v1/bulk-jobs', bulk)
    const [tried, run, taken] = [await makeImport(), await makeImport(), await makeImport()]
    const renamed = { name: 'R', attributes: [{ alias: 'old', dataType: 'text' }] }
    const schema = await make<{ id: string }>(shop.admin, '/api/v1/schemas', renamed)
    const listening = { name: 'S', url: 'http://receiver.invalid/', events: ['record.created'], active: false }
    const person = (await send<{ id: string }[]>(shop.admin, 'GET', '/api/v1/users')).body[0]!
    const told = await make<{ id: string }>(shop.admin, '/api/v1/subscriptions', listening)
    return {
      'assignments.create': ['/api/v1/assignments', { recordIds: [id], assigneeId: person.id }],
      'comments.create': [`/api/v1/records/${id}/comments`, { text: 'C' }],
      'notices.read': ['/api/v1/notices/read', {}],
      'apiKeys.create': ['/api/v1/api-keys', { name: 'K', roleId: 'role-viewer' }],
      'bulkJobs.create': ['/api/v1/bulk-jobs', bulk],
      'bulkJobs.takeOver': [`/api/v1/bulk-jobs/${waiting.id}/take-over`, undefined],
      'bulkJobs.undo': [`/api/v1/bulk-jobs/${done.id}/undo`, undefined],
      'renditionPresets.rotateAddresses': ['/api/v1/files/rotate-addresses', {}],
      'renditionPresets.create': ['/api/v1/rendition-presets', { width: 9, fit: 'inside', format: 'webp' }],
      'catalogs.create': ['/api/v1/catalogs', { name: 'C' }],
      'categories.create': [`/api/v1/catalogs/${catalog.id}/categories`, { name: 'C' }],
      'categories.move': [`/api/v1/categories/${category.id}/move`, { parentId: null }],
      'categories.moveRecord': [`/api/v1/categories/${category.id}/records/move`, { recordId: id }],
      'dimensions.create': ['/api/v1/dimensions', { name: 'D', segments: [{ id: 'a' }] }],
      'exportJobs.create': ['/api/v1/export-jobs', exportJob],
      'exportJobs.pause': [`/api/v1/export-jobs/${job.id}/pause`, undefined],
      'exportJobs.resume': [`/api/v1/export-jobs/${job.id}/resume`, undefined],
      'exportJobs.takeOver': [`/api/v1/export-jobs/${job.id}/take-over`, undefined],
      'exportRuns.record': [`/export-jobs/${job.id}/runs`, { status: 'success' }],
      'imports.dryRun': [`/api/v1/imports/${tried}/dry-run`, undefined],
      'imports.run': [`/api/v1/imports/${run}/run`, undefined],
      'imports.takeOver': [`/api/v1/imports/${taken}/take-over`, undefined],
      'importProfiles.create': [
        '/api/v1/import-profiles',
        { name: 'P', schemaId: 'sch-shirt', columns: [{ header: 'A', to: { field: 'id' } }] },
      ],
      'records.batch': ['/api/v1/records/batch', { operations: [{ op: 'create', ...shirt() }] }],
      'records.create': ['/api/v1/records', shirt()],
      'records.restore': [`/api/v1/records/${id}/restore`, { version }],
      'records.transition': [`/api/v1/records/${id}/transition`, { transitionId: 'tr-submit' }],
      'roles.create': ['/api/v1/roles', { name: 'R', permissions: [], defaultAttributePermission: 'none' }],
      'savedQueries.create': ['/api/v1/saved-queries', { name: 'Q', criteria: [], criteriaOperator: 'and' }],
      'schemas.renameAttribute': [`/api/v1/schemas/${schema.id}/rename-attribute`, { from: 'old', to: 'new' }],
      'schemas.createPicture': ['/api/v1/schemas/picture', {}],
      'schemas.create': ['/api/v1/schemas', { name: 'S', attributes: [] }],
      'templates.apply': ['/api/v1/templates/books/apply', { languages: ['en'] }],
      'sheetLinks.create': ['/api/v1/sheet-links', { recordIds: [id] }],
      'sheetTemplates.create': ['/api/v1/sheet-templates', { name: 'T', schemaId: 'sch-shirt', sections: [] }],
      'subscriptions.create': ['/api/v1/subscriptions', listening],
      'subscriptions.replay': [`/api/v1/subscriptions/${told.id}/replay`, { after: 'latest' }],
      'subscriptions.resume': [`/api/v1/subscriptions/${told.id}/resume`, undefined],
      'subscriptions.takeOver': [`/api/v1/subscriptions/${told.id}/take-over`, undefined],
      'subscriptions.test': [`/api/v1/subscriptions/${told.id}/test`, undefined],
      'users.create': ['/api/v1/users', { username: 'once', password: 'a long password', roleId: 'role-viewer' }],
      'workflows.create': ['/api/v1/workflows', workflow],
    }
  }
  /** One that can be run. */
  async function makeImport(): Promise<string> {
    const { url, headers } = shop.admin
    const options = { method: 'POST', headers: { ...headers, 'content-type': 'text/csv' }, body: 'id\n' }
    const { id } = (await (await fetch(`${url}/api/v1/imports?fileName=a.csv`, options)).json()) as { id: string }
    const mapping = { schemaId: 'sch-shirt', columns: [{ header: 'id', to: { field: 'id' } }] }
    await send(shop.admin, 'PUT', `/api/v1/imports/${id}/mapping`, mapping)
    return id
  }
  const exportJob = {
    name: 'J',
    destinationType: 'webhook',
    destinationConfig: { url: 'https://example.org/' },
    format: 'json',
    schedule: '0 3 * * *',
    includeVariants: true,
    compress: false,
    filenameTemplate: 'a.json',
    active: false,
  }
  const workflow = { name: 'W', initialStateId: 'a', states: [{ id: 'a', name: 'A' }], transitions: [] }
  /** They write nothing, wait for others, or are many writes. */
  const others = new Set([
    'auth.login',
    'bulkJobs.cancel',
    'demo.load',
    'dimensions.preview',
    'exportJobs.checkDraft',
    'exportJobs.explain',
    'exportJobs.previewDraft',
    'exportJobs.previewSchedule',
    'records.sheets',
    'schemas.preview',
    'workflows.preview',
    'auth.logout',
    'auth.refresh',
    'exportRuns.cancel',
    'exportRuns.check',
    'exportRuns.preview',
    'exportRuns.redeliver',
    'exportRuns.trigger',
    'files.fetch',
    'files.upload',
    'imports.create',
    'messenger.check',
    'records.export',
    'records.import',
    'records.validate',
    'savedQueries.execute',
    'search.criteria',
    'search.facets',
    'search.places',
    'search.fullText',
  ])

  it('keeps its answer in the one transaction of the write, wherever a POST writes', async () => {
    const all = await requests()
    const posts = apiRoutes.filter(({ method, id }) => method === 'POST' && !others.has(id)).map(({ id }) => id)
    assert.deepEqual(posts.toSorted(), Object.keys(all).toSorted())
    for (const [id, [url, body]] of Object.entries(all)) {
      const key = newKey()
      spy.keeping = []
      const first = await post(shop.admin, url, key, body)
      assert.ok(first.status < 300, `${id}: ${first.text}`)
      assert.equal(spy.keeping.length, 1, `${id} keeps its answer once`)
      assert.notDeepEqual(spy.keeping[0], [], `${id} keeps its answer where it writes`)
      assertReplayed(await post(shop.admin, url, key, body), first)
      assert.equal(spy.keeping.length, 1, `${id} is replayed without a write`)
    }
    spy.calm = undefined
    beginJobs()
  })

  it('a run is triggered once', async () => {
    const job = await make<{ id: string }>(shop.admin, '/api/v1/export-jobs', exportJob)
    const key = newKey()
    const url = `/api/v1/export-jobs/${job.id}/trigger`
    const first = await post(shop.admin, url, key)
    assert.equal(first.status, 202, first.text)
    assertReplayed(await post(shop.admin, url, key), first)
    const runs = await send<unknown[]>(shop.admin, 'GET', `/api/v1/export-jobs/${job.id}/runs`)
    assert.equal(runs.body.length, 1)
    const [{ id: runId }] = runs.body as [{ id: string }]
    await post(shop.admin, `/api/v1/export-jobs/${job.id}/runs/${runId}/cancel`, newKey())
  })

  it('an import is done once, whatever arrives between its lines', async () => {
    const [key, before] = [newKey(), await count()]
    const importing = async (text: string): Promise<Response> =>
      fetch(`${shop.url}/api/v1/records/import`, {
        method: 'POST',
        headers: { ...shop.admin.headers, 'content-type': 'application/x-ndjson', 'idempotency-key': key },
        body: text,
      })
    const lines = `${JSON.stringify(shirt())}\n`.repeat(3)
    const first = await importing(lines)
    const again = await importing(lines)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.equal(await again.text(), await first.text())
    assert.equal((await importing(`${lines}${JSON.stringify(shirt())}\n`)).status, 409)
    assert.equal(await count(), before + 3)
  })
})

describe('What writes nothing', () => {
  it('is answered as it was first, as long as that is kept', async () => {
    const key = newKey()
    const body = {
      criteria: [{ attributeAlias: 'sku', operator: 'equals', value: 'ONCE-1' }],
      criteriaOperator: 'and',
      limit: 5,
    }
    const first = await post<unknown[]>(shop.admin, '/api/v1/search', key, body)
    assert.deepEqual(first.body, [])
    await makeShirt(shop.admin, { sku: everywhere('ONCE-1') })
    assertReplayed(await post(shop.admin, '/api/v1/search', key, body), first)
    assert.equal((await post<unknown[]>(shop.admin, '/api/v1/search', newKey(), body)).body.length, 1)
    const validate = { schemaId: 'sch-shirt', values: {} }
    const checked = await post(shop.admin, '/api/v1/records/validate', key, validate)
    assertReplayed(await post(shop.admin, '/api/v1/records/validate', key, validate), checked)
  })

  it('a file is sent as it was first, byte for byte, whatever its format', async () => {
    const body = { schemaId: 'sch-shirt', criteria: [], criteriaOperator: 'and', select: [], limit: 3 }
    for (const more of [{ format: 'csv', bom: true }, { format: 'xlsx' }, { format: 'json', compress: true }]) {
      const key = newKey()
      const ask = async (limit = 3): Promise<Response> =>
        fetch(`${shop.url}/api/v1/records/export`, {
          method: 'POST',
          headers: { ...shop.admin.headers, 'content-type': 'application/json', 'idempotency-key': key },
          body: JSON.stringify({ ...body, ...more, limit }),
        })
      const first = await ask()
      const file = await first.bytes()
      assert.equal(first.status, 200)
      const again = await ask()
      assert.equal(again.headers.get('idempotency-replayed'), 'true')
      for (const name of ['content-type', 'content-disposition'])
        assert.equal(again.headers.get(name), first.headers.get(name))
      assert.deepEqual(await again.bytes(), file)
      assert.equal((await ask(2)).status, 409)
    }
  })

  it('above 64 KiB it is found again', async () => {
    for (let n = 0; n < 4; n += 1) await makeShirt(shop.admin, { toString: everywhere('y'.repeat(30_000)) })
    const key = newKey()
    const body = {
      criteria: [{ attributeAlias: 'toString', operator: 'contains', value: 'yyy' }],
      criteriaOperator: 'and',
    }
    for (const _ of [1, 2]) {
      const answer = await post<unknown[]>(shop.admin, '/api/v1/search', key, body)
      assert.equal(answer.body.length, 4)
      assert.equal(answer.headers.get('idempotency-replayed'), null)
    }
  })

  it('signing in takes a key, and is done each time', async () => {
    const body = { username: 'admin', password: 'the password of admin' }
    const answers = [1, 2].map(() => post<{ accessToken: string }>(shop.anonymous, '/api/v1/auth/login', 'login', body))
    const [one, two] = await Promise.all(answers)
    assert.equal(one!.status, 200)
    assert.notEqual(one!.body.accessToken, two!.body.accessToken)
  })
})

/** The server notices after a moment that a client is gone. */
async function untilFree(request: () => Promise<Answer<unknown>>): Promise<Answer<unknown>> {
  for (let tries = 0; ; tries += 1) {
    const answer = await request()
    if (answer.status !== 409 || tries === 100) return answer
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
