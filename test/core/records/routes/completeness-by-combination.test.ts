// How complete a record is in each combination of segments, over HTTP. Contract 3 §1, 3 §11.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import {
  complete,
  everywhere,
  german,
  make,
  makeShirt,
  startWorkspace,
  type Workspace,
} from '../../../helpers/shirts.ts'

interface Score {
  scope: Record<string, string>
  filled: number
  total: number
  percentage: number
}
interface Completeness extends Score {
  stateId: string
  missing: object[]
  combinations?: Score[]
}

let shop: Workspace
before(async () => {
  shop = await startWorkspace()
  await makeShirt(shop.admin, complete, { id: 'shirt' })
  await makeShirt(shop.admin, { name: [german('Hemd')], onSale: everywhere(true) }, { id: 'bare' })
})
after(() => shop.stop())

const score = (id: string, query: string, client = shop.admin) =>
  send<Completeness>(client, 'GET', `/api/v1/records/${id}/completeness?${query}`)

describe('GET /api/v1/records/:id/completeness?by=combination', () => {
  it('adds the score in each combination, and is else what it is without it', async () => {
    for (const id of ['shirt', 'bare'])
      for (const client of [shop.admin, shop.clerk]) {
        const query = 'stateId=state-published'
        const { combinations, ...whole } = (await score(id, `${query}&by=combination`, client)).body
        assert.deepEqual(whole, (await score(id, query, client)).body)
        const body = {
          criteria: [{ attributeAlias: 'name', operator: 'isNotEmpty' }],
          criteriaOperator: 'and',
          include: ['completeness'],
          stateId: 'state-published',
          completenessBy: 'combination',
        }
        const found = await send<{ id: string; completeness: Completeness }[]>(client, 'POST', '/api/v1/search', body)
        assert.deepEqual(combinations, found.body.find((item) => item.id === id)!.completeness.combinations)
      }
    const { combinations } = (await score('bare', 'stateId=state-published&by=combination')).body
    assert.deepEqual(combinations![2], { scope: { language: 'de', market: 'eu' }, filled: 1, total: 4, percentage: 25 })
    assert.deepEqual((await score('bare', 'by=combination')).body.combinations, [
      { scope: {}, filled: 0, total: 0, percentage: 100 },
    ])
  })

  it('is refused for another word, and where there are too many combinations to be told apart', async () => {
    assertRefused(await score('shirt', 'by=market'), 'VALIDATION_ERROR', 'by')
    const { admin } = shop
    const segments = Array.from({ length: 101 }, (_, index) => ({ id: `s${index}` }))
    for (const id of ['wide', 'high']) await make(admin, '/api/v1/dimensions', { id, name: id, segments })
    const attributes = ['wide', 'high'].map((id) => ({
      alias: id,
      dataType: 'text',
      dimensionIds: [id],
      requiredInStateIds: ['state-review'],
    }))
    await make(admin, '/api/v1/schemas', { id: 'sch-many', name: 'Many', attributes })
    await make(admin, '/api/v1/records', { id: 'many', schemaId: 'sch-many', values: {} })
    assertRefused(await score('many', 'by=combination&stateId=state-review'), 'VALIDATION_ERROR', 'by', '10201')
    assert.equal((await score('many', 'by=combination')).status, 200)
    const body = { criteria: [], criteriaOperator: 'and', include: ['completeness'], completenessBy: 'combination' }
    assertRefused(await send(admin, 'POST', '/api/v1/search', body), 'VALIDATION_ERROR', 'completenessBy', 'sch-many')
    const other = await send(admin, 'POST', '/api/v1/search', { ...body, schemaId: 'sch-shirt' })
    assert.equal(other.status, 200)
  })
})
