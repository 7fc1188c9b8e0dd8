import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { assertGuarded, assertNotFound } from '../../../helpers/ladder.ts'
import { make, startWorkspace, type Workspace } from '../../../helpers/shirts.ts'

interface SchemaBody {
  id: string
  name: string
  workflowId: string
  attributes: { alias: string; name: string }[]
  combinations: unknown
  createdAt: string
  updatedAt: string
}

const PATH = '/api/v1/schemas'
const title = { alias: 'title', dataType: 'text' }

let shop: Workspace
before(async () => {
  shop = await startWorkspace()
})
after(() => shop.stop())

const post = (body: unknown) => send<SchemaBody>(shop.admin, 'POST', PATH, body)
const put = (id: string, body: unknown) => send<SchemaBody>(shop.admin, 'PUT', `${PATH}/${id}`, body)
const read = (id: string) => send<SchemaBody>(shop.admin, 'GET', `${PATH}/${id}`)

describe('POST /api/v1/schemas', () => {
  it('needs model.write', () => assertGuarded(shop, { method: 'POST', path: PATH, body: { name: 'S' } }, 'model.write'))

  it('answers 201 with the schema and every default', async () => {
    const { status, body } = await post({ name: 'Bike', attributes: [title] })
    assert.equal(status, 201)
    const { id, createdAt, updatedAt, ...rest } = body
    assert.match(id, /^sch-[0-9a-z]{20,}$/)
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(updatedAt, createdAt)
    assert.deepEqual(rest, {
      name: 'Bike',
      workflowId: 'wf-default',
      combinations: null,
      attributes: [
        {
          ...title,
          name: 'title',
          description: '',
          dimensionIds: [],
          unique: false,
          requiredInStateIds: [],
          guard: null,
          validation: {},
          options: [],
          units: [],
          currencies: [],
        },
      ],
    })
    assert.deepEqual((await read(id)).body, body)
  })

  it('keeps an attribute of every data type with all that it says, hostile names included', async () => {
    const types =
      'text richText url number boolean date dateTime select multiSelect price measurement reference references json'
    const whole = {
      name: 'Name',
      description: 'Description',
      dimensionIds: ['constructor', 'language'],
      unique: true,
      requiredInStateIds: ['state-review'],
      validation: {
        minLength: 1,
        maxLength: 9,
        pattern: '^a',
        min: 0,
        max: 5,
        integer: true,
        maxDecimals: 2,
        maxItems: 3,
      },
      options: [{ id: 'constructor', name: 'Option' }],
      units: ['kg', 'm³'],
      currencies: ['EUR'],
    }
    const guard = {
      criteriaOperator: 'or',
      criteria: [
        { attributeAlias: 'text', operator: 'equals', value: 'x', scope: { constructor: 'toString' } },
        { attributeAlias: 'constructor', operator: 'isEmpty' },
      ],
    }
    const attributes = [
      ...types.split(' ').map((dataType) => ({ ...whole, guard: null, alias: dataType, dataType })),
      { ...whole, guard: null, alias: 'constructor', dataType: 'text' },
      { ...whole, guard, alias: 'toString', dataType: 'number' },
    ]
    const combinations: Record<string, string>[] = [
      {},
      { constructor: 'toString' },
      { constructor: 'valueOf', language: 'de' },
    ]
    const { status, body } = await post({ id: 'valueOf', name: 'All', attributes, combinations })
    assert.equal(status, 201)
    assert.deepEqual(body.attributes, attributes)
    assert.deepEqual(body.combinations, combinations)
    const again = await put('valueOf', body)
    assert.equal(again.status, 200)
    assert.deepEqual({ ...again.body, updatedAt: body.updatedAt }, body)
  })

  it('a duplicate ID is a CONFLICT that changes nothing', async () => {
    assertRefused(await post({ id: 'sch-shirt', name: 'Other' }), 'CONFLICT', 'Schema', 'sch-shirt')
    assert.equal((await read('sch-shirt')).body.name, 'Shirt')
  })

  it('refuses bad input, naming attribute and field', async () => {
    const guardOn = (criterion: object) => ({ guard: { criteriaOperator: 'and', criteria: [criterion] } })
    for (const [changes, ...named] of [
      [{ name: undefined }, 'name is required'],
      [{ id: 'a/b' }, 'id'],
      [{ workflowId: 'gone' }, 'workflowId', "'gone'"],
      [{ attributes: [{ dataType: 'text' }] }, 'attributes[0].alias is required'],
      [{ attributes: [{ ...title, alias: '__proto__' }] }, 'attributes[0].alias'],
      [{ attributes: [{ ...title, dataType: 'string' }] }, 'attributes[0].dataType'],
      [{ attributes: [title, title] }, "'title' occurs twice"],
      [{ attributes: [{ ...title, dimensionIds: ['gone'] }] }, "'title'", 'dimensionIds', "'gone'"],
      [{ attributes: [{ ...title, requiredInStateIds: ['gone'] }] }, "'title'", 'requiredInStateIds', "'gone'"],
      [{ attributes: [{ ...title, validation: { pattern: '(' } }] }, "'title'", 'validation.pattern'],
      [{ attributes: [{ ...title, validation: { pattern: '(a)\\1' } }] }, "'title'", 'validation.pattern'],
      [
        { attributes: [{ ...title, ...guardOn({ attributeAlias: 'gone', operator: 'isEmpty' }) }] },
        "'title'",
        'guard.criteria[0].attributeAlias',
        "'gone'",
      ],
      [
        { attributes: [{ ...title, ...guardOn({ attributeAlias: 'title', operator: 'isEmpty' }) }] },
        "'title'",
        'guard',
      ],
      [
        { attributes: [{ ...title, ...guardOn({ attributeAlias: 'x', operator: 'equals' }) }] },
        'attributes[0].guard.criteria[0].value is required',
      ],
      [{ combinations: [{ gone: 'x' }] }, 'combinations[0]', "'gone'"],
      [{ combinations: [{ language: 'xx' }] }, 'combinations[0]', "'xx'"],
    ] as const)
      assertRefused(await post({ name: 'S', attributes: [title], ...changes }), 'VALIDATION_ERROR', ...named)
  })
})

describe('GET /api/v1/schemas and GET /api/v1/schemas/:id', () => {
  it('needs model.read', async () => {
    await assertGuarded(shop, { method: 'GET', path: PATH }, 'model.read')
    await assertGuarded(shop, { method: 'GET', path: `${PATH}/sch-shirt` }, 'model.read')
  })

  it('lists schemas in the order of their creation', async () => {
    const { body } = await send<SchemaBody[]>(shop.viewer, 'GET', PATH)
    assert.deepEqual(
      body.slice(0, 2).map(({ id }) => id),
      ['sch-shirt', 'sch-plain'],
    )
  })

  it('an unknown schema is 404', () =>
    assertNotFound(shop.admin, 'Schema', (id) => ({ method: 'GET', path: `${PATH}/${id}` })))
})

describe('PUT /api/v1/schemas/:id', () => {
  it('needs model.write', () =>
    assertGuarded(shop, { method: 'PUT', path: `${PATH}/sch-shirt`, body: { name: 'S' } }, 'model.write'))

  it('an unknown schema is 404', () =>
    assertNotFound(shop.admin, 'Schema', (id) => ({ method: 'PUT', path: `${PATH}/${id}`, body: { name: 'S' } })))

  it('bad input is 400 and changes nothing', async () => {
    const { body } = await read('sch-plain')
    assertRefused(await put('sch-plain', { name: 'S', workflowId: 'gone' }), 'VALIDATION_ERROR', 'workflowId')
    assertRefused(await put('sch-plain', {}), 'VALIDATION_ERROR', 'name is required')
    const answer = await send(shop.admin, 'PUT', `${PATH}/sch-plain?dropValues=perhaps`, { name: 'S' })
    assertRefused(answer, 'VALIDATION_ERROR', 'dropValues')
    assert.deepEqual((await read('sch-plain')).body, body)
  })

  it('keeps ID and createdAt whatever the body says, and moves updatedAt', async () => {
    const made = await make<SchemaBody>(shop.admin, PATH, { name: 'Before', attributes: [title] })
    await new Promise((resolve) => setTimeout(resolve, 5))
    const { body } = await put(made.id, { id: 'other', createdAt: '1999-01-01T00:00:00.000Z', name: 'After' })
    assert.deepEqual([body.id, body.createdAt, body.name, body.attributes], [made.id, made.createdAt, 'After', []])
    assert.ok(body.updatedAt > made.updatedAt)
  })
})

describe('DELETE /api/v1/schemas/:id', () => {
  it('needs model.write', () => assertGuarded(shop, { method: 'DELETE', path: `${PATH}/sch-shirt` }, 'model.write'))

  it('an unknown schema is 404', () =>
    assertNotFound(shop.admin, 'Schema', (id) => ({ method: 'DELETE', path: `${PATH}/${id}` })))

  it('a schema that has records is kept, and goes when they are gone', async () => {
    const { id } = await make<SchemaBody>(shop.admin, PATH, { name: 'S' })
    const record = await make<{ id: string }>(shop.admin, '/api/v1/records', { schemaId: id, values: {} })
    assertRefused(await send(shop.admin, 'DELETE', `${PATH}/${id}`), 'CONFLICT', id, '1 record')
    await send(shop.admin, 'DELETE', `/api/v1/records/${record.id}`)
    assert.equal((await send(shop.admin, 'DELETE', `${PATH}/${id}`)).status, 204)
    assert.equal((await read(id)).status, 404)
  })
})
