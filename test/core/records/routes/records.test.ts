import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { CSV, importFile, lines, NDJSON } from '../../../helpers/importing.ts'
import {
  english,
  everywhere,
  german,
  makeShirt,
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

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('POST /api/v1/records', () => {
  it('answers 201 with the full record, in the initial state of its workflow', async () => {
    const values = { name: [english('Shirt'), german('Hemd')], weight: everywhere(0.2) }
    const { status, body } = await send<RecordBody>(shop.editor, 'POST', '/api/v1/records', {
      schemaId: 'sch-shirt',
      values,
    })
    assert.equal(status, 201)
    const { id, createdAt, updatedAt, createdBy, updatedBy, ...rest } = body
    assert.deepEqual(rest, { schemaId: 'sch-shirt', parentId: null, lifecycleStateId: 'state-draft', values })
    assert.match(id, /^ent-[0-9a-z]{20,}$/)
    assert.match(createdAt, ISO)
    assert.equal(updatedAt, createdAt)
    const me = await send<{ id: string }>(shop.editor, 'GET', '/api/v1/me')
    assert.deepEqual([createdBy, updatedBy], [me.body.id, me.body.id])
  })

  it('generates a unique id where the client gives none', async () => {
    const records = await Promise.all(Array.from({ length: 20 }, () => makeShirt(shop.admin, {})))
    assert.equal(new Set(records.map((record) => record.id)).size, 20)
  })

  it('refuses an id that means something else in paths and filters, naming id', async () => {
    for (const id of ['none', 'batch', 'import', 'validate', 'deleted', 'suggest']) {
      const values = {}
      const answer = await send(shop.admin, 'POST', '/api/v1/records', { id, schemaId: 'sch-plain', values })
      assertRefused(answer, 'VALIDATION_ERROR', 'id must not be one of', id)
      for (const mode of ['create', 'upsert'])
        for (const [type, text] of [
          [NDJSON, lines({ id, schemaId: 'sch-plain', values })],
          [CSV, `id,schemaId\n${id},sch-plain\n`],
        ] as const) {
          const result = await importFile(shop.admin, text, `mode=${mode}`, type)
          assert.match(result.errors[0]!.message, /^id must not be one of/)
        }
    }
    assert.equal((await makeShirt(shop.admin, {}, { id: 'None' })).id, 'None')
  })

  it('takes an id from the client, and a duplicate is a CONFLICT that names it and changes nothing', async () => {
    await makeShirt(shop.admin, { weight: everywhere(1) }, { id: 'my.Shirt~1_a-b' })
    const again = { id: 'my.Shirt~1_a-b', schemaId: 'sch-shirt', values: { weight: everywhere(2) } }
    assertRefused(await send(shop.admin, 'POST', '/api/v1/records', again), 'CONFLICT', 'my.Shirt~1_a-b', 'exists')
    assert.deepEqual((await readRecord(shop.admin, 'my.Shirt~1_a-b')).values, { weight: everywhere(1) })
  })

  it('an id that is none is refused, naming the field', async () => {
    for (const id of ['', '-a', '__proto__', 'a b', 'a/b', 'ä', 'x'.repeat(129), 7]) {
      const answer = await send(shop.admin, 'POST', '/api/v1/records', { id, schemaId: 'sch-plain', values: {} })
      assertRefused(answer, 'VALIDATION_ERROR', 'id')
    }
  })

  it('ids called like members of Object are ids like others', async () => {
    for (const id of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
      await makeShirt(shop.admin, { weight: everywhere(5) }, { id })
      assert.equal((await readRecord(shop.admin, id)).id, id)
      assert.equal((await send(shop.admin, 'DELETE', `/api/v1/records/${id}`)).status, 204)
    }
  })

  it('schemaId and values are required', async () => {
    const withoutSchema = await send(shop.admin, 'POST', '/api/v1/records', { values: {} })
    assertRefused(withoutSchema, 'VALIDATION_ERROR', 'schemaId')
    const withoutValues = await send(shop.admin, 'POST', '/api/v1/records', { schemaId: 'sch-shirt' })
    assertRefused(withoutValues, 'VALIDATION_ERROR', 'values')
  })

  it('values of another shape than a map of alias to scoped values are refused, naming what is wrong', async () => {
    const wrong: [unknown, string][] = [
      [null, 'values'],
      [[], 'values'],
      ['text', 'values'],
      [{ name: 'Shirt' }, 'values.name'],
      [{ name: ['Shirt'] }, 'values.name[0]'],
      [{ name: [{ value: 'Shirt' }] }, 'values.name[0].scope'],
      [{ name: [{ scope: [], value: 'Shirt' }] }, 'values.name[0].scope'],
      [{ name: [{ scope: { language: 'en' } }] }, 'values.name[0].value'],
    ]
    for (const [values, field] of wrong) {
      const answer = await send(shop.admin, 'POST', '/api/v1/records', { schemaId: 'sch-shirt', values })
      assertRefused(answer, 'VALIDATION_ERROR', field)
    }
  })

  it('an unknown schema is refused, naming it', async () => {
    for (const schemaId of ['sch-none', 'constructor', '__proto__']) {
      const answer = await send(shop.admin, 'POST', '/api/v1/records', { schemaId, values: {} })
      assertRefused(answer, 'VALIDATION_ERROR', 'schemaId', schemaId)
    }
  })

  it('an attribute that the schema does not define is refused, naming it', async () => {
    for (const alias of ['size', 'hasOwnProperty', '__proto__']) {
      const body = `{"schemaId":"sch-shirt","values":{"${alias}":[{"scope":{},"value":"L"}]}}`
      assertRefused(await send(shop.admin, 'POST', '/api/v1/records', JSON.parse(body)), 'VALIDATION_ERROR', alias)
    }
  })

  it('attributes, dimensions and segments called like members of Object keep their values', async () => {
    const values: ValuesBody = {
      constructor: [
        { scope: { constructor: 'toString' }, value: 'one' },
        { scope: {}, value: 'two' },
      ],
      toString: everywhere('three'),
    }
    const { id } = await makeShirt(shop.admin, values)
    assert.deepEqual((await readRecord(shop.admin, id)).values, values)
  })

  it('null means no value and is not stored; empty text is stored', async () => {
    const { id, values } = await makeShirt(shop.admin, {
      name: [english(null), german('')],
      weight: everywhere(null),
      color: [],
    })
    assert.deepEqual(values, { name: [german('')] })
    assert.deepEqual((await readRecord(shop.admin, id)).values, values)
  })

  it('a reference must name a record that exists', async () => {
    const post = (recordId: string) =>
      send(shop.admin, 'POST', '/api/v1/records', { schemaId: 'sch-shirt', values: { related: everywhere(recordId) } })
    assertRefused(await post('ent-none'), 'VALIDATION_ERROR', 'related', 'ent-none')
    const other = await makeShirt(shop.admin, {})
    assert.equal((await post(other.id)).status, 201)
  })

  it('unknown fields of the body are ignored', async () => {
    const record = await makeShirt(shop.admin, {}, { createdAt: 'never', lifecycleStateId: 'state-published', x: 1 })
    assert.equal(record.lifecycleStateId, 'state-draft')
    assert.match(record.createdAt, ISO)
  })
})

describe('GET /api/v1/records/:id', () => {
  it('answers the full record as it was created', async () => {
    const created = await makeShirt(shop.admin, { name: [english('"quoted" \\ \u2028 \0 😀')], extra: everywhere([1]) })
    assert.deepEqual(await readRecord(shop.viewer, created.id), created)
  })

  it('an unknown id is NOT_FOUND, naming the type of the resource and the id', async () => {
    for (const id of ['ent-none', 'constructor', '__proto__', "a'--", 'ent-ü', '..%2f..']) {
      const answer = await send(shop.admin, 'GET', `/api/v1/records/${encodeURIComponent(id)}`)
      assertRefused(answer, 'NOT_FOUND', 'Record', id)
    }
  })
})

describe('PUT /api/v1/records/:id', () => {
  it('replaces the whole set of scoped values of each attribute in the body, and leaves the others', async () => {
    const { id } = await makeShirt(shop.admin, {
      name: [english('Shirt'), german('Hemd')],
      weight: everywhere(1),
      color: everywhere('red'),
    })
    const answer = await send<RecordBody>(shop.admin, 'PUT', `/api/v1/records/${id}`, {
      values: { name: [german('Oberhemd')], color: [] },
    })
    assert.equal(answer.status, 200)
    const expected = { name: [german('Oberhemd')], weight: everywhere(1) }
    assert.deepEqual(answer.body.values, expected)
    assert.deepEqual((await readRecord(shop.admin, id)).values, expected)
  })

  it('answers id, schemaId, lifecycleStateId, updatedAt, updatedBy and all values', async () => {
    const created = await makeShirt(shop.admin, { weight: everywhere(1) })
    const { body } = await send<RecordBody>(shop.editor, 'PUT', `/api/v1/records/${created.id}`, { values: {} })
    assert.deepEqual(Object.keys(body).sort(), [
      'id',
      'lifecycleStateId',
      'schemaId',
      'updatedAt',
      'updatedBy',
      'values',
    ])
    assert.deepEqual(body.values, { weight: everywhere(1) })
    const now = await readRecord(shop.admin, created.id)
    assert.deepEqual([now.updatedAt, now.updatedBy], [body.updatedAt, body.updatedBy])
    assert.notEqual(body.updatedBy, created.createdBy)
    assert.deepEqual([now.createdAt, now.createdBy], [created.createdAt, created.createdBy])
  })

  it('takes what GET answered', async () => {
    const created = await makeShirt(shop.admin, { name: [english('Shirt')], weight: everywhere(1) })
    const answer = await send<RecordBody>(shop.admin, 'PUT', `/api/v1/records/${created.id}`, created)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body.values, created.values)
  })

  it('a record may be sent back with a reference to a record that was deleted since', async () => {
    const target = await makeShirt(shop.admin, {})
    const { id, values } = await makeShirt(shop.admin, { related: everywhere(target.id) })
    await send(shop.admin, 'DELETE', `/api/v1/records/${target.id}`)
    assert.deepEqual((await readRecord(shop.admin, id)).values, values)
    assert.equal((await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values })).status, 200)
    const moved = await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: { related: everywhere('ent-x') } })
    assertRefused(moved, 'VALIDATION_ERROR', 'related', 'ent-x')
  })

  it('an invalid value changes nothing, whatever else the body carries', async () => {
    const { id, values } = await makeShirt(shop.admin, { weight: everywhere(1) })
    const update = { values: { weight: everywhere(2), color: everywhere('green') } }
    assertRefused(await send(shop.admin, 'PUT', `/api/v1/records/${id}`, update), 'VALIDATION_ERROR', 'values.color')
    assert.deepEqual((await readRecord(shop.admin, id)).values, values)
  })

  it('values are required', async () => {
    const { id } = await makeShirt(shop.admin, {})
    assertRefused(await send(shop.admin, 'PUT', `/api/v1/records/${id}`, {}), 'VALIDATION_ERROR', 'values')
  })

  it('an unknown record is NOT_FOUND, also with values that no schema could take', async () => {
    const answer = await send(shop.admin, 'PUT', '/api/v1/records/ent-none', { values: { nothing: 1 } })
    assertRefused(answer, 'NOT_FOUND', 'Record', 'ent-none')
  })
})

describe('PATCH /api/v1/records/:id/values/:attr', () => {
  it('replaces only the scoped values of the attribute, and answers id, schemaId, updatedAt and its values', async () => {
    const { id } = await makeShirt(shop.admin, { name: [english('Shirt')], weight: everywhere(1) })
    const answer = await send<RecordBody>(shop.admin, 'PATCH', `/api/v1/records/${id}/values/name`, {
      scopedValues: [german('Hemd')],
    })
    const now = await readRecord(shop.admin, id)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, {
      id,
      schemaId: 'sch-shirt',
      updatedAt: now.updatedAt,
      values: { name: [german('Hemd')] },
    })
    assert.deepEqual(now.values, { weight: everywhere(1), name: [german('Hemd')] })
  })

  it('an empty array clears the attribute', async () => {
    const { id } = await makeShirt(shop.admin, { name: [english('Shirt')], weight: everywhere(1) })
    const { body } = await send<RecordBody>(shop.admin, 'PATCH', `/api/v1/records/${id}/values/name`, {
      scopedValues: [],
    })
    assert.deepEqual(body.values, { name: [] })
    assert.deepEqual((await readRecord(shop.admin, id)).values, { weight: everywhere(1) })
  })

  it('an attribute called constructor is patched like others', async () => {
    const { id } = await makeShirt(shop.admin, {})
    const { body } = await send<RecordBody>(shop.admin, 'PATCH', `/api/v1/records/${id}/values/constructor`, {
      scopedValues: everywhere('x'),
    })
    assert.deepEqual(Object.entries(body.values), [['constructor', everywhere('x')]])
    assert.deepEqual(Object.entries((await readRecord(shop.admin, id)).values), [['constructor', everywhere('x')]])
  })

  it('an alias that the schema does not define is refused, naming it', async () => {
    const { id } = await makeShirt(shop.admin, {})
    for (const alias of ['size', '__proto__', 'valueOf']) {
      const answer = await send(shop.admin, 'PATCH', `/api/v1/records/${id}/values/${alias}`, { scopedValues: [] })
      assertRefused(answer, 'VALIDATION_ERROR', alias)
    }
  })

  it('scopedValues are required, and what is wrong with them is named', async () => {
    const { id } = await makeShirt(shop.admin, {})
    const path = `/api/v1/records/${id}/values/weight`
    assertRefused(await send(shop.admin, 'PATCH', path, {}), 'VALIDATION_ERROR', 'scopedValues')
    assertRefused(await send(shop.admin, 'PATCH', path, { scopedValues: 5 }), 'VALIDATION_ERROR', 'scopedValues')
    const negative = await send(shop.admin, 'PATCH', path, { scopedValues: everywhere(-1) })
    assertRefused(negative, 'VALIDATION_ERROR', 'weight', 'scopedValues[0].value')
    assert.deepEqual((await readRecord(shop.admin, id)).values, {})
  })

  it('an unknown record is NOT_FOUND', async () => {
    const answer = await send(shop.admin, 'PATCH', '/api/v1/records/ent-none/values/size', { scopedValues: [] })
    assertRefused(answer, 'NOT_FOUND', 'Record', 'ent-none')
  })
})

describe('DELETE /api/v1/records/:id', () => {
  it('answers 204 without a body, and the record is gone for good', async () => {
    const { id } = await makeShirt(shop.admin, { sku: everywhere('GONE-1') })
    const answer = await send(shop.admin, 'DELETE', `/api/v1/records/${id}`)
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assertRefused(await send(shop.admin, 'GET', `/api/v1/records/${id}`), 'NOT_FOUND', id)
    assertRefused(await send(shop.admin, 'DELETE', `/api/v1/records/${id}`), 'NOT_FOUND', id)
  })

  it('lets others read while it deletes many variants', async () => {
    const parent = { id: 'shirt-many', schemaId: 'sch-shirt', values: {} }
    const variants = Array.from({ length: 2000 }, (_, n) => ({ ...parent, id: `many-${n}`, parentId: 'shirt-many' }))
    await importFile(shop.admin, lines(parent, ...variants), '', NDJSON)
    let isDone = false
    const deleting = send(shop.admin, 'DELETE', '/api/v1/records/shirt-many').finally(() => (isDone = true))
    let reads = 0
    while (!isDone) {
      await send(shop.admin, 'GET', '/api/v1/schemas/sch-shirt')
      reads += 1
    }
    assert.equal((await deleting).status, 204)
    assert.ok(reads > 5, `${reads} reads`)
    assertRefused(await send(shop.admin, 'GET', '/api/v1/records/many-1999'), 'NOT_FOUND')
  })

  it('frees the unique values and the id of the record', async () => {
    await makeShirt(shop.admin, { sku: everywhere('FREE-1') }, { id: 'shirt-free' })
    await send(shop.admin, 'DELETE', '/api/v1/records/shirt-free')
    await makeShirt(shop.admin, { sku: everywhere('FREE-1') }, { id: 'shirt-free' })
  })
})
