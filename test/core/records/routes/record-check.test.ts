// All that is wrong with values, before they are written. Contract 3 §2.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import type { Client } from '../../../helpers/client.ts'
import {
  complete,
  type CompletenessBody,
  english,
  everywhere,
  german,
  make,
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

interface Issue {
  attributeAlias: string
  scope: object
  code: string
  message: string
}
interface Checked {
  issues: Issue[]
  completeness: Omit<CompletenessBody, 'entityId'> & { entityId: string | null }
}

const ask = (body: object, client: Client = shop.admin) =>
  send<Checked>(client, 'POST', '/api/v1/records/validate', body)

async function check(body: object, client: Client = shop.admin): Promise<Checked> {
  const answer = await ask(body, client)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const newShirt = (values: object, more: object = {}) => ({ schemaId: 'sch-shirt', values, ...more })
const codes = ({ issues }: Checked) => issues.map(({ attributeAlias, code }) => `${attributeAlias} ${code}`)
const inDraft = { stateId: 'state-draft' }

describe('POST /api/v1/records/validate', () => {
  it('says all that is wrong, and not only the first, with attribute, scope and code', async () => {
    await makeShirt(shop.admin, { sku: everywhere('TAKEN') })
    const values = {
      name: [english('Shirt'), german(1)],
      sku: everywhere('TAKEN'),
      weight: everywhere(-1),
      color: everywhere('green'),
      related: everywhere('nobody'),
      price: [{ scope: { language: 'de' }, value: null }],
      toString: everywhere('x'),
    }
    const { issues } = await check(newShirt(values, inDraft))
    assert.deepEqual(
      issues.map(({ message: _message, ...issue }) => issue),
      [
        { attributeAlias: 'name', scope: { language: 'de' }, code: 'type' },
        { attributeAlias: 'weight', scope: {}, code: 'range' },
        { attributeAlias: 'color', scope: {}, code: 'option' },
        { attributeAlias: 'price', scope: {}, code: 'scope' },
        { attributeAlias: 'related', scope: {}, code: 'reference' },
        { attributeAlias: 'sku', scope: {}, code: 'unique' },
      ],
    )
    assert.equal(issues[0]!.message, 'values.name[1].value must be a string')
  })

  it('writes nothing', async () => {
    const { id } = await makeShirt(shop.admin, { name: [english('Shirt')] })
    await check({ id, values: { name: [english('Blouse')] } })
    await check(newShirt(complete, { id: 'never-made' }))
    assert.deepEqual((await readRecord(shop.admin, id)).values, { name: [english('Shirt')] })
    assert.equal((await readAudit(shop.admin, id)).length, 1)
    assert.equal((await send(shop.admin, 'GET', '/api/v1/records/never-made')).status, 404)
  })

  it('patch, which is the default, leaves other scopes, put replaces the attribute', async () => {
    const { id } = await makeShirt(shop.admin, complete)
    const values = { name: [english('Blouse')] }
    assert.equal((await check({ id, values })).completeness.percentage, 100)
    const { issues, completeness } = await check({ id, values, mode: 'put', stateId: 'state-review' })
    const missing = { attributeAlias: 'name', scope: { language: 'de' } }
    assert.deepEqual(completeness, {
      entityId: id,
      lifecycleStateId: 'state-review',
      filled: 1,
      total: 2,
      percentage: 50,
      missing: [missing],
    })
    assert.deepEqual(issues, [{ ...missing, code: 'required', message: issues[0]!.message }])
    assert.deepEqual(codes(await check({ id, values: { name: [german(null)] }, stateId: 'state-review' })), [
      'name required',
    ])
  })

  it('asks by default for the state that the record has to be complete for next', async () => {
    const { id } = await makeShirt(shop.admin, {})
    assert.equal((await check({ id, values: {} })).completeness.lifecycleStateId, 'state-draft')
    await send(shop.admin, 'POST', `/api/v1/records/${id}/transition`, { transitionId: 'tr-submit' })
    assert.equal((await check({ id, values: {} })).completeness.lifecycleStateId, 'state-published')
    assert.equal((await check(newShirt({}))).completeness.lifecycleStateId, 'state-draft')
  })

  it('what is given and at fault is not said to be required besides', async () => {
    const answer = await check(newShirt({ name: [english(1)] }, { stateId: 'state-review' }))
    assert.deepEqual(codes(answer), ['name type', 'name required'])
    assert.deepEqual(answer.issues[1]!.scope, { language: 'de' })
    assert.equal(answer.completeness.missing.length, 2)
  })

  it('a variant is complete by what it inherits, and has no other parent than one that fits', async () => {
    const parent = await makeShirt(shop.admin, complete)
    const { completeness } = await check(newShirt({}, { parentId: parent.id, stateId: 'state-published' }))
    assert.deepEqual([completeness.entityId, completeness.percentage], [null, 100])
    const variant = await makeShirt(shop.admin, {}, { parentId: parent.id })
    assert.equal((await check({ id: variant.id, values: {}, stateId: 'state-published' })).completeness.percentage, 100)
    assertRefused(await ask(newShirt({}, { parentId: variant.id })), 'VALIDATION_ERROR', 'parentId')
    assertRefused(await ask({ id: variant.id, parentId: null, values: {} }), 'VALIDATION_ERROR', 'parentId')
  })

  it("the record's own unique value and what it holds already are no issues", async () => {
    const { id } = await makeShirt(shop.admin, { sku: everywhere('OWN-1'), related: everywhere('') })
    assert.deepEqual(codes(await check({ id, values: { sku: everywhere('OWN-1') }, ...inDraft })), [])
    assert.deepEqual(codes(await check({ id, values: { related: everywhere(id) }, ...inDraft })), [])
  })

  it('refuses what is no question: no such record, schema, state or mode, and values that are no map', async () => {
    assertRefused(await ask({ id: 'nobody', values: {} }), 'NOT_FOUND', 'nobody')
    assertRefused(await ask({ values: {} }), 'VALIDATION_ERROR', 'schemaId')
    assertRefused(await ask({ schemaId: 'sch-none', values: {} }), 'VALIDATION_ERROR', 'sch-none')
    assertRefused(await ask(newShirt({}, { stateId: 'state-none' })), 'VALIDATION_ERROR', 'state-none')
    assertRefused(await ask(newShirt({}, { mode: 'both' })), 'VALIDATION_ERROR', 'mode')
    assertRefused(await ask({ schemaId: 'sch-shirt' }), 'VALIDATION_ERROR', 'values')
    for (const id of ['none', '-1', '']) assertRefused(await ask(newShirt({}, { id })), 'VALIDATION_ERROR', 'id')
    const { id } = await makeShirt(shop.admin, {})
    assertRefused(await ask({ id, schemaId: 'sch-plain', values: {} }), 'VALIDATION_ERROR', 'schemaId')
  })

  it('names a thousand issues at most', async () => {
    const values = Object.fromEntries(Array.from({ length: 1200 }, (_, index) => [`no${index}`, []]))
    assert.equal((await check(newShirt(values))).issues.length, 1000)
  })
})

describe('What a check tells a role', () => {
  it('of an attribute that it may not read: only that it may not write it', async () => {
    const hidden = { scope: {}, value: { amount: 1, currency: 'EUR' } }
    const { id } = await makeShirt(shop.admin, { price: [hidden], lifecycleState: everywhere('x') })
    for (const price of [[hidden], everywhere(1), 'x', []])
      assert.deepEqual(codes(await check({ id, values: { price }, stateId: 'state-published' }, shop.clerk)), [
        'price permission',
        'name required',
        'name required',
      ])
    const { completeness } = await check({ id, values: {}, stateId: 'state-published' }, shop.clerk)
    assert.deepEqual(new Set(completeness.missing.map(({ attributeAlias }) => attributeAlias)), new Set(['name']))
  })

  it('unique values of an attribute that it may not read stay unknown', async () => {
    const clerk = await shop.clientWith(['records.read'], { attributePermissions: { 'sch-shirt': { sku: 'none' } } })
    await makeShirt(shop.admin, { sku: everywhere('SECRET') })
    const of = async (sku: string) => (await check(newShirt({ sku: everywhere(sku) }, inDraft), clerk)).issues
    assert.deepEqual(await of('SECRET'), await of('FREE'))
    assert.deepEqual(codes({ issues: await of('SECRET') } as Checked), ['sku permission'])
  })

  it('an attribute that it may read and not write is checked all the same', async () => {
    const answer = await check(newShirt({ sku: everywhere('a b') }, inDraft), shop.clerk)
    assert.deepEqual(codes(answer), ['sku permission', 'sku pattern'])
  })
})

it('A check that may be long is scored in a reader thread, with the same answer', async () => {
  const segments = (letter: string, length: number) =>
    Array.from({ length }, (_, index) => ({ id: `${letter}${index}` }))
  await make(shop.admin, '/api/v1/dimensions', { id: 'row', name: 'Row', segments: segments('r', 100) })
  await make(shop.admin, '/api/v1/dimensions', { id: 'column', name: 'Column', segments: segments('c', 60) })
  const requiredInStateIds = ['state-draft']
  const attributes = [
    { alias: 'wide', dataType: 'text', dimensionIds: ['row', 'column'], requiredInStateIds },
    { alias: 'last', dataType: 'text', requiredInStateIds },
  ]
  await make(shop.admin, '/api/v1/schemas', { id: 'sch-long', name: 'Long', attributes })
  const parent = await make<RecordBody>(shop.admin, '/api/v1/records', {
    schemaId: 'sch-long',
    values: { wide: [{ scope: { row: 'r0' }, value: 'x' }] },
  })
  const wide = [{ scope: { row: 'r1' }, value: 1 }]
  const { issues, completeness } = await check({ schemaId: 'sch-long', parentId: parent.id, values: { wide } })
  assert.deepEqual([completeness.filled, completeness.total, completeness.missing.length], [60, 6001, 1000])
  assert.deepEqual(completeness.missing[0], { attributeAlias: 'wide', scope: { row: 'r1', column: 'c0' } })
  assert.deepEqual([issues.length, issues[0]!.code, issues[1]!.scope], [1000, 'type', { row: 'r2', column: 'c0' }])
})
