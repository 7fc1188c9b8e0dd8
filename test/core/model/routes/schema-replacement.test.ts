// PUT of a schema whose records hold values. Contract 2 §3.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import {
  everywhere,
  make,
  readAudit,
  readRecord,
  type RecordBody,
  startWorkspace,
  type ValuesBody,
  type Workspace,
} from '../../../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
})
after(() => shop.stop())

const text = (alias: string, more: object = {}): object => ({ alias, dataType: 'text', ...more })
const scoped = (scope: Record<string, string>, value: unknown) => ({ scope, value })

/** A schema with these attributes and a record for each set of values. */
async function makeSchema(
  attributes: object[],
  ...values: ValuesBody[]
): Promise<{ id: string; records: RecordBody[] }> {
  const { id } = await make<{ id: string }>(shop.admin, '/api/v1/schemas', { name: 'S', attributes })
  const records: RecordBody[] = []
  for (const each of values) records.push(await makeRecord(id, each))
  return { id, records }
}
const makeRecord = (schemaId: string, values: ValuesBody, more: object = {}): Promise<RecordBody> =>
  make<RecordBody>(shop.admin, '/api/v1/records', { schemaId, values, ...more })

const put = (id: string, attributes: object[], query = '', more: object = {}) =>
  send<{ attributes: { alias: string }[] }>(shop.admin, 'PUT', `/api/v1/schemas/${id}${query}`, {
    name: 'S',
    attributes,
    ...more,
  })
const aliasesOf = async (id: string): Promise<string[]> => {
  const { body } = await send<{ attributes: { alias: string }[] }>(shop.admin, 'GET', `/api/v1/schemas/${id}`)
  return body.attributes.map(({ alias }) => alias)
}
const DROP = '?dropValues=true'

describe('What is free', () => {
  it('adding attributes leaves the values of records alone', async () => {
    const { id, records } = await makeSchema([text('a')], { a: everywhere('x') })
    assert.equal((await put(id, [text('b', { unique: true }), text('a')])).status, 200)
    assert.deepEqual(await readRecord(shop.admin, records[0]!.id), records[0])
  })

  it('removing an attribute, or changing its type, that no record holds', async () => {
    const { id } = await makeSchema([text('a'), text('b'), text('c')], { a: everywhere('x') })
    assert.equal((await put(id, [text('a'), { alias: 'c', dataType: 'number' }])).status, 200)
  })

  it('a change of data type that every stored value fits', async () => {
    const { id, records } = await makeSchema([text('a')], { a: everywhere('https://example.com') })
    assert.equal((await put(id, [{ alias: 'a', dataType: 'url' }])).status, 200)
    assert.deepEqual(await readRecord(shop.admin, records[0]!.id), records[0])
  })

  it('a rule that stored values do not meet: they stay, may be sent back, and another value is judged by it', async () => {
    const { id, records } = await makeSchema([text('a')], { a: everywhere('long') })
    assert.equal((await put(id, [text('a', { validation: { maxLength: 1 } })])).status, 200)
    assert.deepEqual(await readRecord(shop.admin, records[0]!.id), records[0])
    const path = `/api/v1/records/${records[0]!.id}`
    assert.equal((await send(shop.admin, 'PUT', path, { values: { a: everywhere('long') } })).status, 200)
    const rewrite = await send(shop.admin, 'PUT', path, { values: { a: everywhere('longer') } })
    assertRefused(rewrite, 'VALIDATION_ERROR', 'values.a')
  })

  it('removing an option, unit or currency that no record uses, and a list altogether', async () => {
    const { id } = await makeSchema(
      [
        { alias: 'color', dataType: 'select', options: [{ id: 'red' }, { id: 'blue' }] },
        { alias: 'weight', dataType: 'measurement', units: ['kg', 'g'] },
        { alias: 'price', dataType: 'price', currencies: ['EUR', 'USD'] },
      ],
      { color: everywhere('red'), weight: everywhere({ amount: 1, unit: 'kg' }) },
    )
    const attributes = [
      { alias: 'color', dataType: 'select', options: [{ id: 'red' }] },
      { alias: 'weight', dataType: 'measurement', units: [] },
      { alias: 'price', dataType: 'price', currencies: ['EUR'] },
    ]
    assert.equal((await put(id, attributes)).status, 200)
  })
})

describe('Values that fit no longer', () => {
  it('prevent the removal of their attribute, naming it, and nothing changes', async () => {
    const { id, records } = await makeSchema([text('a'), text('constructor')], { constructor: everywhere('x') })
    for (const query of ['', '?dropValues=false'])
      assertRefused(await put(id, [text('a')], query), 'CONFLICT', "'constructor'", 'dropValues=true')
    assert.deepEqual(await aliasesOf(id), ['a', 'constructor'])
    assert.deepEqual(await readRecord(shop.admin, records[0]!.id), records[0])
  })

  it('prevent a change of data type and the loss of a dimension', async () => {
    const { id } = await makeSchema([text('a'), text('b', { dimensionIds: ['language'] })], {
      a: everywhere('x'),
      b: [scoped({ language: 'de' }, 'y')],
    })
    const b = text('b', { dimensionIds: ['language'] })
    assertRefused(await put(id, [{ alias: 'a', dataType: 'number' }, b]), 'CONFLICT', "'a'")
    assertRefused(await put(id, [text('a'), text('b', { dimensionIds: ['market'] })]), 'CONFLICT', "'b'")
  })

  it('are dropped with dropValues=true, in one update with an audit entry and a new version per record', async () => {
    const { id, records } = await makeSchema(
      [text('a'), text('b', { dimensionIds: ['language'] }), text('c')],
      { a: everywhere('x'), b: [scoped({}, 'all'), scoped({ language: 'de' }, 'y')], c: everywhere('kept') },
      { c: everywhere('kept') },
    )
    const path = `/api/v1/records/${records[0]!.id}`
    const etag = (await send(shop.admin, 'GET', path)).headers.get('etag')
    assert.equal((await put(id, [text('b'), text('c')], DROP)).status, 200)

    const dropped = await readRecord(shop.admin, records[0]!.id)
    assert.deepEqual(dropped.values, { b: everywhere('all'), c: everywhere('kept') })
    assert.equal(dropped.updatedBy, 'key-bootstrap')
    assert.ok(dropped.updatedAt >= records[0]!.updatedAt)
    assert.notEqual((await send(shop.admin, 'GET', path)).headers.get('etag'), etag)
    const [entry, ...older] = await readAudit(shop.admin, records[0]!.id)
    assert.deepEqual([entry!.action, entry!.userId, older.length], ['update', 'key-bootstrap', 1])
    assert.deepEqual(entry!.origin, { kind: 'schema' })
    assert.deepEqual(entry!.changes, [
      { attributeAlias: 'a', scope: {}, oldValue: 'x', newValue: null },
      { attributeAlias: 'b', scope: { language: 'de' }, oldValue: 'y', newValue: null },
    ])

    assert.deepEqual(await readRecord(shop.admin, records[1]!.id), records[1])
    assert.equal((await readAudit(shop.admin, records[1]!.id)).length, 1)
  })

  it('are dropped from every record of many, variants included', async () => {
    const { id } = await makeSchema([text('a', { dimensionIds: ['market'] }), text('b')])
    const parent = await makeRecord(id, { a: everywhere('parent') })
    const values: ValuesBody[] = Array.from({ length: 450 }, (_, index) => ({
      ...(index % 3 === 0
        ? {}
        : { a: index % 2 === 0 ? everywhere('x') : [scoped({}, 'x'), scoped({ market: 'eu' }, 'y')] }),
      b: everywhere(String(index)),
    }))
    const parents = (index: number) => (index % 5 === 0 ? { parentId: parent.id } : {})
    const records = await Promise.all(values.map((each, index) => makeRecord(id, each, parents(index))))
    assert.equal((await put(id, [text('a'), text('b')], DROP)).status, 200)
    for (const [index, record] of records.entries()) {
      const expected = values[index]!['a'] === undefined ? undefined : everywhere('x')
      const now = await readRecord(shop.admin, record.id)
      assert.deepEqual(now.values['a'], expected)
      assert.deepEqual(now.values['b'], everywhere(String(index)))
    }
    assert.equal((await put(id, [text('b')], DROP)).status, 200)
    for (const record of [parent, ...records])
      assert.equal((await readRecord(shop.admin, record.id)).values['a'], undefined)
    const [newest] = await readAudit(shop.admin, parent.id)
    assert.deepEqual(newest!.changes, [{ attributeAlias: 'a', scope: {}, oldValue: 'parent', newValue: null }])
  })

  it('that the caller may not write are not dropped', async () => {
    const { id, records } = await makeSchema([text('a'), text('b')], { a: everywhere('x') })
    const modeller = await shop.clientWith(['model.write'], { attributePermissions: { [id]: { a: 'read' } } })
    const body = { name: 'S', attributes: [text('b')] }
    assertRefused(await send(modeller, 'PUT', `/api/v1/schemas/${id}${DROP}`, body), 'PERMISSION_DENIED', "'a'")
    assert.deepEqual(await readRecord(shop.admin, records[0]!.id), records[0])
    assert.deepEqual(await aliasesOf(id), ['a', 'b'])
  })

  it('do not come back when their attribute does', async () => {
    const { id, records } = await makeSchema([text('a')], { a: everywhere('x') })
    await put(id, [], DROP)
    await put(id, [text('a')])
    assert.deepEqual((await readRecord(shop.admin, records[0]!.id)).values, {})
  })
})

describe('Uniqueness', () => {
  const sku = (unique: boolean, more: object = {}) => text('sku', { unique, dimensionIds: ['market'], ...more })

  it('cannot be asked for while two records hold one value in one scope, and both are left as they are', async () => {
    const same = { sku: [scoped({ market: 'eu' }, 'A')] }
    const { id } = await makeSchema([sku(false)], same, { sku: everywhere('A') }, same)
    assertRefused(await put(id, [sku(true)]), 'CONFLICT', 'sku', 'market=eu')
    assert.equal((await send(shop.admin, 'POST', '/api/v1/records', { schemaId: id, values: same })).status, 201)
  })

  it('holds for stored values from the change on; empty values do not count', async () => {
    const { id } = await makeSchema(
      [sku(false)],
      { sku: everywhere('A') },
      { sku: everywhere('') },
      { sku: everywhere('') },
    )
    assert.equal((await put(id, [sku(true)])).status, 200)
    const again = await send(shop.admin, 'POST', '/api/v1/records', { schemaId: id, values: { sku: everywhere('A') } })
    assertRefused(again, 'CONFLICT', 'sku')
    assert.equal(
      (await send(shop.admin, 'POST', '/api/v1/records', { schemaId: id, values: { sku: everywhere('B') } })).status,
      201,
    )
  })

  it('is compared over more records than are read at a time', async () => {
    const { id } = await makeSchema([text('sku')])
    const values = Array.from({ length: 401 }, (_, index) => ({ sku: everywhere(String(index % 400)) }))
    await Promise.all(values.map((each) => makeRecord(id, each)))
    assertRefused(await put(id, [text('sku', { unique: true })]), 'CONFLICT', 'sku')
  })

  it('given up, lets two records hold one value; taken away with its attribute, it is forgotten', async () => {
    const { id } = await makeSchema([sku(true)], { sku: everywhere('A') })
    assert.equal((await put(id, [sku(false)])).status, 200)
    await makeRecord(id, { sku: everywhere('A') })
    assertRefused(await put(id, [sku(true)]), 'CONFLICT', 'sku')
    assert.equal((await put(id, [], DROP)).status, 200)
    assert.equal((await put(id, [sku(true)])).status, 200)
    await makeRecord(id, { sku: everywhere('A') })
  })

  it('given up and asked for again, does not remember values that were removed meanwhile', async () => {
    const { id, records } = await makeSchema([sku(true)], { sku: everywhere('A') })
    assert.equal((await put(id, [sku(false)])).status, 200)
    const removed = await send(shop.admin, 'PUT', `/api/v1/records/${records[0]!.id}`, { values: { sku: [] } })
    assert.equal(removed.status, 200)
    assert.equal((await put(id, [sku(true)])).status, 200)
    await makeRecord(id, { sku: everywhere('A') })
  })

  it('of a value that was dropped with its dimension is free for others', async () => {
    const { id } = await makeSchema([sku(true)], { sku: [scoped({ market: 'eu' }, 'A'), scoped({}, 'B')] })
    assert.equal((await put(id, [sku(true, { dimensionIds: [] })], DROP)).status, 200)
    assert.equal((await put(id, [sku(true)])).status, 200)
    await makeRecord(id, { sku: [scoped({ market: 'eu' }, 'A')] })
    const again = await send(shop.admin, 'POST', '/api/v1/records', { schemaId: id, values: { sku: everywhere('B') } })
    assertRefused(again, 'CONFLICT', 'sku')
  })
})

describe('The workflow', () => {
  const two = { name: 'Two', initialStateId: 'state-draft', states: [{ id: 'state-draft' }, { id: 'state-done' }] }

  it('cannot be changed while records are in a state that the new one does not have', async () => {
    await make(shop.admin, '/api/v1/workflows', { ...two, id: 'wf-two' })
    const { id, records } = await makeSchema([], {}, {})
    const move = (transitionId: string) =>
      send(shop.admin, 'POST', `/api/v1/records/${records[0]!.id}/transition`, { transitionId })
    assert.equal((await move('tr-submit')).status, 200)
    assertRefused(await put(id, [], '', { workflowId: 'wf-two' }), 'CONFLICT', 'workflowId', 'state-review', 'wf-two')
    assert.equal((await move('tr-send-back')).status, 200)
    assert.equal((await put(id, [], '', { workflowId: 'wf-two' })).status, 200)
  })

  it('must have the states that attributes are required in', async () => {
    await make(shop.admin, '/api/v1/workflows', { ...two, id: 'wf-other' })
    const { id } = await makeSchema([])
    const attributes = [text('a', { requiredInStateIds: ['state-review'] })]
    assertRefused(await put(id, attributes, '', { workflowId: 'wf-other' }), 'VALIDATION_ERROR', "'a'", 'state-review')
  })
})

describe('Guards', () => {
  it('must not ask for an attribute that goes', async () => {
    const guard = { criteriaOperator: 'and', criteria: [{ attributeAlias: 'a', operator: 'isNotEmpty' }] }
    const { id } = await makeSchema([text('a'), text('b', { guard })])
    assertRefused(await put(id, [text('b', { guard })]), 'VALIDATION_ERROR', "'b'", 'guard', "'a'")
  })
})
