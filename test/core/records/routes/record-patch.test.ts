// Changes of a record scope by scope, and what a client expects to be stored.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import {
  english,
  everywhere,
  german,
  makeShirt,
  readAudit,
  readRecord,
  type RecordBody,
  startWorkspace,
  type Workspace,
} from '../../../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
})
after(() => shop.stop())

const patch = (id: string, body: object, headers: Record<string, string> = {}) =>
  send<RecordBody>(shop.admin, 'PATCH', `/api/v1/records/${id}`, body, headers)

describe('PATCH /api/v1/records/:id', () => {
  it('replaces the value of the same scope, adds that of another, and leaves other scopes and attributes', async () => {
    const { id } = await makeShirt(shop.admin, { name: [english('Shirt'), german('Hemd')], weight: everywhere(1) })
    const answer = await patch(id, { values: { name: [german('Bluse'), { scope: {}, value: 'Chemise' }] } })
    assert.equal(answer.status, 200)
    const values = {
      name: [english('Shirt'), german('Bluse'), { scope: {}, value: 'Chemise' }],
      weight: everywhere(1),
    }
    assert.deepEqual(answer.body.values, values)
    assert.deepEqual((await readRecord(shop.admin, id)).values, values)
    assert.deepEqual(Object.keys(answer.body).sort(), [
      'id',
      'lifecycleStateId',
      'schemaId',
      'updatedAt',
      'updatedBy',
      'values',
    ])
    const [entry] = await readAudit(shop.admin, id)
    assert.deepEqual(entry!.changes, [
      { attributeAlias: 'name', scope: { language: 'de' }, oldValue: 'Hemd', newValue: 'Bluse' },
      { attributeAlias: 'name', scope: {}, oldValue: null, newValue: 'Chemise' },
    ])
    assert.equal(answer.headers.get('etag'), `"${entry!.version}"`)
  })

  it('null as a value removes that of the scope, and the attribute with its last one', async () => {
    const { id } = await makeShirt(shop.admin, { name: [english('Shirt'), german('Hemd')] })
    await patch(id, { values: { name: [german(null)] } })
    assert.deepEqual((await readRecord(shop.admin, id)).values, { name: [english('Shirt')] })
    await patch(id, { values: { name: [english(null), german(null)] } })
    assert.deepEqual((await readRecord(shop.admin, id)).values, {})
  })

  it('that changes nothing is a change all the same', async () => {
    const { id } = await makeShirt(shop.admin, { name: [english('Shirt')] })
    await patch(id, { values: {} })
    await patch(id, { values: { name: [] } })
    assert.deepEqual((await readRecord(shop.admin, id)).values, { name: [english('Shirt')] })
    assert.equal((await readAudit(shop.admin, id)).length, 3)
  })

  it('checks values as PUT does, and keeps to If-Match', async () => {
    const { id } = await makeShirt(shop.admin, { name: [english('Shirt')] })
    assertRefused(await patch(id, { values: { name: [english(1)] } }), 'VALIDATION_ERROR', 'values.name[0].value')
    assertRefused(await patch(id, { values: { none: [] } }), 'VALIDATION_ERROR', 'values.none')
    assertRefused(
      await patch(id, { values: { name: [english('a'), english('b')] } }),
      'VALIDATION_ERROR',
      'values.name[1].scope',
    )
    assertRefused(await patch(id, {}), 'VALIDATION_ERROR', 'values')
    assertRefused(await patch(id, { values: {} }, { 'If-Match': '"0"' }), 'PRECONDITION_FAILED')
    assertRefused(await patch('none-such', { values: {} }), 'NOT_FOUND', 'none-such')
    assert.equal((await readAudit(shop.admin, id)).length, 1)
  })

  it('of two writers who change different scopes at once, neither loses what it wrote', async () => {
    const { id } = await makeShirt(shop.admin, {})
    const write = async (of: (value: unknown) => object): Promise<void> => {
      for (let round = 0; round < 50; round += 1) await patch(id, { values: { name: [of(`round ${round}`)] } })
    }
    await Promise.all([write(english), write(german)])
    const { values } = await readRecord(shop.admin, id)
    assert.deepEqual(new Set(values['name']), new Set([english('round 49'), german('round 49')]))
    assert.equal((await readAudit(shop.admin, id)).length, 101)
  })
})

describe('What a client expects', () => {
  const expecting = (id: string, ...expect: object[]) => patch(id, { values: { weight: everywhere(2) }, expect })

  it('lets the change go ahead where it is what is stored, also nothing', async () => {
    const { id } = await makeShirt(shop.admin, { name: [english('Shirt')], weight: everywhere(1) })
    const answer = await expecting(
      id,
      { attributeAlias: 'name', ...english('Shirt') },
      { attributeAlias: 'name', ...german(null) },
      { attributeAlias: 'weight', scope: {}, value: 1 },
    )
    assert.equal(answer.status, 200)
  })

  it('refuses it with the attribute and scope of the first that is not, and changes nothing', async () => {
    const { id } = await makeShirt(shop.admin, { name: [english('Shirt')], weight: everywhere(1) })
    const seen = { attributeAlias: 'weight', scope: {}, value: 1 }
    const other = { attributeAlias: 'name', ...english('Blouse') }
    assertRefused(await expecting(id, seen, other), 'PRECONDITION_FAILED', "'name'", 'language=en')
    assertRefused(await expecting(id, { attributeAlias: 'name', ...english(null) }), 'PRECONDITION_FAILED', "'name'")
    assertRefused(await expecting(id, { attributeAlias: 'name', ...german('x') }), 'PRECONDITION_FAILED', 'language=de')
    assert.equal((await readAudit(shop.admin, id)).length, 1)
  })

  it('names attributes and scopes that exist, with a value', async () => {
    const { id } = await makeShirt(shop.admin, {})
    const wrong: [object | string, string][] = [
      [{ attributeAlias: 'none', scope: {}, value: 1 }, 'expect[0].attributeAlias'],
      [{ scope: {}, value: 1 }, 'expect[0].attributeAlias'],
      [{ attributeAlias: 'weight', scope: { language: 'de' }, value: 1 }, 'expect[0].scope'],
      [{ attributeAlias: 'weight', scope: {} }, 'expect[0].value'],
      ['weight', 'expect[0]'],
    ]
    for (const [item, named] of wrong) assertRefused(await expecting(id, item as object), 'VALIDATION_ERROR', named)
    assertRefused(await patch(id, { values: {}, expect: {} }), 'VALIDATION_ERROR', 'expect')
    const many = Array.from({ length: 1001 }, () => ({ attributeAlias: 'weight', scope: {}, value: null }))
    assertRefused(await expecting(id, ...many), 'VALIDATION_ERROR', 'at most 1000')
  })
})
