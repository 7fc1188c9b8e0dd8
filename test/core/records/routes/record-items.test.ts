// Records that are listed, or read by their IDs, with what is asked of each, over HTTP. Contract 3 §1, 3 §11.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { assertRefused, send } from '../../../helpers/answers.ts'
import type { Client } from '../../../helpers/client.ts'
import {
  complete,
  english,
  everywhere,
  german,
  make,
  makeShirt,
  type RecordBody,
  startWorkspace,
  type Workspace,
} from '../../../helpers/shirts.ts'

type Item = RecordBody & Record<string, unknown>
interface Page {
  items: Item[]
  total: number
  offset: number
  limit: number
}

const ALL = 'completeness,effectiveValues,categories,variantCount,version'

let shop: Workspace

before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  const { admin } = shop
  await makeShirt(admin, complete, { id: 'shirt' })
  for (const id of ['red', 'blue'])
    await makeShirt(admin, { name: [german(id)], color: everywhere(id) }, { id, parentId: 'shirt' })
  await makeShirt(admin, { name: [english('Sock')] }, { id: 'sock' })
  await make(admin, '/api/v1/records', { id: 'plain', schemaId: 'sch-plain', values: { title: everywhere('T') } })
  await make(admin, '/api/v1/catalogs', { id: 'web', name: 'Web' })
  await make(admin, '/api/v1/catalogs/web/categories', { id: 'men', name: 'Men' })
  for (const [index, id] of ['sock', 'shirt', 'plain'].entries()) {
    const answer = await send(admin, 'PUT', `/api/v1/records/${id}/categories`, [
      { categoryId: 'men', sortOrder: index },
    ])
    assert.equal(answer.status, 200, answer.text)
  }
})
after(() => shop.stop())

const get = <Body>(path: string, client: Client = shop.admin, headers: Record<string, string> = {}) =>
  send<Body>(client, 'GET', `/api/v1/${path}`, undefined, headers)
async function read<Body = Item>(path: string, client?: Client): Promise<Body> {
  const answer = await get<Body>(path, client)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
async function search(body: object, client: Client = shop.admin): Promise<Item[]> {
  const asked = { criteria: [], criteriaOperator: 'and', include: ALL.split(','), ...body }
  return (await send<Item[]>(client, 'POST', '/api/v1/search', asked)).body
}

describe('GET /api/v1/records?include=', () => {
  it('answers each record as a search does, with the page and its total', async () => {
    for (const client of [shop.admin, shop.clerk]) {
      const all = await search({}, client)
      assert.deepEqual(await read(`records?include=${ALL}`, client), { items: all, total: 5, offset: 0, limit: 50 })
      const page = await read<Page>(`records?include=${ALL}&limit=2&offset=1`, client)
      assert.deepEqual(page, { items: all.slice(1, 3), total: 5, offset: 1, limit: 2 })
    }
    assert.deepEqual(await read(`records?include=version&offset=9`), { items: [], total: 5, offset: 9, limit: 50 })
  })

  it('filters as without it', async () => {
    for (const filter of [
      'schemaId=sch-plain',
      'parentId=shirt',
      'parentId=none',
      'lifecycleStateId=state-draft',
      'schemaId=x',
    ]) {
      const plain = await read<Page>(`records?${filter}`)
      const found = await read<Page>(`records?${filter}&include=version`)
      assert.deepEqual(
        found.items.map(({ id }) => id),
        plain.items.map(({ id }) => id),
      )
      assert.equal(found.total, plain.total)
    }
  })

  it('is refused for a member that there is not', async () => {
    for (const include of ['', 'variants', 'completeness,,version', 'version,version'])
      assertRefused(await get(`records?include=${include}`), 'VALIDATION_ERROR', 'include')
    assertRefused(await get('records?includes=version'), 'VALIDATION_ERROR', "'include'")
  })
})

describe('GET /api/v1/records?updatedSince=', () => {
  it('lists what was changed at that moment or later, within the other filters', async () => {
    await pause(5)
    const patched = await send<Item>(shop.admin, 'PATCH', '/api/v1/records/red', {
      values: { color: [{ scope: {}, value: 'blue' }] },
    })
    assert.equal(patched.status, 200, patched.text)
    const { updatedAt } = patched.body
    const idsOf = async (since: string, more = '') => {
      const page = await read<Page>(`records?updatedSince=${encodeURIComponent(since)}${more}`)
      assert.equal(page.total, page.items.length)
      return page.items.map(({ id }) => id).join(' ')
    }
    assert.equal(await idsOf(updatedAt), 'red')
    assert.equal(await idsOf(updatedAt, '&parentId=shirt&include=version'), 'red')
    assert.equal(await idsOf(updatedAt, '&parentId=none'), '')
    assert.equal(await idsOf(updatedAt, '&schemaId=sch-plain'), '')
    assert.equal(await idsOf(updatedAt, '&lifecycleStateId=state-review'), '')
    const later = new Date(Date.parse(updatedAt) + 1).toISOString()
    assert.equal(await idsOf(later), '')
    assert.equal(await idsOf(updatedAt.replace('Z', '+00:00')), 'red')
    assert.equal(await idsOf('2020-01-01'), 'shirt red blue sock plain')
    assert.equal(await idsOf('2020-01-01', '&parentId=none'), 'shirt sock plain')
    assert.equal(await idsOf('2020-01-01', '&parentId=shirt'), 'red blue')
    const page = await read<Page>('records?updatedSince=2020-01-01&limit=2&offset=3')
    assert.deepEqual([page.items.map(({ id }) => id), page.total], [['sock', 'plain'], 5])
  })

  it('is refused for what is no moment', async () => {
    for (const since of ['yesterday', '2020-13-01', '', '2020'])
      assertRefused(await get(`records?updatedSince=${since}`), 'VALIDATION_ERROR', 'updatedSince')
  })
})

describe('GET /api/v1/records/:id?include=', () => {
  it('answers the record with all that is included, each as its own endpoint answers it', async () => {
    for (const client of [shop.admin, shop.clerk, shop.viewer]) {
      const answer = await get<Item>(`records/shirt?include=${ALL},transitions,variants`, client)
      const { completeness, effectiveValues, categories, variantCount, version, transitions, variants, ...record } =
        answer.body
      assert.deepEqual(record, await read('records/shirt', client))
      assert.equal(answer.headers.get('etag'), `"${String(version)}"`)
      assert.equal(variantCount, 2)
      assert.deepEqual(categories, await read('records/shirt/categories', client))
      assert.deepEqual(transitions, await read('records/shirt/transitions', client))
      assert.deepEqual(variants, (await read<Page>('records?parentId=shirt', client)).items)
      const [found] = await search({ limit: 1 }, client)
      assert.deepEqual([completeness, effectiveValues], [found!['completeness'], found!['effectiveValues']])
    }
    assert.deepEqual((await read('records/sock?include=variants'))['variants'], [])
    assert.deepEqual(
      (await read('records/red?include=transitions'))['transitions'],
      await read('records/red/transitions'),
    )
  })

  it('has the ETag of the record, and is answered in full all the same: what is included may have changed', async () => {
    const etag = (await get('records/shirt')).headers.get('etag')!
    assert.equal(
      (await fetch(`${shop.url}/api/v1/records/shirt`, { headers: { ...shop.admin.headers, 'if-none-match': etag } }))
        .status,
      304,
    )
    const answer = await get<Item>('records/shirt?include=variantCount', shop.admin, { 'if-none-match': etag })
    assert.deepEqual([answer.status, answer.headers.get('etag')], [200, etag])
  })

  it('is refused for an earlier version, an unknown member, and an unknown record', async () => {
    const { version } = await read('records/shirt?include=version')
    assertRefused(await get(`records/shirt?version=${String(version)}&include=version`), 'VALIDATION_ERROR', 'include')
    assertRefused(await get('records/shirt?include=parent'), 'VALIDATION_ERROR', 'include', 'transitions')
    assertRefused(await get('records/none-such?include=version'), 'NOT_FOUND', 'none-such')
  })

  it('answers a record with very many variants whole', async () => {
    const { admin } = shop
    await makeShirt(admin, { name: [english('Many')] }, { id: 'many' })
    for (let at = 0; at < 1200; at += 600) {
      const operations = Array.from({ length: 600 }, (_, index) => {
        const id = `many-${at + index}`
        return {
          op: 'create',
          id,
          schemaId: 'sch-shirt',
          parentId: 'many',
          values: { description: everywhere('x'.repeat(400)) },
        }
      })
      assert.equal((await send(admin, 'POST', '/api/v1/records/batch', { operations })).status, 200)
    }
    const many = await read<Item & { variants: Item[] }>('records/many?include=variants,variantCount')
    assert.equal(many['variantCount'], 1200)
    assert.deepEqual(
      many.variants.map(({ id }) => id),
      Array.from({ length: 1200 }, (_, index) => `many-${index}`),
    )
  })
})

describe('GET /api/v1/categories/:id/records', () => {
  it('takes include and select, in the order of the category', async () => {
    const page = await read<Page>('categories/men/records?include=version,categories&select=name,title')
    assert.deepEqual(
      page.items.map(({ id }) => id),
      ['sock', 'shirt', 'plain'],
    )
    assert.equal(page.total, 3)
    for (const item of page.items) {
      const answer = await get<Item>(`records/${item.id}`)
      assert.equal(`"${String(item['version'])}"`, answer.headers.get('etag'))
      assert.ok(Object.keys(item.values).every((alias) => ['name', 'title'].includes(alias)))
      assert.deepEqual(item['categories'], await read(`records/${item.id}/categories`))
    }
    const none = await read<Page>('categories/men/records?select=&limit=1&offset=1')
    assert.deepEqual([none.items[0]!.id, none.items[0]!.values, none.total], ['shirt', {}, 3])
  })

  it('is refused for what is unknown or hidden', async () => {
    assertRefused(await get('categories/men/records?select=nmae'), 'VALIDATION_ERROR', "'nmae'")
    assertRefused(await get('categories/men/records?include=variants'), 'VALIDATION_ERROR', 'include')
    assertRefused(await get('categories/men/records?select=price', shop.clerk), 'PERMISSION_DENIED', "'price'")
    assertRefused(await get('categories/none-such/records?include=version'), 'NOT_FOUND', 'none-such')
  })
})
