// Which records are in which categories. Contract 1 §2.6, 1 §4.1, 2 §3.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { importFile, lines } from '../../../helpers/importing.ts'
import { assertGuarded, assertNotFound } from '../../../helpers/ladder.ts'
import {
  type AuditEntryBody,
  everywhere,
  make,
  makeShirt,
  readAudit,
  readRecord,
  type RecordBody,
  startWorkspace,
  type Workspace,
} from '../../../helpers/shirts.ts'

interface AssignmentBody {
  entityId: string
  categoryId: string
  sortOrder: number
}
interface PageBody {
  items: RecordBody[]
  total: number
  offset: number
  limit: number
}

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  for (const catalog of ['one', 'two']) {
    await make(shop.admin, '/api/v1/catalogs', { id: `cat-${catalog}`, name: catalog })
    for (const category of ['a', 'b'])
      await make(shop.admin, `/api/v1/catalogs/cat-${catalog}/categories`, {
        id: `${catalog}-${category}`,
        name: category,
        sortOrder: category === 'a' ? 5 : 1,
      })
  }
})
after(() => shop.stop())

const pathOf = (id: string): string => `/api/v1/records/${id}/categories`
const assign = (id: string, body: unknown, headers = {}) =>
  send<AssignmentBody[]>(shop.editor, 'PUT', pathOf(id), body, headers)
const read = async (id: string): Promise<AssignmentBody[]> =>
  (await send<AssignmentBody[]>(shop.viewer, 'GET', pathOf(id))).body
const etagOf = async (id: string): Promise<string> =>
  (await send(shop.admin, 'GET', `/api/v1/records/${id}`)).headers.get('etag')!

describe('PUT /api/v1/records/:id/categories', () => {
  it('needs categories.write', () =>
    assertGuarded(shop, { method: 'PUT', path: pathOf('gone'), body: [] }, 'categories.write'))

  it('an unknown record is 404', () =>
    assertNotFound(shop.editor, 'Record', (id) => ({ method: 'PUT', path: pathOf(id), body: [] })))

  it('replaces the assignments, in categories of several catalogs, and answers them', async () => {
    const { id } = await makeShirt(shop.admin, {})
    const first = await assign(id, [
      { categoryId: 'two-b', sortOrder: 4 },
      { categoryId: 'one-b' },
      { categoryId: 'one-a', sortOrder: -2 },
    ])
    assert.equal(first.status, 200)
    assert.deepEqual(first.body, [
      { entityId: id, categoryId: 'one-a', sortOrder: -2 },
      { entityId: id, categoryId: 'one-b', sortOrder: 0 },
      { entityId: id, categoryId: 'two-b', sortOrder: 4 },
    ])
    assert.deepEqual(await read(id), first.body)
    const second = await assign(id, [{ categoryId: 'two-a', sortOrder: 1 }])
    assert.deepEqual(second.body, [{ entityId: id, categoryId: 'two-a', sortOrder: 1 }])
    assert.deepEqual((await assign(id, [])).body, [])
    assert.deepEqual(await read(id), [])
  })

  it('what was read can be sent back', async () => {
    const { id } = await makeShirt(shop.admin, {})
    await assign(id, [{ categoryId: 'one-a', sortOrder: 3 }])
    const body = await read(id)
    assert.deepEqual((await assign(id, body)).body, body)
  })

  it('refuses bad input, naming what is wrong, and changes nothing', async () => {
    const { id } = await makeShirt(shop.admin, {})
    await assign(id, [{ categoryId: 'one-a' }])
    for (const [body, named] of [
      [{}, 'array'],
      [{ categoryId: 'one-a' }, 'array'],
      [[{}], '[0].categoryId is required'],
      [['one-a'], '[0]'],
      [[{ categoryId: 'one-b', sortOrder: '1' }], '[0].sortOrder'],
      [[{ categoryId: 'one-b', sortOrder: null }], '[0].sortOrder'],
      [[{ categoryId: 'one-b' }, { categoryId: 'gone' }], "[1].categoryId names the unknown category 'gone'"],
      [[{ categoryId: 'constructor' }], "'constructor'"],
      [[{ categoryId: 'one-b' }, { categoryId: 'one-b', sortOrder: 1 }], "'one-b' occurs twice"],
      [Array.from({ length: 1001 }, () => ({ categoryId: 'one-b' })), 'at most 1000'],
    ] as const)
      assertRefused(await assign(id, body), 'VALIDATION_ERROR', named)
    assert.deepEqual(await read(id), [{ entityId: id, categoryId: 'one-a', sortOrder: 0 }])
  })

  it('is a change of the record: entry, version, who and when', async () => {
    const { id } = await makeShirt(shop.admin, { weight: everywhere(1) })
    const before = await readRecord(shop.admin, id)
    const first = await assign(id, [{ categoryId: 'two-b', sortOrder: 1.5 }, { categoryId: 'one-a' }])
    const [entry, ...earlier] = await readAudit(shop.clerk, id)
    assert.equal(earlier.length, 1)
    assert.deepEqual([entry!.action, entry!.origin], ['update', { kind: 'api' }])
    const places = [
      { categoryId: 'one-a', sortOrder: 0 },
      { categoryId: 'two-b', sortOrder: 1.5 },
    ]
    assert.deepEqual(entry!.changes, [{ field: 'categories', oldValue: [], newValue: places }])
    assert.equal(first.headers.get('etag'), `"${entry!.version}"`)
    assert.equal(await etagOf(id), `"${entry!.version}"`)
    const after = await readRecord(shop.admin, id)
    const editor = await send<{ id: string }>(shop.editor, 'GET', '/api/v1/me')
    assert.deepEqual(after, { ...before, updatedAt: entry!.timestamp, updatedBy: editor.body.id })

    const feed = await send<{ items: AuditEntryBody[] }>(shop.viewer, 'GET', '/api/v1/changes?limit=1000')
    assert.deepEqual(feed.body.items.at(-1), entry)

    await assign(id, [{ categoryId: 'two-b', sortOrder: 2 }])
    const [second] = await readAudit(shop.viewer, id)
    const newValue = [{ categoryId: 'two-b', sortOrder: 2 }]
    assert.deepEqual(second!.changes, [{ field: 'categories', oldValue: places, newValue }])
    await assign(id, [])
    assert.deepEqual((await readAudit(shop.viewer, id))[0]!.changes, [
      { field: 'categories', oldValue: newValue, newValue: [] },
    ])
  })

  it('of what is so already, in whatever order, is no change', async () => {
    const { id } = await makeShirt(shop.admin, {})
    const created = await etagOf(id)
    assert.equal((await assign(id, [])).headers.get('etag'), created)
    const places = [{ categoryId: 'one-a', sortOrder: 3 }, { categoryId: 'one-b' }]
    const first = await assign(id, places)
    const second = await assign(id, places.toReversed(), { 'if-match': first.headers.get('etag')! })
    assert.deepEqual([second.status, second.body], [200, first.body])
    assert.equal(second.headers.get('etag'), first.headers.get('etag'))
    assert.equal((await readAudit(shop.admin, id)).length, 2)
  })

  it('honours If-Match against the record, whose version it changes', async () => {
    const { id } = await makeShirt(shop.admin, {})
    const etag = await etagOf(id)
    const answer = await assign(id, [{ categoryId: 'one-a' }], { 'if-match': etag })
    assert.equal(answer.status, 200)
    assert.notEqual(answer.headers.get('etag'), etag)
    assertRefused(await assign(id, [], { 'if-match': etag }), 'PRECONDITION_FAILED')
    const put = { values: { weight: everywhere(1) } }
    assertRefused(
      await send(shop.admin, 'PUT', `/api/v1/records/${id}`, put, { 'if-match': etag }),
      'PRECONDITION_FAILED',
    )
    assert.equal((await assign(id, [], { 'if-match': answer.headers.get('etag')! })).status, 200)
  })

  it('is in the entry of a deletion, whose record had any', async () => {
    const { id } = await makeShirt(shop.admin, { weight: everywhere(1) })
    await assign(id, [{ categoryId: 'one-a', sortOrder: 3 }])
    await send(shop.admin, 'DELETE', `/api/v1/records/${id}`)
    const [entry] = await readAudit(shop.admin, id)
    assert.deepEqual(entry!.changes, [
      { attributeAlias: 'weight', scope: {}, oldValue: 1, newValue: null },
      { field: 'categories', oldValue: [{ categoryId: 'one-a', sortOrder: 3 }], newValue: null },
    ])
  })

  it('the record takes its assignments with it', async () => {
    const { id } = await makeShirt(shop.admin, {}, { id: 'reborn' })
    await assign(id, [{ categoryId: 'one-a' }])
    await send(shop.admin, 'DELETE', `/api/v1/records/${id}`)
    await makeShirt(shop.admin, {}, { id: 'reborn' })
    assert.deepEqual(await read('reborn'), [])
  })
})

describe('GET /api/v1/records/:id/categories', () => {
  it('needs records.read', () => assertGuarded(shop, { method: 'GET', path: pathOf('gone') }, 'records.read'))

  it('an unknown record is 404', () =>
    assertNotFound(shop.viewer, 'Record', (id) => ({ method: 'GET', path: pathOf(id) })))
})

describe('GET /api/v1/categories/:id/records', () => {
  const PATH = '/api/v1/categories/two-b/records'
  let shirts: RecordBody[]

  before(async () => {
    shirts = []
    for (const [index, sortOrder] of [3, 1, 1.5, 1].entries()) {
      const shirt = await makeShirt(shop.admin, {
        weight: everywhere(index),
        price: everywhere({ amount: 5, currency: 'EUR' }),
      })
      await assign(shirt.id, [{ categoryId: 'two-b', sortOrder }, { categoryId: 'two-a' }])
      shirts.push(await readRecord(shop.admin, shirt.id))
    }
  })

  it('needs records.read', () => assertGuarded(shop, { method: 'GET', path: PATH }, 'records.read'))

  it('an unknown category is 404', () =>
    assertNotFound(shop.viewer, 'Category', (id) => ({ method: 'GET', path: `/api/v1/categories/${id}/records` })))

  it('answers full records by sort order, then in the order of creation, as GET /records does', async () => {
    const { status, body } = await send<PageBody>(shop.viewer, 'GET', PATH)
    assert.equal(status, 200)
    assert.deepEqual(body, { items: [1, 3, 2, 0].map((index) => shirts[index]), total: 4, offset: 0, limit: 50 })
  })

  it('pages by limit and offset, with the total of all', async () => {
    const { body } = await send<PageBody>(shop.viewer, 'GET', `${PATH}?limit=2&offset=1`)
    assert.deepEqual(
      [body.items.map(({ id }) => id), body.total, body.offset, body.limit],
      [[shirts[3]!.id, shirts[2]!.id], 4, 1, 2],
    )
    assert.deepEqual((await send<PageBody>(shop.viewer, 'GET', `${PATH}?offset=9`)).body.items, [])
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'offset=-1', 'offset=1.5'])
      assertRefused(await send(shop.viewer, 'GET', `${PATH}?${query}`), 'VALIDATION_ERROR', query.split('=')[0]!)
  })

  it('leaves out the attributes that the caller may not read', async () => {
    const { body } = await send<PageBody>(shop.clerk, 'GET', PATH)
    assert.equal(body.items.length, 4)
    for (const { values } of body.items) assert.deepEqual(Object.keys(values), ['weight'])
  })

  it('an empty category has no records', async () => {
    await make(shop.admin, '/api/v1/catalogs/cat-one/categories', { id: 'empty', name: 'Empty' })
    const { body } = await send<PageBody>(shop.viewer, 'GET', '/api/v1/categories/empty/records')
    assert.deepEqual(body, { items: [], total: 0, offset: 0, limit: 50 })
  })
})

describe('Deleting a category', () => {
  it('is a change of each record in it, of which others are not kept waiting, however many', async () => {
    await make(shop.admin, '/api/v1/catalogs/cat-two/categories', { id: 'doomed', name: 'Doomed' })
    const records = Array.from({ length: 120 }, (_, index) => ({
      id: `doomed-${index}`,
      schemaId: 'sch-plain',
      values: {},
    }))
    await importFile(shop.admin, lines(...records))
    const places = [{ categoryId: 'one-a' }, { categoryId: 'doomed', sortOrder: 7 }]
    for (const answer of await Promise.all(records.map(({ id }) => assign(id, places))))
      assert.equal(answer.status, 200, answer.text)
    assert.equal((await send(shop.editor, 'DELETE', '/api/v1/categories/doomed')).status, 204)
    assert.equal((await send(shop.viewer, 'GET', '/api/v1/categories/doomed')).status, 404)
    for (const { id } of [records[0]!, records[119]!]) {
      assert.deepEqual(await read(id), [{ entityId: id, categoryId: 'one-a', sortOrder: 0 }])
      const [entry] = await readAudit(shop.viewer, id)
      const newValue = [{ categoryId: 'one-a', sortOrder: 0 }]
      assert.deepEqual(entry!.changes, [
        { field: 'categories', oldValue: [...newValue, { categoryId: 'doomed', sortOrder: 7 }], newValue },
      ])
      assert.equal(await etagOf(id), `"${entry!.version}"`)
    }
  })
})
