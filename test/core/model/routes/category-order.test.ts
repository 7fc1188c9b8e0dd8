// Moving categories, the order of their records, and how many they have. Contract 3 §7, 3 §10, 3 §11.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { assertGuarded, assertNotFound } from '../../../helpers/ladder.ts'
import { make, makeShirt, readAudit, startWorkspace, type Workspace } from '../../../helpers/shirts.ts'

interface CategoryBody {
  id: string
  parentId: string | null
  sortOrder: number
  counts?: { direct?: number; total?: number }
}

const CATEGORIES = '/api/v1/catalogs/cat-shop/categories'
const PATH = '/api/v1/categories'
let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  for (const id of ['cat-shop', 'cat-other']) await make(shop.admin, '/api/v1/catalogs', { id, name: id })
  await make(shop.admin, '/api/v1/catalogs/cat-other/categories', { id: 'elsewhere', name: 'E' })
})
after(() => shop.stop())

let made = 0
/** A category, whose ID begins with `name`. */
async function category(name: string, parentId: string | null = null, sortOrder = 0): Promise<string> {
  const id = `${name}-${(made += 1)}`
  await make(shop.editor, CATEGORIES, { id, name, parentId, sortOrder })
  return id
}

const list = async (query = '') => (await send<CategoryBody[]>(shop.viewer, 'GET', CATEGORIES + query)).body
const childrenOf = async (parentId: string | null) =>
  (await list()).filter((one) => one.parentId === parentId).map(({ id }) => id)

describe('POST /api/v1/categories/:id/move', () => {
  const move = (id: string, body: object) => send<CategoryBody>(shop.editor, 'POST', `${PATH}/${id}/move`, body)

  it('needs categories.write, and a category', async () => {
    const endpoint = (id: string) => ({ method: 'POST', path: `${PATH}/${id}/move`, body: { parentId: null } })
    await assertGuarded(shop, endpoint('elsewhere'), 'categories.write')
    await assertNotFound(shop.editor, 'Category', endpoint)
  })

  it('puts a category before a sibling or last, below the same parent or another', async () => {
    const root = await category('root')
    const [a, b, c] = [await category('a', root), await category('b', root), await category('c', root)]
    const answer = await move(c, { parentId: root, before: a })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, (await send(shop.viewer, 'GET', `${PATH}/${c}`)).body)
    assert.deepEqual(await childrenOf(root), [c, a, b])
    await move(a, { parentId: root, before: null })
    assert.deepEqual(await childrenOf(root), [c, b, a])
    await move(a, { parentId: c })
    assert.deepEqual([await childrenOf(root), await childrenOf(c)], [[c, b], [a]])
    await move(a, { parentId: root, before: b })
    assert.deepEqual(await childrenOf(root), [c, a, b])
  })

  it('takes any order, one move after another, as a list would', async () => {
    const root = await category('root')
    const ids: string[] = []
    for (let n = 0; n < 6; n += 1) ids.push(await category('x', root))
    for (let n = 0; n < 40; n += 1) {
      const [from, to] = [(n * 7) % ids.length, (n * 5) % (ids.length + 1)]
      const [id] = ids.splice(from, 1)
      const before = ids[Math.min(to, ids.length)] ?? null
      ids.splice(before === null ? ids.length : ids.indexOf(before), 0, id!)
      assert.equal((await move(id!, { parentId: root, before })).status, 200)
      assert.deepEqual(await childrenOf(root), ids, `move ${n}`)
    }
  })

  it('refuses a parent below itself or in another catalog, and a neighbour that is no sibling', async () => {
    const root = await category('root')
    const child = await category('child', root)
    const other = await category('other')
    assertRefused(await move(root, { parentId: child }), 'VALIDATION_ERROR', 'parentId')
    assertRefused(await move(root, { parentId: root }), 'VALIDATION_ERROR', 'parentId')
    assertRefused(await move(root, { parentId: 'elsewhere' }), 'VALIDATION_ERROR', 'parentId', 'elsewhere')
    for (const before of [other, child, 'gone'])
      assertRefused(await move(child, { parentId: root, before }), 'VALIDATION_ERROR', 'before', before)
    assertRefused(await move(child, { before: null }), 'VALIDATION_ERROR', 'parentId')
    assert.deepEqual(await childrenOf(root), [child])
  })
})

/** Records in a category, in its order. */
async function recordsIn(id: string, query = ''): Promise<string[]> {
  const { body } = await send<{ items: { id: string }[]; total: number }>(
    shop.viewer,
    'GET',
    `${PATH}/${id}/records${query}`,
  )
  return body.items.map((item) => item.id)
}

async function fill(id: string, count: number, sortOrder = 0): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    const record = await makeShirt(shop.admin, {})
    await send(shop.editor, 'PUT', `/api/v1/records/${record.id}/categories`, [{ categoryId: id, sortOrder }])
    ids.push(record.id)
  }
  return ids
}

describe('PUT /api/v1/categories/:id/records/order', () => {
  const order = (id: string, recordIds: unknown) =>
    send(shop.editor, 'PUT', `${PATH}/${id}/records/order`, { recordIds })

  it('needs categories.write, and a category', async () => {
    const endpoint = (id: string) => ({ method: 'PUT', path: `${PATH}/${id}/records/order`, body: { recordIds: [] } })
    await assertGuarded(shop, endpoint('elsewhere'), 'categories.write')
    await assertNotFound(shop.editor, 'Category', endpoint)
  })

  it('gives the records of a category this order; what changes is a change of its record', async () => {
    const id = await category('order')
    const [a, b, c] = await fill(id, 3)
    const answer = await order(id, [c, a, b])
    assert.equal(answer.status, 200)
    const expected = [c, a, b].map((entityId, index) => ({ entityId, categoryId: id, sortOrder: index + 1 }))
    assert.deepEqual(answer.body, expected)
    assert.deepEqual(await recordsIn(id), [c, a, b])
    const [latest] = await readAudit(shop.admin, c!)
    assert.deepEqual(latest!.changes, [
      {
        field: 'categories',
        oldValue: [{ categoryId: id, sortOrder: 0 }],
        newValue: [{ categoryId: id, sortOrder: 1 }],
      },
    ] as never)
    const before = (await readAudit(shop.admin, c!)).length
    await order(id, [c, b, a])
    assert.equal((await readAudit(shop.admin, c!)).length, before, 'what stays is no change')
  })

  it('takes exactly the records of the category itself', async () => {
    const id = await category('exact')
    const [a, b] = await fill(id, 2)
    const [below] = await fill(await category('below', id), 1)
    const refused = async (recordIds: unknown, ...named: string[]) =>
      assertRefused(await order(id, recordIds), 'VALIDATION_ERROR', 'recordIds', ...named)
    await refused([a], b!)
    await refused([a, b, below], below!)
    await refused([a, b, 'gone'], 'gone')
    await refused([a, b, a], a!)
    await refused('x')
    await refused(
      Array.from({ length: 10_001 }, () => 'x'),
      '10000',
    )
    assert.deepEqual(await recordsIn(id), [a, b])
  })
})

describe('POST /api/v1/categories/:id/records/move', () => {
  const move = (id: string, body: object) =>
    send<{ sortOrder: number }>(shop.editor, 'POST', `${PATH}/${id}/records/move`, body)

  it('needs categories.write, and a category', async () => {
    const endpoint = (id: string) => ({ method: 'POST', path: `${PATH}/${id}/records/move`, body: { recordId: 'x' } })
    await assertGuarded(shop, endpoint('elsewhere'), 'categories.write')
    await assertNotFound(shop.editor, 'Category', endpoint)
  })

  it('puts a record before another one or last, one move after another, as a list would', async () => {
    const id = await category('moves')
    const ids = await fill(id, 5)
    for (let n = 0; n < 30; n += 1) {
      const [from, to] = [(n * 3) % ids.length, (n * 4) % (ids.length + 1)]
      const [recordId] = ids.splice(from, 1)
      const before = ids[Math.min(to, ids.length)] ?? null
      ids.splice(before === null ? ids.length : ids.indexOf(before), 0, recordId!)
      const answer = await move(id, { recordId, before })
      assert.equal(answer.status, 200)
      const { body, headers } = await send<{ categoryId: string }[]>(
        shop.viewer,
        'GET',
        `/api/v1/records/${recordId}/categories`,
      )
      const placed = body.find(({ categoryId }) => categoryId === id)
      assert.deepEqual([answer.body, answer.headers.get('etag')], [placed, headers.get('etag')])
      assert.deepEqual(await recordsIn(id), ids, `move ${n}`)
    }
  })

  it('changes nothing where it stands there already, and keeps the other categories of the record', async () => {
    const [id, other] = [await category('kept'), await category('other')]
    const [a, b] = await fill(id, 2, 7)
    const places = [
      { categoryId: id, sortOrder: 7 },
      { categoryId: other, sortOrder: 3 },
    ]
    await send(shop.editor, 'PUT', `/api/v1/records/${b}/categories`, places)
    const entries = (await readAudit(shop.admin, b!)).length
    await move(id, { recordId: b, before: null })
    assert.equal((await readAudit(shop.admin, b!)).length, entries)
    await move(id, { recordId: b, before: a })
    assert.deepEqual(await recordsIn(id), [b, a])
    assert.deepEqual(await recordsIn(other), [b])
  })

  it('refuses records that are not in the category itself', async () => {
    const id = await category('own')
    const [a] = await fill(id, 1)
    const [below] = await fill(await category('below', id), 1)
    for (const recordId of [below, 'gone'])
      assertRefused(await move(id, { recordId, before: null }), 'VALIDATION_ERROR', 'recordId', recordId!)
    assertRefused(await move(id, { recordId: a, before: below }), 'VALIDATION_ERROR', 'before', below!)
    assertRefused(await move(id, { recordId: a, before: a }), 'VALIDATION_ERROR', 'before')
    assertRefused(await move(id, {}), 'VALIDATION_ERROR', 'recordId')
  })
})

describe('What a category has with those below it', () => {
  let root: string, left: string, right: string, leaf: string
  let ids: string[]
  beforeEach(async () => {
    root = await category('tree')
    left = await category('left', root)
    right = await category('right', root)
    leaf = await category('leaf', left)
    ids = await fill(leaf, 2)
    const [one, two] = [await makeShirt(shop.admin, {}), await makeShirt(shop.admin, {})]
    ids.push(one.id, two.id)
    const all = [root, left, right, leaf].map((categoryId) => ({ categoryId }))
    await send(shop.editor, 'PUT', `/api/v1/records/${one.id}/categories`, all)
    await send(shop.editor, 'PUT', `/api/v1/records/${two.id}/categories`, [{ categoryId: right }])
  })

  it('counts: each record once, in itself and with those below', async () => {
    const byId = new Map((await list('?counts=direct,total')).map((one) => [one.id, one.counts]))
    assert.deepEqual(byId.get(root), { direct: 1, total: 4 })
    assert.deepEqual(byId.get(left), { direct: 1, total: 3 })
    assert.deepEqual(byId.get(right), { direct: 2, total: 2 })
    assert.deepEqual(byId.get(leaf), { direct: 3, total: 3 })
    await send(shop.admin, 'DELETE', `/api/v1/records/${ids[0]}`)
    assert.deepEqual((await list('?counts=total')).find(({ id }) => id === root)!.counts, { total: 3 })
    assert.deepEqual((await list('?counts=direct')).find(({ id }) => id === leaf)!.counts, { direct: 2 })
    assert.ok((await list()).every((one) => !('counts' in one)))
    const { body } = await send<CategoryBody[]>(
      shop.viewer,
      'GET',
      '/api/v1/catalogs/cat-other/categories?counts=direct,total',
    )
    assert.deepEqual(
      body.map(({ counts }) => counts),
      [{ direct: 0, total: 0 }],
    )
    assertRefused(await send(shop.viewer, 'GET', `${CATEGORIES}?counts=all`), 'VALIDATION_ERROR', 'counts')
    assertRefused(await send(shop.viewer, 'GET', '/api/v1/catalogs/gone/categories?counts=total'), 'NOT_FOUND', 'gone')
  })

  it('records: with includeChildren each once, in the order of creation, page by page', async () => {
    assert.deepEqual(await recordsIn(root, '?includeChildren=true'), ids)
    assert.deepEqual(await recordsIn(left, '?includeChildren=true'), ids.slice(0, 3))
    assert.deepEqual(await recordsIn(root, '?includeChildren=false'), [ids[2]])
    const page = await send<{ items: { id: string }[]; total: number; offset: number; limit: number }>(
      shop.clerk,
      'GET',
      `${PATH}/${root}/records?includeChildren=true&limit=2&offset=1`,
    )
    assert.deepEqual([page.body.items.map(({ id }) => id), page.body.total], [ids.slice(1, 3), 4])
    assertRefused(
      await send(shop.viewer, 'GET', `${PATH}/${root}/records?includeChildren=1`),
      'VALIDATION_ERROR',
      'includeChildren',
    )
    assertRefused(await send(shop.viewer, 'GET', `${PATH}/gone/records?includeChildren=true`), 'NOT_FOUND', 'gone')
  })

  for (const query of [
    'includeChildren=false',
    'includeChildren=true',
    'include=version',
    'includeChildren=true&select=',
  ]) {
    it(`records: a cursor goes on behind the last one, whatever comes and goes before it (${query})`, async () => {
      const id = await category('pages')
      const [first, ...others] = await fill(id, 5)
      const page = async (more: string): Promise<[string[], string]> => {
        const answer = await send<{ items: { id: string }[] }>(
          shop.viewer,
          'GET',
          `${PATH}/${id}/records?limit=2&${query}${more}`,
        )
        assert.equal(answer.status, 200)
        return [answer.body.items.map((item) => item.id), answer.headers.get('X-Next-Cursor') ?? '']
      }
      const [one, cursor] = await page('')
      assert.deepEqual(one, [first, others[0]])
      await send(shop.admin, 'DELETE', `/api/v1/records/${others[0]}`)
      const [two, next] = await page(`&after=${cursor}`)
      assert.deepEqual(two, others.slice(1, 3))
      assert.deepEqual(await page(`&after=${next}`), [[others[3]], ''])
      for (const wrong of [`after=${cursor}&offset=1`, 'after=none'])
        assertRefused(
          await send(shop.viewer, 'GET', `${PATH}/${id}/records?${query}&${wrong}`),
          'VALIDATION_ERROR',
          wrong.includes('offset') ? 'offset' : 'after',
        )
      const elsewhere = `${PATH}/${root}/records?${query}&after=${cursor}`
      assertRefused(await send(shop.viewer, 'GET', elsewhere), 'VALIDATION_ERROR', 'after')
    })
  }

  it('hides what the role may not read, there too', async () => {
    const id = await category('hidden')
    const record = await makeShirt(shop.admin, { price: [{ scope: {}, value: { amount: 1, currency: 'EUR' } }] })
    await send(shop.editor, 'PUT', `/api/v1/records/${record.id}/categories`, [{ categoryId: id }])
    const answer = await send(shop.clerk, 'GET', `${PATH}/${id}/records?includeChildren=true`)
    assert.doesNotMatch(answer.text, /price/)
  })
})
