import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import {
  everywhere,
  make,
  makeShirt,
  readRecord,
  type RecordBody,
  startWorkspace,
  type Workspace,
} from '../../../helpers/shirts.ts'

interface PageBody {
  items: RecordBody[]
  total: number
  offset: number
  limit: number
}

let shop: Workspace
const made: RecordBody[] = []

before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  for (let index = 0; index < 60; index += 1) made.push(await makeShirt(shop.admin, { weight: everywhere(index) }))
  for (const id of ['variant-2', 'variant-1']) made.push(await makeShirt(shop.admin, {}, { id, parentId: made[0]!.id }))
  const plain = { schemaId: 'sch-plain', values: { title: everywhere('Plain') } }
  made.push(await make<RecordBody>(shop.admin, '/api/v1/records', plain))
  await send(shop.admin, 'POST', `/api/v1/records/${made[3]!.id}/transition`, { transitionId: 'tr-submit' })
  made[3] = await readRecord(shop.admin, made[3]!.id)
})
after(() => shop.stop())

async function list(query: string): Promise<PageBody> {
  const answer = await send<PageBody>(shop.viewer, 'GET', `/api/v1/records${query}`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

describe('GET /api/v1/records', () => {
  it('lists full records, oldest first, 50 from offset 0 where nothing is said, with the count of all matches', async () => {
    assert.deepEqual(await list(''), { items: made.slice(0, 50), total: 63, offset: 0, limit: 50 })
  })

  it('offset and limit page through all records, each once', async () => {
    const pages = await Promise.all([0, 20, 40, 60, 80].map((offset) => list(`?offset=${offset}&limit=20`)))
    assert.deepEqual(
      pages.flatMap((page) => page.items),
      made,
    )
    assert.deepEqual(
      pages.map((page) => [page.items.length, page.total, page.offset, page.limit]),
      [0, 20, 40, 60, 80].map((offset) => [Math.max(0, Math.min(20, 63 - offset)), 63, offset, 20]),
    )
  })

  it('schemaId and lifecycleStateId filter', async () => {
    const shirts = await list('?schemaId=sch-shirt&limit=1000')
    assert.deepEqual(shirts.items, made.slice(0, 62))
    assert.equal(shirts.total, 62)
    assert.equal((await list('?lifecycleStateId=state-draft')).total, 62)
    assert.deepEqual(await list('?lifecycleStateId=state-review'), { items: [made[3]], total: 1, offset: 0, limit: 50 })
    assert.deepEqual((await list('?lifecycleStateId=state-published')).items, [])
    assert.deepEqual((await list('?schemaId=sch-plain&lifecycleStateId=state-draft')).items, [made[62]])
  })

  it('parentId filters the variants of one record, and none the records that are no variants', async () => {
    const variants = await list(`?parentId=${made[0]!.id}`)
    assert.deepEqual(
      variants.items.map((record) => record.id),
      ['variant-2', 'variant-1'],
    )
    assert.equal(variants.total, 2)
    const others = await list('?parentId=none&limit=1000')
    assert.deepEqual(others.items, [...made.slice(0, 60), made[62]])
    assert.equal(others.total, 61)
    assert.equal((await list(`?parentId=${made[0]!.id}&schemaId=sch-plain`)).total, 0)
  })

  it('a filter that names something unknown finds nothing', async () => {
    for (const filter of ['schemaId=x', 'lifecycleStateId=x', 'parentId=x', 'schemaId=', 'schemaId=__proto__'])
      assert.deepEqual(await list(`?${filter}`), { items: [], total: 0, offset: 0, limit: 50 })
  })

  it('limit is a whole number from 1 to 1000 and offset one from 0, and anything else is refused by name', async () => {
    for (const limit of ['0', '-1', '1001', '1.5', 'ten', '', '1e2', 'NaN'])
      assertRefused(await send(shop.viewer, 'GET', `/api/v1/records?limit=${limit}`), 'VALIDATION_ERROR', 'limit')
    for (const offset of ['-1', '0.5', 'x', ''])
      assertRefused(await send(shop.viewer, 'GET', `/api/v1/records?offset=${offset}`), 'VALIDATION_ERROR', 'offset')
    for (const offset of ['9007199254740', '9007199254740991'])
      assert.equal((await list(`?limit=1000&offset=${offset}`)).items.length, 0)
  })

  it('an offset beyond 2^53-1 is refused by name', async () => {
    for (const offset of ['9007199254740992', '9007199254740993', '99999999999999999999', '9'.repeat(400)])
      assertRefused(await send(shop.viewer, 'GET', `/api/v1/records?offset=${offset}`), 'VALIDATION_ERROR', 'offset')
  })
})
