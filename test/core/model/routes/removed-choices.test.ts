// Removing an option, unit or currency that stored values use, and values that are sent back as they are stored.
// Contract 3 §9.3.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { counts, importCsv, importFile, lines } from '../../../helpers/importing.ts'
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

const options = (...ids: string[]): object => ({ options: ids.map((id) => ({ id })) })
const color = (...ids: string[]): object => ({ alias: 'color', dataType: 'select', ...options(...ids) })
const tags = (more: object, ...ids: string[]): object => ({
  alias: 'tags',
  dataType: 'multiSelect',
  ...more,
  ...options(...ids),
})
const weight = (...units: string[]): object => ({ alias: 'weight', dataType: 'measurement', units })
const price = (...currencies: string[]): object => ({ alias: 'price', dataType: 'price', currencies })

async function makeSchema(
  attributes: object[],
  ...values: ValuesBody[]
): Promise<{ id: string; records: RecordBody[] }> {
  const { id } = await make<{ id: string }>(shop.admin, '/api/v1/schemas', { name: 'S', attributes })
  const records: RecordBody[] = []
  for (const each of values)
    records.push(await make<RecordBody>(shop.admin, '/api/v1/records', { schemaId: id, values: each }))
  return { id, records }
}

const put = (id: string, attributes: object[], query = '') =>
  send(shop.admin, 'PUT', `/api/v1/schemas/${id}${query}`, { name: 'S', attributes })
const DROP = '?dropValues=true'

describe('Removing what stored values name', () => {
  for (const [what, before, after, value] of [
    ["option 'red'", color('red', 'blue'), color('blue'), 'red'],
    ["option 'new'", tags({}, 'new', 'sale'), tags({}, 'sale'), ['sale', 'new']],
    ["unit 'kg'", weight('kg', 'g'), weight('g'), { amount: 1, unit: 'kg' }],
    ["unit 'kg'", weight(), weight('g'), { amount: 1, unit: 'kg' }],
    ["currency 'USD'", price('EUR', 'USD'), price('EUR'), { amount: 1, currency: 'USD' }],
  ] as const) {
    const { alias } = before as { alias: string }
    it(`the ${what}: a CONFLICT that names it, the attribute and the first record`, async () => {
      const { id, records } = await makeSchema([before], {}, { [alias]: everywhere(value) })
      assertRefused(await put(id, [after]), 'CONFLICT', `'${alias}'`, what, records[1]!.id, 'dropValues=true')
      assert.deepEqual(await readRecord(shop.admin, records[1]!.id), records[1])
      assert.equal((await put(id, [before])).status, 200)
    })
  }

  it('with dropValues=true drops those values, with an audit entry, and keeps the others', async () => {
    const { id, records } = await makeSchema(
      [color('red', 'blue'), weight('kg', 'g')],
      { color: everywhere('red'), weight: everywhere({ amount: 1, unit: 'g' }) },
      { color: everywhere('blue') },
    )
    assert.equal((await put(id, [color('blue'), weight('g')], DROP)).status, 200)
    assert.deepEqual((await readRecord(shop.admin, records[0]!.id)).values, {
      weight: everywhere({ amount: 1, unit: 'g' }),
    })
    const [entry] = await readAudit(shop.admin, records[0]!.id)
    assert.deepEqual(entry!.changes, [{ attributeAlias: 'color', scope: {}, oldValue: 'red', newValue: null }])
    assert.deepEqual(await readRecord(shop.admin, records[1]!.id), records[1])
  })

  it('of several options drops the one that went, and the value with the last of them', async () => {
    const { id, records } = await makeSchema(
      [tags({}, 'new', 'sale', 'eco')],
      { tags: everywhere(['eco', 'new', 'sale']) },
      { tags: everywhere(['new']) },
    )
    assert.equal((await put(id, [tags({}, 'sale', 'eco')], DROP)).status, 200)
    assert.deepEqual((await readRecord(shop.admin, records[0]!.id)).values, { tags: everywhere(['eco', 'sale']) })
    const [entry] = await readAudit(shop.admin, records[0]!.id)
    assert.deepEqual(entry!.changes, [
      { attributeAlias: 'tags', scope: {}, oldValue: ['eco', 'new', 'sale'], newValue: ['eco', 'sale'] },
    ])
    assert.deepEqual((await readRecord(shop.admin, records[1]!.id)).values, {})
  })

  it('is refused, and nothing is dropped, where what is left would not be unique', async () => {
    const unique = (...ids: string[]): object => tags({ unique: true }, ...ids)
    const { id, records } = await makeSchema(
      [unique('new', 'sale')],
      { tags: everywhere(['new', 'sale']) },
      { tags: everywhere(['sale']) },
      { tags: everywhere(['new']) },
    )
    assertRefused(await put(id, [unique('sale')], DROP), 'CONFLICT', 'tags', 'unique')
    for (const record of records) assert.deepEqual(await readRecord(shop.admin, record.id), record)
    const { body } = await send<RecordBody>(shop.admin, 'PUT', `/api/v1/records/${records[1]!.id}`, {
      values: { tags: [] },
    })
    assert.deepEqual(body.values, {})
    assert.equal((await put(id, [unique('sale')], DROP)).status, 200)
    const again = await send(shop.admin, 'POST', '/api/v1/records', {
      schemaId: id,
      values: { tags: everywhere(['sale']) },
    })
    assertRefused(again, 'CONFLICT', 'tags')
  })

  it('needs the right to write the attribute where values are dropped', async () => {
    const { id, records } = await makeSchema([color('red', 'blue')], { color: everywhere('red') })
    const modeller = await shop.clientWith(['model.write'], { attributePermissions: { [id]: { color: 'read' } } })
    const body = { name: 'S', attributes: [color('blue')] }
    assertRefused(await send(modeller, 'PUT', `/api/v1/schemas/${id}${DROP}`, body), 'PERMISSION_DENIED', 'color')
    assert.deepEqual(await readRecord(shop.admin, records[0]!.id), records[0])
  })
})

describe('A value that is stored already', () => {
  const strict = { alias: 'code', dataType: 'text', dimensionIds: ['language'], validation: { pattern: '^[0-9]+$' } }
  const number = { alias: 'stock', dataType: 'number', validation: { min: 10 } }
  let id: string
  let record: RecordBody
  const values: ValuesBody = { code: [{ scope: { language: 'de' }, value: 'abc' }], stock: everywhere(1) }

  before(async () => {
    const made = await makeSchema(
      [
        { ...strict, validation: {} },
        { ...number, validation: {} },
      ],
      values,
    )
    id = made.id
    record = made.records[0]!
    assert.equal((await put(id, [strict, number])).status, 200)
  })

  it('can be sent back by PUT and PATCH, with others that follow the rules', async () => {
    const path = `/api/v1/records/${record.id}`
    assert.equal((await send(shop.admin, 'PUT', path, { values })).status, 200)
    const more = [...values['code']!, { scope: { language: 'en' }, value: '12' }]
    assert.equal((await send(shop.admin, 'PATCH', `${path}/values/code`, { scopedValues: more })).status, 200)
    assert.deepEqual((await readRecord(shop.admin, record.id)).values['code'], more)
    assert.equal((await send(shop.admin, 'PUT', path, { values })).status, 200)
  })

  it('is unchanged for an import, as ndjson and as csv', async () => {
    assert.deepEqual(
      counts(await importFile(shop.admin, lines({ id: record.id, values }), 'mode=upsert')),
      [0, 0, 1, 0],
    )
    const csv = ['id,schemaId,code[language=de],stock', `${record.id},${id},abc,1`]
    assert.deepEqual(counts(await importCsv(shop.admin, csv, 'mode=upsert')), [0, 0, 1, 0])
    const other = ['id,schemaId,code[language=de],stock', `${record.id},${id},abd,1`]
    assert.deepEqual(counts(await importCsv(shop.admin, other, 'mode=upsert')), [0, 0, 0, 1])
  })

  it('is refused elsewhere: in another scope, in another record, and when it changes', async () => {
    const path = `/api/v1/records/${record.id}`
    const english = { code: [{ scope: { language: 'en' }, value: 'abc' }] }
    assertRefused(await send(shop.admin, 'PUT', path, { values: english }), 'VALIDATION_ERROR', 'values.code')
    assertRefused(
      await send(shop.admin, 'PUT', path, { values: { stock: everywhere(2) } }),
      'VALIDATION_ERROR',
      'stock',
    )
    const scopedValues = [{ scope: { language: 'de' }, value: 'abd' }]
    assertRefused(await send(shop.admin, 'PATCH', `${path}/values/code`, { scopedValues }), 'VALIDATION_ERROR', 'code')
    assertRefused(
      await send(shop.admin, 'POST', '/api/v1/records', { schemaId: id, values }),
      'VALIDATION_ERROR',
      'code',
    )
    assert.deepEqual((await readRecord(shop.admin, record.id)).values, values)
  })
})
