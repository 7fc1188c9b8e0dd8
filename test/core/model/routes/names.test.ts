// What parts of the model are called in other languages, and how schemas are shown. Contract 3 §7, 3 §11.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { makeShirt, everywhere, make, startWorkspace, type Workspace } from '../../../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace()
})
after(() => shop.stop())

const names = { de: 'Deutsch', 'pt-BR': 'Português', constructor: 'C' }
const put = (path: string, body: object) => send<Record<string, unknown>>(shop.admin, 'PUT', path, body)
const get = async (path: string) => (await send<Record<string, unknown>>(shop.admin, 'GET', path)).body

const schema = {
  name: 'Bike',
  names,
  labelAttribute: 'title',
  groups: [
    { id: 'main', name: 'Main', names, attributeAliases: ['title', 'size'] },
    { id: 'rest', name: 'Rest', attributeAliases: [] },
  ],
  variantAttributes: ['size'],
  attributes: [
    { alias: 'title', name: 'Title', names, dataType: 'text' },
    { alias: 'size', dataType: 'select', options: [{ id: 's', name: 'S', names }, { id: 'm' }] },
  ],
}

/** `part` is in `whole`, which may have more members. */
function assertHas(whole: unknown, part: unknown): void {
  if (Array.isArray(part)) return part.forEach((item, index) => assertHas((whole as unknown[])[index], item))
  if (typeof part !== 'object' || part === null) return assert.deepEqual(whole, part)
  for (const [key, value] of Object.entries(part)) assertHas((whole as Record<string, unknown>)[key], value)
}

describe('Names and the presentation', () => {
  it('of a schema are answered as they were sent, and kept by a PUT of what was read', async () => {
    const made = await make<{ id: string; updatedAt: string }>(shop.admin, '/api/v1/schemas', schema)
    assertHas(made, schema)
    const path = `/api/v1/schemas/${made.id}`
    const before = await get(path)
    assert.deepEqual(before, made)
    const { body: after } = await put(path, { ...before, name: 'Bicycle' })
    assert.deepEqual(after, { ...before, name: 'Bicycle', updatedAt: after['updatedAt'] })
    const { body: plain } = await put(path, { name: 'Bike', attributes: [{ alias: 'title', dataType: 'text' }] })
    for (const member of ['names', 'labelAttribute', 'groups', 'variantAttributes'])
      assert.ok(!(member in plain), member)
  })

  it('of states and transitions are kept by a PUT of what was read', async () => {
    const path = '/api/v1/workflows/wf-named'
    const names = { de: 'Neu', constructor: 'x' }
    const sent = {
      id: 'wf-named',
      name: 'Named',
      initialStateId: 'new',
      states: [{ id: 'new', name: 'New', names }],
      transitions: [
        { id: 'again', name: 'Again', names, fromStateId: 'new', toStateId: 'new', allowedRoleIds: ['role-admin'] },
      ],
    }
    const made = await make<Record<string, unknown>>(shop.admin, '/api/v1/workflows', sent)
    assert.deepEqual(made, { ...sent, transitions: [{ ...sent.transitions[0], requiresCompleteness: false }] })
    assert.deepEqual((await put(path, made)).body, await get(path))
  })

  it('are kept while stored values are dropped with an attribute that no group has any more', async () => {
    const { id } = await make<{ id: string }>(shop.admin, '/api/v1/schemas', schema)
    const path = `/api/v1/schemas/${id}`
    await make(shop.admin, '/api/v1/records', {
      schemaId: id,
      values: { size: everywhere('s'), title: everywhere('A') },
    })
    const attributes = [schema.attributes[0]]
    const gone = await put(`${path}?dropValues=true`, { ...schema, attributes })
    assertRefused(gone, 'VALIDATION_ERROR', 'variantAttributes', "'size'")
    const left = {
      ...schema,
      attributes,
      variantAttributes: ['title'],
      groups: [{ ...schema.groups[0], attributeAliases: ['title'] }],
    }
    assertRefused(await put(path, left), 'CONFLICT', 'size')
    assert.equal((await put(`${path}?dropValues=true`, left)).status, 200)
    assertHas(await get(path), left)
  })

  it('of segments, states and categories are kept by a PUT of what was read', async () => {
    const bodies = {
      '/api/v1/dimensions': { name: 'Region', segments: [{ id: 'north', name: 'North', names }, { id: 'south' }] },
      '/api/v1/workflows': { name: 'W', initialStateId: 'a', states: [{ id: 'a', name: 'A', names }, { id: 'b' }] },
    }
    for (const [path, body] of Object.entries(bodies)) {
      const made = await make<{ id: string }>(shop.admin, path, body)
      assertHas(made, body)
      assert.deepEqual(await get(`${path}/${made.id}`), made)
      assert.deepEqual((await put(`${path}/${made.id}`, made)).body, made)
    }
    const { id: catalogId } = await make<{ id: string }>(shop.admin, '/api/v1/catalogs', { name: 'C' })
    const category = await make<{ id: string }>(shop.admin, `/api/v1/catalogs/${catalogId}/categories`, {
      name: 'X',
      names,
    })
    assertHas(category, { name: 'X', names })
    assert.deepEqual((await put(`/api/v1/categories/${category.id}`, category)).body, category)
    assert.deepEqual(await get(`/api/v1/categories/${category.id}`), category)
    assert.deepEqual(await get(`/api/v1/catalogs/${catalogId}/categories`), [category])
    assert.ok(!('names' in (await put(`/api/v1/categories/${category.id}`, { name: 'X' })).body))
  })

  it('that are none are refused, naming the place', async () => {
    const wrong = { de: '' }
    const refused = async (path: string, body: object, place: string) =>
      assertRefused(await send(shop.admin, 'POST', path, body), 'VALIDATION_ERROR', place)
    await refused('/api/v1/schemas', { ...schema, names: wrong }, 'names')
    await refused('/api/v1/schemas', { ...schema, labelAttribute: 'gone' }, 'labelAttribute')
    const attributes = [{ alias: 'a', dataType: 'select', options: [{ id: 'x', names: wrong }] }]
    await refused('/api/v1/schemas', { name: 'S', attributes }, 'attributes[0].options[0].names')
    await refused('/api/v1/dimensions', { name: 'D', segments: [{ id: 'a', names: [] }] }, 'segments[0].names')
    await refused(
      '/api/v1/workflows',
      { name: 'W', initialStateId: 'a', states: [{ id: 'a', names: 1 }] },
      'states[0].names',
    )
    await make(shop.admin, '/api/v1/catalogs', { id: 'cat-n', name: 'C' })
    await refused('/api/v1/catalogs/cat-n/categories', { name: 'C', names: wrong }, 'names')
  })

  it('change nothing about records', async () => {
    const { id } = await makeShirt(shop.admin, { weight: everywhere(1) })
    const before = await get('/api/v1/schemas/sch-shirt')
    await put('/api/v1/schemas/sch-shirt', { ...before, labelAttribute: 'sku', names })
    assertHas(await get(`/api/v1/records/${id}`), { values: { weight: everywhere(1) } })
  })
})
