// What a search answers of each record, over HTTP. Contract 3 §1, 3 §10, 3 §11.
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
  type RecordBody,
  startWorkspace,
  type ValuesBody,
  type Workspace,
} from '../../../helpers/shirts.ts'

interface ItemCompleteness extends Omit<CompletenessBody, 'entityId' | 'lifecycleStateId'> {
  stateId: string
  combinations?: { scope: Record<string, string>; filled: number; total: number; percentage: number }[]
}
interface Item extends RecordBody {
  version?: number
  variantCount?: number
  categories?: { entityId: string; categoryId: string; sortOrder: number }[]
  resolved?: Record<string, unknown>
  effectiveValues?: ValuesBody
  completeness?: ItemCompleteness
}

const ALL = ['completeness', 'effectiveValues', 'categories', 'variantCount', 'version']

let shop: Workspace

before(async () => {
  shop = await startWorkspace()
  const { admin } = shop
  await makeShirt(admin, complete, { id: 'shirt' })
  await makeShirt(admin, { name: [german('Hemd rot')], color: everywhere('red') }, { id: 'red', parentId: 'shirt' })
  await makeShirt(admin, { onSale: everywhere(true), name: [english('Sock')] }, { id: 'sock' })
  const moved = await send(admin, 'POST', '/api/v1/records/sock/transition', { transitionId: 'tr-submit' })
  assert.equal(moved.status, 200, moved.text)
  await make(admin, '/api/v1/records', { id: 'plain', schemaId: 'sch-plain', values: { title: everywhere('T') } })
  await make(admin, '/api/v1/catalogs', { id: 'web', name: 'Web' })
  for (const id of ['men', 'new']) await make(admin, '/api/v1/catalogs/web/categories', { id, name: id })
  const places = [
    { categoryId: 'new', sortOrder: 2 },
    { categoryId: 'men', sortOrder: 1 },
  ]
  assert.equal((await send(admin, 'PUT', '/api/v1/records/shirt/categories', places)).status, 200)
})
after(() => shop.stop())

const ask = (body: object, client: Client = shop.admin) =>
  send<Item[]>(client, 'POST', '/api/v1/search', { criteria: [], criteriaOperator: 'and', ...body })

async function search(body: object, client?: Client): Promise<Item[]> {
  const answer = await ask(body, client)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
async function read<Body>(path: string, client: Client = shop.admin): Promise<Body> {
  const answer = await send<Body>(client, 'GET', `/api/v1/records/${path}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

describe('POST /api/v1/search, each item', () => {
  it('has the values that are selected, or none, or all', async () => {
    const [shirt, , sock] = await search({ select: ['name', 'onSale'] })
    assert.deepEqual(Object.keys(shirt!.values), ['name'])
    assert.deepEqual(Object.keys(sock!.values).sort(), ['name', 'onSale'])
    for (const { values } of await search({ select: [] })) assert.deepEqual(values, {})
    assert.deepEqual((await search({}))[0], await read('shirt'))
  })

  it('is the record with what is included, and nothing else', async () => {
    const whole = await search({ include: ALL })
    for (const item of whole) {
      const { completeness, effectiveValues, categories, variantCount, version, ...record } = item
      const answer = await send<RecordBody>(shop.admin, 'GET', `/api/v1/records/${item.id}`)
      assert.deepEqual(record, answer.body)
      assert.equal(`"${version}"`, answer.headers.get('etag'))
      assert.deepEqual(categories, await read(`${item.id}/categories`))
      assert.equal(variantCount, item.id === 'shirt' ? 1 : 0)
      assert.ok(completeness !== undefined && effectiveValues !== undefined)
    }
    const [only] = await search({ include: ['version'] })
    assert.deepEqual(Object.keys(only!).sort(), [...Object.keys(await read<object>('shirt')), 'version'].sort())
  })

  it('has the completeness that GET tells, without IDs, for the state that it has to be complete for next', async () => {
    for (const client of [shop.admin, shop.clerk]) {
      for (const item of await search({ include: ['completeness'] }, client)) {
        const { stateId, ...score } = item.completeness!
        const path = `${item.id}/completeness?stateId=${stateId}`
        const { entityId: _, lifecycleStateId: __, ...told } = await read<CompletenessBody>(path, client)
        assert.deepEqual(score, told)
        // A draft need not be complete to go on; what is in review must be to be published.
        assert.equal(stateId, item.id === 'sock' ? 'state-published' : 'state-draft')
      }
      for (const { id, completeness } of await search(
        { include: ['completeness'], stateId: 'state-published', schemaId: 'sch-shirt' },
        client,
      )) {
        const told = await read<CompletenessBody>(`${id}/completeness?stateId=state-published`, client)
        assert.equal(completeness!.stateId, 'state-published')
        assert.deepEqual([completeness!.filled, completeness!.missing], [told.filled, told.missing])
      }
    }
  })

  it('has its score in each combination of segments where that is asked for', async () => {
    const asked = {
      include: ['completeness'],
      stateId: 'state-published',
      completenessBy: 'combination',
      schemaId: 'sch-shirt',
    }
    const [shirt, , sock] = await search(asked)
    assert.equal(shirt!.completeness!.combinations!.length, 4)
    assert.ok(shirt!.completeness!.combinations!.every(({ percentage }) => percentage === 100))
    const inGerman = sock!.completeness!.combinations!.filter(({ scope }) => scope['language'] === 'de')
    assert.deepEqual(
      inGerman.map(({ filled, total }) => [filled, total]),
      [
        [0, 4],
        [0, 4],
      ],
    )
    // Of what the clerk may know nothing is scoped by market.
    const [ofClerk] = await search(asked, shop.clerk)
    assert.deepEqual(
      ofClerk!.completeness!.combinations!.map(({ scope }) => scope),
      [{ language: 'en' }, { language: 'de' }],
    )
  })

  it('has what is in force with inheritance, and the one value in a scope', async () => {
    const [, red] = await search({ include: ['effectiveValues'], resolve: { language: 'de' } })
    assert.deepEqual(red!.effectiveValues, {
      ...complete,
      name: [german('Hemd rot'), english('Shirt')],
      color: everywhere('red'),
    })
    assert.deepEqual(red!.resolved, {
      name: 'Hemd rot',
      description: 'Cotton',
      price: { amount: 20, currency: 'EUR' },
      color: 'red',
    })
    const [, selected] = await search({ include: ['effectiveValues'], resolve: {}, select: ['price', 'name'] })
    assert.deepEqual(selected!.resolved, { price: { amount: 20, currency: 'EUR' } })
    assert.deepEqual(Object.keys(selected!.effectiveValues!).sort(), ['name', 'price'])
  })

  it('keeps from the role what it may not read, and from a search what the role may not read by name', async () => {
    const asked = { include: ALL, resolve: {}, stateId: 'state-published', schemaId: 'sch-shirt' }
    const text = JSON.stringify(await search(asked, shop.clerk))
    for (const hidden of ['price', 'salePrice', 'description']) assert.ok(!text.includes(`"${hidden}"`), hidden)
    assertRefused(await ask({ select: ['name', 'price'] }, shop.clerk), 'PERMISSION_DENIED', "'price'")
    assert.deepEqual(await search({ select: ['price'], schemaId: 'sch-none' }, shop.clerk), [])
  })

  it('is not counted with total: false, page or not, in whatever way it is found', async () => {
    const one = { criteria: [{ attributeAlias: 'color', operator: 'equals', value: 'red' }] }
    const other = {
      criteria: [{ attributeAlias: 'color', operator: 'notEquals', value: 'red' }],
      schemaId: 'sch-shirt',
    }
    const judged = {
      criteria: [{ attributeAlias: 'name', operator: 'contains', value: 'S', scope: { language: 'en' } }],
    }
    for (const [body, ids] of [
      [{}, ['shirt']],
      [one, ['red']],
      [other, ['shirt']],
      [judged, ['shirt']],
    ] as const) {
      const counted = await ask({ ...body, limit: 1 })
      assert.ok(Number(counted.headers.get('x-total-count')) >= 1)
      const answer = await ask({ ...body, limit: 1, total: false })
      assert.equal(answer.headers.get('x-total-count'), null)
      assert.deepEqual(answer.body, counted.body)
      assert.deepEqual(
        answer.body.map(({ id }) => id),
        ids,
      )
    }
    const second = await search({ ...judged, limit: 1, offset: 1, total: false })
    assert.deepEqual(
      second.map(({ id }) => id),
      ['red'],
    )
  })

  it('is refused where what is asked of it does not exist', async () => {
    for (const [body, ...named] of [
      [{ select: ['nmae'] }, "'nmae'"],
      [{ select: 'name' }, 'select'],
      [{ include: ['variants'] }, 'include[0]'],
      [{ include: ['completness'] }, 'include[0]'],
      [{ stateId: 'state-x' }, "'state-x'"],
      [{ stateId: 5 }, 'stateId'],
      [{ resolve: { language: 'xx' } }, 'resolve', "'xx'"],
      [{ resolve: 'de' }, 'resolve'],
      [{ completenessBy: 'market' }, 'completenessBy'],
      [{ total: 'no' }, 'total'],
      [{ selct: [] }, "'selct'", "'select'"],
      [{ resolv: {} }, "'resolve'"],
    ] as const)
      assertRefused(await ask(body), 'VALIDATION_ERROR', ...named)
  })
})

describe('POST /api/v1/search, a record that lacks very much', () => {
  it('is answered whole, all that it lacks named', async () => {
    const { admin } = shop
    const segments = (of: string) => Array.from({ length: 60 }, (_, index) => ({ id: `${of}${index}` }))
    for (const id of ['wide', 'high']) await make(admin, '/api/v1/dimensions', { id, name: id, segments: segments(id) })
    const attributes = [
      { alias: 'field', dataType: 'text', dimensionIds: ['wide', 'high'], requiredInStateIds: ['state-review'] },
    ]
    await make(admin, '/api/v1/schemas', { id: 'sch-wide', name: 'Wide', attributes })
    for (const id of ['wide-1', 'wide-2'])
      await make(admin, '/api/v1/records', {
        id,
        schemaId: 'sch-wide',
        values: { field: [{ scope: { wide: 'wide1' }, value: id }] },
      })
    const asked = {
      include: ['completeness', 'version'],
      schemaId: 'sch-wide',
      completenessBy: 'combination',
      stateId: 'state-review',
    }
    for (const limit of [undefined, 2, 1]) {
      const found = await search({ ...asked, limit })
      assert.equal(found.length, limit ?? 2)
      for (const { completeness } of found) {
        assert.equal(completeness!.missing.length, 59 * 60)
        assert.equal(completeness!.combinations!.length, 3600)
        assert.deepEqual(completeness!.missing[0], { attributeAlias: 'field', scope: { wide: 'wide0', high: 'high0' } })
      }
    }
  })
})
