// Requests to a large model take time for what they change, not for all that there is. Contract 2 §3.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { send } from '../../../helpers/answers.ts'
import { counts, CSV, importFile } from '../../../helpers/importing.ts'
import { make, startWorkspace, type Workspace } from '../../../helpers/shirts.ts'
import { threadTime } from '../../../helpers/thread-time.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
})
after(() => shop.stop())

/** Milliseconds of this thread, which is the server's as well. Less cannot be told from nothing. */
const LEAST = 5
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = threadTime()
  await work()
  return Math.max(LEAST, threadTime() - started)
}
const range = <Item>(length: number, make: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => make(index))

describe('PUT /api/v1/dimensions/:id', () => {
  it('removes many segments in hardly more time than one, with many saved queries', async () => {
    const segments = range(1000, (n) => ({ id: `s${n}` }))
    await make(shop.admin, '/api/v1/dimensions', { id: 'large', name: 'Large', segments })
    const criteria = range(20, (n) => ({ attributeAlias: 'name', operator: 'equals', value: `${n}` }))
    for (let n = 0; n < 100; n += 1)
      await make(shop.admin, '/api/v1/saved-queries', { name: `Q${n}`, criteria, criteriaOperator: 'and' })
    const keep = async (count: number) => {
      const body = { name: 'Large', segments: segments.slice(0, count) }
      assert.equal((await send(shop.admin, 'PUT', '/api/v1/dimensions/large', body)).status, 200)
    }
    await keep(999)
    const one = await timeOf(() => keep(998))
    const many = await timeOf(() => keep(1))
    assert.ok(many < 10 * one, `${many} ms for 997 segments, and ${one} ms for one`)
  })
})

describe('POST and PUT of categories', () => {
  const makeCatalog = async (id: string, count: number) => {
    await make(shop.admin, '/api/v1/catalogs', { id, name: id })
    const columns = [
      { header: 'id', to: { field: 'id' } },
      { header: 'categories', to: { field: 'categories' }, createCategories: true, catalogId: id },
    ]
    const profile = { id: `ipr-${id}`, name: id, schemaId: 'sch-shirt', mode: 'upsert', emptyCells: 'keep', columns }
    await make(shop.admin, '/api/v1/import-profiles', profile)
    const paths = range(count, (n) => `${id}/c${n}`)
    const rows = range(Math.ceil(count / 1000), (n) => `${id}-${n},${paths.slice(n * 1000, (n + 1) * 1000).join('|')}`)
    const result = await importFile(shop.admin, ['id,categories', ...rows, ''].join('\n'), `profile=ipr-${id}`, CSV)
    assert.equal(counts(result)[3], 0, JSON.stringify(result.errors))
    const list = await send<{ id: string; name: string }[]>(shop.admin, 'GET', `/api/v1/catalogs/${id}/categories`)
    return list.body.find(({ name }) => name === 'c0')!.id
  }
  const changeSome = async (catalogId: string, parentId: string) => {
    for (let n = 0; n < 20; n += 1) {
      const id = `${catalogId}-${n}`
      await make(shop.admin, `/api/v1/catalogs/${catalogId}/categories`, { id, name: id, parentId })
      const body = { name: id, parentId: n === 0 ? parentId : `${catalogId}-0` }
      assert.equal((await send(shop.admin, 'PUT', `/api/v1/categories/${id}`, body)).status, 200)
      const move = { parentId, before: null }
      assert.equal((await send(shop.admin, 'POST', `/api/v1/categories/${id}/move`, move)).status, 200)
    }
  }

  it('let a search in all categories of a deep tree take hardly longer than in its root', async () => {
    await make(shop.admin, '/api/v1/catalogs', { id: 'deep', name: 'Deep' })
    for (let n = 0; n < 500; n += 1)
      await make(shop.admin, '/api/v1/catalogs/deep/categories', {
        id: `deep-${n}`,
        name: 'D',
        parentId: n === 0 ? null : `deep-${n - 1}`,
      })
    const record = { id: 'in-deep', schemaId: 'sch-shirt', values: {} }
    await make(shop.admin, '/api/v1/records', record)
    const places = [{ categoryId: 'deep-499' }]
    assert.equal((await send(shop.admin, 'PUT', '/api/v1/records/in-deep/categories', places)).status, 200)
    const search = async (count: number, limit: number) => {
      const value = range(count, (n) => `deep-${n}`)
      const criteria = [{ field: 'categoryId', operator: 'in', value }]
      const body = { criteria, criteriaOperator: 'and', limit }
      const found = await send<{ id: string }[]>(shop.admin, 'POST', '/api/v1/search', body)
      assert.deepEqual(
        found.body.map(({ id }) => id),
        ['in-deep'],
        found.text,
      )
    }
    await search(2, 10)
    const root = await timeOf(() => search(1, 20))
    const all = await timeOf(() => search(500, 30))
    assert.ok(all < 5 * root, `${all} ms for all categories, and ${root} ms for the root`)
  })

  it('take no longer in a large catalog', async () => {
    const [small, large] = [await makeCatalog('small', 50), await makeCatalog('large', 8000)]
    const few = await timeOf(() => changeSome('small', small))
    const many = await timeOf(() => changeSome('large', large))
    assert.ok(many < 4 * few, `${many} ms in the large catalog, and ${few} ms in the small one`)
  })
})
