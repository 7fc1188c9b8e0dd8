// The rules of scoped values as records keep them. Contract 1 §2.1, 2 §3.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertErrorBody, assertRefused, send } from '../../../helpers/answers.ts'
import {
  english,
  everywhere,
  german,
  makeShirt,
  readRecord,
  type RecordBody,
  type ScopedValueBody,
  startWorkspace,
  type Workspace,
} from '../../../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
})
after(() => shop.stop())

async function refuse(values: unknown, ...named: string[]): Promise<void> {
  const answer = await send(shop.admin, 'POST', '/api/v1/records', { schemaId: 'sch-shirt', values })
  assertRefused(answer, 'VALIDATION_ERROR', ...named)
}

describe('Scoped values', () => {
  it('an attribute without dimensions accepts only the global scope', async () => {
    await makeShirt(shop.admin, { weight: everywhere(1) })
    await refuse({ weight: [english(1)] }, 'values.weight[0].scope', 'language')
  })

  it('an attribute with a dimension may hold one value for each of its segments, and one for all', async () => {
    const name = [english('Shirt'), german('Hemd'), { scope: {}, value: 'Chemise' }]
    const { id } = await makeShirt(shop.admin, { name })
    assert.deepEqual((await readRecord(shop.admin, id)).values, { name })
  })

  it('the same scope twice is refused, whatever the order of its dimensions', async () => {
    await refuse({ name: [english('a'), english('b')] }, 'values.name[1].scope', 'language=en')
    const twice = [
      { scope: { language: 'en', market: 'eu' }, value: 'a' },
      { scope: { market: 'eu', language: 'en' }, value: 'b' },
    ]
    await refuse({ description: twice }, 'values.description[1].scope')
  })

  it('a scope may name several dimensions at once', async () => {
    const description: ScopedValueBody[] = [
      { scope: { language: 'en', market: 'us' }, value: 'Pants' },
      { scope: { language: 'en', market: 'eu' }, value: 'Trousers' },
      { scope: { market: 'eu' }, value: 'Europe' },
    ]
    const { id } = await makeShirt(shop.admin, { description })
    assert.deepEqual((await readRecord(shop.admin, id)).values, { description })
  })

  it('a scope names dimensions of the attribute and segments that exist', async () => {
    await refuse({ name: [{ scope: { market: 'eu' }, value: 'a' }] }, 'values.name[0].scope', 'market')
    await refuse({ name: [{ scope: { planet: 'mars' }, value: 'a' }] }, 'values.name[0].scope', 'planet')
    await refuse({ name: [{ scope: { language: 'fr' }, value: 'a' }] }, 'values.name[0].scope.language')
    await refuse({ name: [{ scope: { language: 1 }, value: 'a' }] }, 'values.name[0].scope.language')
    const inherited = JSON.parse('{"name":[{"scope":{"__proto__":"x"},"value":"a"}]}') as unknown
    await refuse(inherited, 'values.name[0].scope', '__proto__')
  })

  it('a value is checked against the data type of the attribute', async () => {
    await refuse({ name: [english(5)] }, 'values.name[0].value')
    await refuse({ weight: everywhere('5') }, 'values.weight[0].value')
    await refuse({ onSale: everywhere('true') }, 'values.onSale[0].value')
    await refuse({ color: everywhere('green') }, 'values.color[0].value', 'color')
    await refuse({ price: everywhere({ amount: '5', currency: 'EUR' }) }, 'values.price[0].value', 'amount')
    await refuse({ price: everywhere({ amount: 5, currency: 'XYZ' }) }, 'values.price[0].value', 'currency')
    await refuse({ related: everywhere(5) }, 'values.related[0].value')
    await refuse({ extra: everywhere('x'.repeat(65_536)) }, 'values.extra[0].value', '64 KiB')
  })

  it('a value is checked against the validation rules of the attribute', async () => {
    await refuse({ weight: everywhere(-0.1) }, 'values.weight[0].value', '0')
    await refuse({ sku: everywhere('lower') }, 'values.sku[0].value', 'pattern')
    await refuse({ sku: everywhere('X'.repeat(21)) }, 'values.sku[0].value', '20')
  })

  it('JSON values come back as they were sent, whatever their members are called', async () => {
    const body =
      '{"schemaId":"sch-shirt","values":{"extra":[{"scope":{},' +
      '"value":{"__proto__":{"a":1},"constructor":null,"toJSON":"x","":[],"\\u0000":"\\ud83d\\ude00"}}]}}'
    const answer = await send<RecordBody>(shop.admin, 'POST', '/api/v1/records', JSON.parse(body))
    assert.equal(answer.status, 201)
    const read = await send<RecordBody>(shop.admin, 'GET', `/api/v1/records/${answer.body.id}`)
    assert.deepEqual(read.body, answer.body)
    const sent = JSON.parse(body) as { values: unknown }
    assert.equal(JSON.stringify(read.body.values), JSON.stringify(sent.values))
    assert.equal(({} as { a?: number }).a, undefined)
  })

  it('a number beyond what JSON readers keep is refused in every data type, and never becomes null', async () => {
    for (const [alias, value] of [
      ['extra', '1e400'],
      ['extra', '{"a":[-1e400]}'],
      ['weight', '1e400'],
      ['price', '{"amount":1e400,"currency":"EUR"}'],
    ]) {
      const response = await fetch(`${shop.url}/api/v1/records`, {
        method: 'POST',
        headers: { ...shop.admin.headers, 'content-type': 'application/json' },
        body: `{"schemaId":"sch-shirt","values":{"${alias}":[{"scope":{},"value":${value}}]}}`,
      })
      assert.equal(response.status, 400, value)
      assertErrorBody(await response.json(), 'VALIDATION_ERROR', `values.${alias}[0].value`, 'number')
    }
  })
})

describe('All values of a record', () => {
  it('are at most 16 MiB of JSON together, and what would be more is refused and changes nothing', async () => {
    const { id } = await makeShirt(shop.admin, { toString: everywhere('x'.repeat(9_000_000)) })
    const more = { values: { lifecycleState: everywhere('x'.repeat(9_000_000)) } }
    assertRefused(
      await send(shop.admin, 'PUT', `/api/v1/records/${id}`, more),
      'VALIDATION_ERROR',
      'values',
      '16777216',
    )
    assert.deepEqual(Object.keys((await readRecord(shop.admin, id)).values), ['toString'])
  })
})

describe('Unique values', () => {
  it('no two records of a schema hold the same value: CONFLICT, naming attribute and scope', async () => {
    await makeShirt(shop.admin, { sku: everywhere('A-1'), slug: [english('shirt'), german('hemd')] })
    const sku = await send(shop.admin, 'POST', '/api/v1/records', {
      schemaId: 'sch-shirt',
      values: { sku: everywhere('A-1') },
    })
    assertRefused(sku, 'CONFLICT', 'sku', '{}')
    const slug = await send(shop.admin, 'POST', '/api/v1/records', {
      schemaId: 'sch-shirt',
      values: { slug: [english('other'), german('hemd')] },
    })
    assertRefused(slug, 'CONFLICT', 'slug', 'language=de')
  })

  it('the same value in another scope is another value', async () => {
    await makeShirt(shop.admin, { slug: [english('polo')] })
    await makeShirt(shop.admin, { slug: [german('polo')] })
  })

  it('an empty value may occur any number of times', async () => {
    await makeShirt(shop.admin, { sku: everywhere('') })
    await makeShirt(shop.admin, { sku: everywhere('') })
  })

  it('an update may keep its own value, not take that of another record, and frees the one it gives up', async () => {
    const one = await makeShirt(shop.admin, { sku: everywhere('B-1') })
    const two = await makeShirt(shop.admin, { sku: everywhere('B-2'), weight: everywhere(1) })
    const put = (id: string, sku: string) =>
      send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: { sku: everywhere(sku), weight: everywhere(2) } })
    assert.equal((await put(two.id, 'B-2')).status, 200)
    assertRefused(await put(two.id, 'B-1'), 'CONFLICT', 'sku')
    assert.deepEqual((await readRecord(shop.admin, two.id)).values, { sku: everywhere('B-2'), weight: everywhere(2) })
    assert.equal((await put(two.id, 'B-3')).status, 200)
    assert.equal((await put(one.id, 'B-2')).status, 200)
  })

  it('a PATCH is held to it too', async () => {
    await makeShirt(shop.admin, { sku: everywhere('C-1') })
    const { id } = await makeShirt(shop.admin, {})
    const path = `/api/v1/records/${id}/values/sku`
    assertRefused(await send(shop.admin, 'PATCH', path, { scopedValues: everywhere('C-1') }), 'CONFLICT', 'sku')
    assert.deepEqual((await readRecord(shop.admin, id)).values, {})
  })

  it('a change of other attributes keeps the value taken', async () => {
    const { id } = await makeShirt(shop.admin, { sku: everywhere('D-1') })
    await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: { weight: everywhere(3) } })
    const again = { schemaId: 'sch-shirt', values: { sku: everywhere('D-1') } }
    assertRefused(await send(shop.admin, 'POST', '/api/v1/records', again), 'CONFLICT', 'sku')
  })
})
