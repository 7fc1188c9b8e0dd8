import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { assertGuarded, assertNotFound } from '../../../helpers/ladder.ts'
import { make, makeShirt, startWorkspace, type Workspace } from '../../../helpers/shirts.ts'

interface CategoryBody {
  id: string
  catalogId: string
  parentId: string | null
  name: string
  sortOrder: number
}

const IN_SHOP = '/api/v1/catalogs/cat-shop/categories'
const PATH = '/api/v1/categories'

let shop: Workspace
before(async () => {
  shop = await startWorkspace()
  await make(shop.admin, '/api/v1/catalogs', { id: 'cat-shop', name: 'Shop' })
  await make(shop.admin, '/api/v1/catalogs', { id: 'cat-other', name: 'Other' })
  await make(shop.admin, '/api/v1/catalogs/cat-other/categories', { id: 'elsewhere', name: 'Elsewhere' })
})
after(() => shop.stop())

const add = (body: object): Promise<CategoryBody> => make<CategoryBody>(shop.editor, IN_SHOP, { name: 'C', ...body })
const put = (id: string, body: object) =>
  send<CategoryBody>(shop.editor, 'PUT', `${PATH}/${id}`, { name: 'C', ...body })
const read = (id: string) => send<CategoryBody>(shop.viewer, 'GET', `${PATH}/${id}`)

describe('POST /api/v1/catalogs/:id/categories', () => {
  it('needs categories.write', () =>
    assertGuarded(shop, { method: 'POST', path: IN_SHOP, body: { name: 'C' } }, 'categories.write'))

  it('answers 201 with the category, a root with sort order 0 where nothing else is said', async () => {
    const { status, body } = await send<CategoryBody>(shop.editor, 'POST', IN_SHOP, {
      name: 'Shirts',
      catalogId: 'cat-other',
    })
    assert.equal(status, 201)
    assert.match(body.id, /^ctg-[0-9a-z]{20,}$/)
    assert.deepEqual(body, { id: body.id, catalogId: 'cat-shop', parentId: null, name: 'Shirts', sortOrder: 0 })
    assert.deepEqual((await read(body.id)).body, body)
  })

  it('an unknown catalog is 404', () =>
    assertNotFound(shop.editor, 'Catalog', (id) => ({
      method: 'POST',
      path: `/api/v1/catalogs/${id}/categories`,
      body: { name: 'C' },
    })))

  it('a duplicate ID is a CONFLICT, in another catalog too', async () => {
    assertRefused(
      await send(shop.editor, 'POST', IN_SHOP, { id: 'elsewhere', name: 'C' }),
      'CONFLICT',
      'Category',
      'elsewhere',
    )
    assert.equal((await read('elsewhere')).body.catalogId, 'cat-other')
  })

  it('refuses bad input, naming the field', async () => {
    for (const [changes, field] of [
      [{ name: undefined }, 'name is required'],
      [{ sortOrder: '1' }, 'sortOrder'],
      [{ parentId: 5 }, 'parentId'],
      [{ parentId: 'gone' }, "parentId names 'gone'"],
      [{ parentId: 'constructor' }, "parentId names 'constructor'"],
      [{ parentId: 'elsewhere' }, "parentId names 'elsewhere'"],
      [{ id: 'self', parentId: 'self' }, 'parentId'],
      [{ id: 'a b' }, 'id'],
    ] as const)
      assertRefused(await send(shop.editor, 'POST', IN_SHOP, { name: 'C', ...changes }), 'VALIDATION_ERROR', field)
  })
})

describe('GET /api/v1/catalogs/:id/categories and GET /api/v1/categories/:id', () => {
  it('need model.read', async () => {
    await assertGuarded(shop, { method: 'GET', path: IN_SHOP }, 'model.read')
    await assertGuarded(shop, { method: 'GET', path: `${PATH}/elsewhere` }, 'model.read')
  })

  it('list the whole tree by sort order, then in the order of creation', async () => {
    await make(shop.admin, '/api/v1/catalogs', { id: 'cat-tree', name: 'Tree' })
    const path = '/api/v1/catalogs/cat-tree/categories'
    await make(shop.admin, path, { id: 't-last', name: 'Last', sortOrder: 7 })
    await make(shop.admin, path, { id: 't-z', name: 'Z', parentId: 't-last' })
    await make(shop.admin, path, { id: 't-a', name: 'A', parentId: 't-last' })
    await make(shop.admin, path, { id: 't-first', name: 'First', sortOrder: -1 })
    const { body } = await send<CategoryBody[]>(shop.viewer, 'GET', path)
    assert.deepEqual(
      body.map(({ id, parentId }) => [id, parentId]),
      [
        ['t-first', null],
        ['t-z', 't-last'],
        ['t-a', 't-last'],
        ['t-last', null],
      ],
    )
  })

  it('an unknown catalog or category is 404', async () => {
    await assertNotFound(shop.viewer, 'Catalog', (id) => ({ method: 'GET', path: `/api/v1/catalogs/${id}/categories` }))
    await assertNotFound(shop.viewer, 'Category', (id) => ({ method: 'GET', path: `${PATH}/${id}` }))
  })
})

describe('PUT /api/v1/categories/:id', () => {
  it('needs categories.write', () =>
    assertGuarded(shop, { method: 'PUT', path: `${PATH}/elsewhere`, body: { name: 'C' } }, 'categories.write'))

  it('an unknown category is 404', () =>
    assertNotFound(shop.editor, 'Category', (id) => ({ method: 'PUT', path: `${PATH}/${id}`, body: { name: 'C' } })))

  it('renames, sorts and moves; what is left out goes to its default, the catalog stays', async () => {
    await add({ id: 'above' })
    await add({ id: 'moving', parentId: 'above', sortOrder: 3 })
    const { status, body } = await put('moving', { id: 'other', catalogId: 'cat-other', name: 'Moved' })
    assert.equal(status, 200)
    assert.deepEqual(body, { id: 'moving', catalogId: 'cat-shop', parentId: null, name: 'Moved', sortOrder: 0 })
    assert.deepEqual((await read('moving')).body, body)
    assert.equal((await put('moving', { parentId: 'above' })).body.parentId, 'above')
  })

  it('a category cannot hang under itself, under one below it, or in another catalog', async () => {
    await add({ id: 'top' })
    await add({ id: 'middle', parentId: 'top' })
    await add({ id: 'bottom', parentId: 'middle' })
    for (const parentId of ['top', 'middle', 'bottom', 'elsewhere', 'gone'])
      assertRefused(await put('top', { parentId }), 'VALIDATION_ERROR', 'parentId')
    assert.equal((await read('top')).body.parentId, null)
    assert.equal((await put('bottom', { parentId: 'top' })).status, 200)
  })

  it('moves at the same moment make no cycle', async () => {
    await add({ id: 'left' })
    await add({ id: 'right' })
    const answers = await Promise.all([put('left', { parentId: 'right' }), put('right', { parentId: 'left' })])
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 400]))
  })
})

describe('DELETE /api/v1/categories/:id', () => {
  it('needs categories.write', () =>
    assertGuarded(shop, { method: 'DELETE', path: `${PATH}/elsewhere` }, 'categories.write'))

  it('an unknown category is 404', () =>
    assertNotFound(shop.editor, 'Category', (id) => ({ method: 'DELETE', path: `${PATH}/${id}` })))

  it('a category that has children is kept; without them it goes, and its assignments with it', async () => {
    await add({ id: 'parent' })
    await add({ id: 'child', parentId: 'parent' })
    const shirt = await makeShirt(shop.admin, {})
    const assignments = `/api/v1/records/${shirt.id}/categories`
    await send(shop.editor, 'PUT', assignments, [{ categoryId: 'parent' }, { categoryId: 'child' }])
    assertRefused(await send(shop.editor, 'DELETE', `${PATH}/parent`), 'CONFLICT', 'parent', 'child')
    for (const id of ['child', 'parent']) {
      const { status, text } = await send(shop.editor, 'DELETE', `${PATH}/${id}`)
      assert.deepEqual([status, text], [204, ''])
      assert.equal((await read(id)).status, 404)
    }
    assert.deepEqual((await send(shop.admin, 'GET', assignments)).body, [])
    assert.equal((await send(shop.admin, 'GET', `/api/v1/records/${shirt.id}`)).status, 200)
  })
})
