// Presence over HTTP: who is at which record, and who learns of it. Contract 5 §8.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { MAX_PER_MINUTE } from '../../../src/collaboration/rules/present-person.ts'
import { assertRefused, send } from '../../helpers/answers.ts'
import { startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { makePerson, newShirt, type TalkingPerson } from '../talking.ts'

interface Answer {
  readonly items: readonly {
    readonly recordId: string
    readonly attributeAlias: string | null
    readonly person: { readonly id: string; readonly name: string }
  }[]
  readonly every: number
}

let shop: Workspace
let anna: TalkingPerson
let ben: TalkingPerson
before(async () => {
  shop = await startWorkspace()
  anna = await makePerson(shop, 'Anna')
  ben = await makePerson(shop, 'constructor עברית 😀')
})
after(() => shop.stop())

const put = ({ client }: Pick<TalkingPerson, 'client'>, body: object) =>
  send<Answer>(client, 'PUT', '/api/v1/presence', body)

describe('PUT /api/v1/presence', () => {
  it('tells each who else is at the records in view, and not of oneself', async () => {
    const [shirt, other] = [await newShirt(shop), await newShirt(shop)]
    const first = await put(anna, { recordId: shirt, attributeAlias: 'name' })
    assert.deepEqual([first.status, first.body], [200, { items: [], every: 20 }])
    const seen = await put(ben, { recordIds: [shirt, other, 'no-such-record'] })
    const there = { recordId: shirt, attributeAlias: 'name', person: { id: anna.id, name: 'Anna' } }
    assert.deepEqual(seen.body.items, [there])
    await put(ben, { recordId: other })
    assert.deepEqual((await put(anna, { recordIds: [other] })).body.items, [
      { recordId: other, attributeAlias: null, person: { id: ben.id, name: ben.name } },
    ])
    // Anna is nowhere now.
    assert.deepEqual((await put(ben, { recordId: shirt })).body.items, [])
    await put(ben, {})
  })

  it('moves with its person, and ends with a record or an account', async () => {
    const [shirt, other] = [await newShirt(shop), await newShirt(shop)]
    const gone = await makePerson(shop, 'Gone')
    await put(anna, { recordId: shirt })
    await put(gone, { recordId: other })
    await put(anna, { recordId: other })
    const at = async () => (await put(ben, { recordIds: [shirt, other] })).body.items.map(({ person }) => person.name)
    assert.deepEqual((await at()).toSorted(), ['Anna', 'Gone'])
    await send(shop.admin, 'PATCH', `/api/v1/users/${gone.id}`, { disabled: true })
    assert.deepEqual(await at(), ['Anna'])
    await send(shop.admin, 'DELETE', `/api/v1/records/${other}`)
    assert.deepEqual(await at(), [])
  })

  it('is nowhere at a record that does not exist, and still learns of others', async () => {
    const shirt = await newShirt(shop)
    await put(anna, { recordId: shirt })
    const other = await makePerson(shop, 'Late')
    const answer = await put(other, { recordId: 'no-such-record', attributeAlias: 'price', recordIds: [shirt] })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.items.length, 1)
    assert.equal((await put(anna, { recordIds: ['no-such-record'] })).body.items.length, 0)
  })

  it('hides an attribute from a role that may not read the attribute', async () => {
    const clerk = await makePerson(shop, 'Clerk', 'role-clerk')
    const shirt = await newShirt(shop)
    await put(anna, { recordId: shirt, attributeAlias: 'price' })
    assert.equal((await put(clerk, { recordIds: [shirt] })).body.items[0]!.attributeAlias, null)
    assertRefused(await put(clerk, { recordId: shirt, attributeAlias: 'price' }), 'PERMISSION_DENIED', 'attributeAlias')
  })

  it('refuses what it cannot take, and names the field', async () => {
    const shirt = await newShirt(shop)
    assertRefused(await put(anna, { recordId: shirt, attributeAlias: 'none' }), 'VALIDATION_ERROR', 'attributeAlias')
    const ids = Array.from({ length: 101 }, (_, at) => `shirt-${at}`)
    assertRefused(await put(anna, { recordIds: ids }), 'VALIDATION_ERROR', 'recordIds must have at most 100')
    assertRefused(await put({ client: shop.admin }, { recordId: shirt }), 'PERMISSION_DENIED', 'API key')
    const stranger = await makePerson(shop, 'Stranger', 'role-stranger')
    assertRefused(await put(stranger, { recordId: shirt }), 'PERMISSION_DENIED', 'records.read')
  })

  it('answers a person 60 times in a minute', async () => {
    const busy = await makePerson(shop, 'Busy')
    const answers = []
    // A minute may end in between; two servers count for themselves.
    for (let one = 0; one < MAX_PER_MINUTE * 4 + 2; one += 1) answers.push(await put(busy, {}))
    const refused = answers.filter(({ status }) => status === 429)
    assert.ok(refused.length > 0)
    assertRefused(refused[0]!, 'RATE_LIMITED', 'one person')
    assert.ok(Number(refused[0]!.headers.get('Retry-After')) > 0)
  })
})
