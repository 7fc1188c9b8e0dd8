import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { assertGuarded, assertNotFound } from '../../../helpers/ladder.ts'
import { make, startWorkspace, type Workspace } from '../../../helpers/shirts.ts'

interface CatalogBody {
  id: string
  name: string
}

const PATH = '/api/v1/catalogs'

let shop: Workspace
before(async () => {
  shop = await startWorkspace()
})
after(() => shop.stop())

const read = (id: string) => send<CatalogBody>(shop.admin, 'GET', `${PATH}/${id}`)

describe('POST /api/v1/catalogs', () => {
  it('needs categories.write', () =>
    assertGuarded(shop, { method: 'POST', path: PATH, body: { name: 'C' } }, 'categories.write'))

  it('answers 201 with the catalog', async () => {
    const { status, body } = await send<CatalogBody>(shop.editor, 'POST', PATH, { name: 'Shop', other: 1 })
    assert.equal(status, 201)
    assert.match(body.id, /^cat-[0-9a-z]{20,}$/)
    assert.deepEqual(body, { id: body.id, name: 'Shop' })
    assert.deepEqual((await read(body.id)).body, body)
  })

  it('a duplicate ID is a CONFLICT, bad input is refused by field', async () => {
    await make(shop.editor, PATH, { id: 'toString', name: 'First' })
    assertRefused(
      await send(shop.editor, 'POST', PATH, { id: 'toString', name: 'Second' }),
      'CONFLICT',
      'Catalog',
      'toString',
    )
    assert.equal((await read('toString')).body.name, 'First')
    assertRefused(await send(shop.editor, 'POST', PATH, {}), 'VALIDATION_ERROR', 'name is required')
    assertRefused(await send(shop.editor, 'POST', PATH, { id: 'a b', name: 'C' }), 'VALIDATION_ERROR', 'id')
  })
})

describe('GET /api/v1/catalogs and GET /api/v1/catalogs/:id', () => {
  it('needs model.read', async () => {
    await make(shop.admin, PATH, { id: 'cat-read', name: 'Read' })
    await assertGuarded(shop, { method: 'GET', path: PATH }, 'model.read')
    await assertGuarded(shop, { method: 'GET', path: `${PATH}/cat-read` }, 'model.read')
  })

  it('lists catalogs in the order of their creation', async () => {
    await make(shop.admin, PATH, { id: 'cat-z', name: 'Z' })
    await make(shop.admin, PATH, { id: 'cat-a', name: 'A' })
    const { body } = await send<CatalogBody[]>(shop.viewer, 'GET', PATH)
    assert.deepEqual(body.slice(-2), [
      { id: 'cat-z', name: 'Z' },
      { id: 'cat-a', name: 'A' },
    ])
  })

  it('an unknown catalog is 404', () =>
    assertNotFound(shop.admin, 'Catalog', (id) => ({ method: 'GET', path: `${PATH}/${id}` })))
})

describe('PUT /api/v1/catalogs/:id', () => {
  it('needs categories.write', () =>
    assertGuarded(shop, { method: 'PUT', path: `${PATH}/gone`, body: { name: 'C' } }, 'categories.write'))

  it('renames the catalog; the ID in the path wins', async () => {
    await make(shop.admin, PATH, { id: 'cat-put', name: 'Before' })
    const { status, body } = await send(shop.editor, 'PUT', `${PATH}/cat-put`, { id: 'other', name: 'After' })
    assert.equal(status, 200)
    assert.deepEqual(body, { id: 'cat-put', name: 'After' })
    assert.deepEqual((await read('cat-put')).body, body)
    assertRefused(await send(shop.editor, 'PUT', `${PATH}/cat-put`, { name: '' }), 'VALIDATION_ERROR', 'name')
  })

  it('an unknown catalog is 404', () =>
    assertNotFound(shop.admin, 'Catalog', (id) => ({ method: 'PUT', path: `${PATH}/${id}`, body: { name: 'C' } })))
})

describe('DELETE /api/v1/catalogs/:id', () => {
  it('needs categories.write', () =>
    assertGuarded(shop, { method: 'DELETE', path: `${PATH}/gone` }, 'categories.write'))

  it('an unknown catalog is 404', () =>
    assertNotFound(shop.admin, 'Catalog', (id) => ({ method: 'DELETE', path: `${PATH}/${id}` })))

  it('a catalog that has categories is kept, and goes when they are gone', async () => {
    await make(shop.admin, PATH, { id: 'cat-kept', name: 'Kept' })
    await make(shop.admin, `${PATH}/cat-kept/categories`, { id: 'ctg-kept', name: 'C' })
    assertRefused(await send(shop.editor, 'DELETE', `${PATH}/cat-kept`), 'CONFLICT', 'cat-kept', 'ctg-kept')
    assert.equal((await send(shop.editor, 'DELETE', '/api/v1/categories/ctg-kept')).status, 204)
    const { status, text } = await send(shop.editor, 'DELETE', `${PATH}/cat-kept`)
    assert.deepEqual([status, text], [204, ''])
    assert.equal((await read('cat-kept')).status, 404)
  })
})
