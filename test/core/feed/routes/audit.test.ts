import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import {
  type AuditEntryBody,
  english,
  everywhere,
  german,
  makeShirt,
  readAudit,
  startWorkspace,
  type Workspace,
} from '../../../helpers/shirts.ts'
import type { Client } from '../../../helpers/client.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
})
after(() => shop.stop())

const global = (attributeAlias: string, oldValue: unknown, newValue: unknown) => ({
  attributeAlias,
  scope: {},
  oldValue,
  newValue,
})

describe('GET /api/v1/records/:id/audit', () => {
  it('lists the entries newest first, each with exactly the fields of an audit entry', async () => {
    const { id } = await makeShirt(shop.admin, {})
    await send(shop.editor, 'PUT', `/api/v1/records/${id}`, { values: { weight: everywhere(1) } })
    await send(shop.editor, 'PATCH', `/api/v1/records/${id}/values/weight`, { scopedValues: everywhere(2) })
    await send(shop.editor, 'POST', `/api/v1/records/${id}/transition`, { transitionId: 'tr-submit' })
    const entries = await readAudit(shop.viewer, id)
    assert.deepEqual(
      entries.map((entry) => entry.action),
      ['transition', 'update', 'update', 'create'],
    )
    const editor = await send<{ id: string }>(shop.editor, 'GET', '/api/v1/me')
    for (const entry of entries) {
      const fields = ['action', 'changes', 'entityId', 'id', 'origin', 'timestamp', 'userId', 'version']
      assert.deepEqual(Object.keys(entry).sort(), fields)
      assert.deepEqual(entry.origin, { kind: 'api' })
      assert.match(entry.id, /^aud-/)
      assert.equal(entry.entityId, id)
      assert.equal(entry.userId === editor.body.id, entry.action !== 'create')
      assert.equal(new Date(entry.timestamp).toISOString(), entry.timestamp)
    }
    assert.equal(new Set(entries.map((entry) => entry.id)).size, 4)
  })

  it('a create lists every value with oldValue null', async () => {
    const { id } = await makeShirt(shop.admin, { name: [english('Shirt'), german('Hemd')], weight: everywhere(1) })
    const [entry] = await readAudit(shop.admin, id)
    assert.deepEqual(entry!.changes, [
      { attributeAlias: 'name', scope: { language: 'en' }, oldValue: null, newValue: 'Shirt' },
      { attributeAlias: 'name', scope: { language: 'de' }, oldValue: null, newValue: 'Hemd' },
      global('weight', null, 1),
    ])
  })

  it('an update lists the scoped values that changed, and only those', async () => {
    const { id } = await makeShirt(shop.admin, {
      name: [english('Shirt'), german('Hemd')],
      weight: everywhere(1),
      color: everywhere('red'),
      extra: everywhere({ a: 1, b: 2 }),
    })
    await send(shop.admin, 'PUT', `/api/v1/records/${id}`, {
      values: {
        name: [german('Oberhemd'), english('Shirt')],
        weight: everywhere(1),
        color: [],
        onSale: everywhere(true),
        extra: everywhere({ b: 2, a: 1 }),
      },
    })
    const [entry] = await readAudit(shop.admin, id)
    assert.deepEqual(entry!.changes, [
      { attributeAlias: 'name', scope: { language: 'de' }, oldValue: 'Hemd', newValue: 'Oberhemd' },
      global('color', 'red', null),
      global('onSale', null, true),
    ])
  })

  it('an update that changes nothing has an entry without changes', async () => {
    const { id } = await makeShirt(shop.admin, { weight: everywhere(1) })
    await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: { weight: everywhere(1) } })
    const entries = await readAudit(shop.admin, id)
    assert.deepEqual([entries.length, entries[0]!.action, entries[0]!.changes], [2, 'update', []])
  })

  it('a refused change has no entry', async () => {
    const { id } = await makeShirt(shop.admin, { weight: everywhere(1) })
    await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: { weight: everywhere(-1) } })
    await send(shop.viewer, 'DELETE', `/api/v1/records/${id}`)
    await send(shop.admin, 'POST', '/api/v1/records', { id, schemaId: 'sch-shirt', values: {} })
    assert.equal((await readAudit(shop.admin, id)).length, 1)
  })

  it('outlives its record: a delete lists every value with newValue null', async () => {
    const { id } = await makeShirt(shop.admin, { name: [english('Shirt')], weight: everywhere(1) })
    await send(shop.admin, 'DELETE', `/api/v1/records/${id}`)
    const entries = await readAudit(shop.admin, id)
    assert.deepEqual(
      entries.map((entry) => entry.action),
      ['delete', 'create'],
    )
    assert.deepEqual(entries[0]!.changes, [
      { attributeAlias: 'name', scope: { language: 'en' }, oldValue: 'Shirt', newValue: null },
      global('weight', 1, null),
    ])
  })

  it('answers at most limit entries, 50 where nothing is said', async () => {
    const { id } = await makeShirt(shop.admin, {})
    for (let weight = 0; weight < 54; weight += 1)
      await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: { weight: everywhere(weight) } })
    const list = async (query: string) =>
      (await send<AuditEntryBody[]>(shop.admin, 'GET', `/api/v1/records/${id}/audit${query}`)).body
    assert.equal((await list('')).length, 50)
    assert.deepEqual(
      (await list('?limit=2')).map((entry) => entry.changes),
      [[global('weight', 52, 53)], [global('weight', 51, 52)]],
    )
    assert.equal((await list('?limit=1000')).length, 55)
    for (const limit of ['0', '1001', 'x'])
      assertRefused(
        await send(shop.admin, 'GET', `/api/v1/records/${id}/audit?limit=${limit}`),
        'VALIDATION_ERROR',
        'limit',
      )
  })

  it('is NOT_FOUND where there never was such a record', async () => {
    for (const id of ['ent-none', '__proto__'])
      assertRefused(await send(shop.admin, 'GET', `/api/v1/records/${id}/audit`), 'NOT_FOUND', 'Record', id)
  })

  it('changes of attributes that are hidden from the caller are absent, their entries are not', async () => {
    const { id } = await makeShirt(shop.admin, { price: everywhere({ amount: 9, currency: 'EUR' }) })
    await send(shop.admin, 'PUT', `/api/v1/records/${id}`, {
      values: { constructor: everywhere('x'), weight: everywhere(1) },
    })
    assert.deepEqual(
      (await readAudit(shop.clerk, id)).map((entry) => [entry.action, entry.changes]),
      [
        ['update', [global('weight', null, 1)]],
        ['create', []],
      ],
    )
  })
})

describe('GET /api/v1/changes', () => {
  interface Feed {
    items: AuditEntryBody[]
    cursor: string
  }
  async function read(client: Client, query: string): Promise<Feed> {
    const answer = await send<Feed>(client, 'GET', `/api/v1/changes${query}`)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  async function readToEnd(client: Client, limit: number): Promise<AuditEntryBody[]> {
    const items: AuditEntryBody[] = []
    let page = await read(client, `?limit=${limit}`)
    while (page.items.length > 0) {
      items.push(...page.items)
      page = await read(client, `?limit=${limit}&after=${page.cursor}`)
    }
    return items
  }

  it('gives all entries of the workspace in commit order, page by page, each once', async () => {
    const records = await Promise.all([1, 2, 3, 4, 5].map(() => makeShirt(shop.admin, {})))
    await send(shop.admin, 'DELETE', `/api/v1/records/${records[0]!.id}`)
    const [whole, paged] = [await readToEnd(shop.viewer, 1000), await readToEnd(shop.viewer, 7)]
    assert.deepEqual(paged, whole)
    assert.equal(new Set(whole.map((entry) => entry.id)).size, whole.length)
    for (const { id } of records) {
      const own = whole.filter((entry) => entry.entityId === id)
      assert.deepEqual(own.toReversed(), await readAudit(shop.admin, id))
    }
    assert.deepEqual([whole.at(-1)!.entityId, whole.at(-1)!.action], [records[0]!.id, 'delete'])
  })

  it('the cursor of an empty page gives what is written next, and nothing twice', async () => {
    let page = await read(shop.admin, '?limit=1000')
    while (page.items.length > 0) page = await read(shop.admin, `?limit=1000&after=${page.cursor}`)
    const empty = await read(shop.admin, `?after=${page.cursor}`)
    assert.deepEqual(empty, { items: [], cursor: page.cursor })
    const { id } = await makeShirt(shop.admin, {})
    const next = await read(shop.admin, `?after=${empty.cursor}`)
    assert.deepEqual(
      next.items.map((entry) => [entry.entityId, entry.action]),
      [[id, 'create']],
    )
    assert.deepEqual((await read(shop.admin, `?after=${next.cursor}`)).items, [])
  })

  it('a malformed cursor is refused, naming it', async () => {
    const forged = ['after:1e3', 'after:-1', 'after:01', 'after:9007199254740993', 'before:1', ''].map((text) =>
      Buffer.from(text).toString('base64url'),
    )
    for (const after of [...forged, '1', 'x', '%00', '__proto__', 'YWZ0ZXI6MA=='])
      assertRefused(await send(shop.admin, 'GET', `/api/v1/changes?after=${after}`), 'VALIDATION_ERROR', 'after')
  })

  it('changes of hidden attributes are absent from it', async () => {
    const start = await readToEnd(shop.clerk, 1000)
    await makeShirt(shop.admin, { price: everywhere({ amount: 9, currency: 'EUR' }), weight: everywhere(7) })
    const entries = (await readToEnd(shop.clerk, 1000)).slice(start.length)
    assert.deepEqual(
      entries.map((entry) => entry.changes),
      [[global('weight', null, 7)]],
    )
  })
})
