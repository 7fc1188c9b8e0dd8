// The model of a real catalogue is taken as it is written, survives a restart, and protects what its records use.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../helpers/answers.ts'
import { readRealCatalogue, type RealCatalogue, withRealCatalogue } from '../helpers/real-catalogue.ts'
import { startServer, type TestServer } from '../helpers/server.ts'
import { make } from '../helpers/shirts.ts'

describe('The model of the real catalogue', withRealCatalogue, () => {
  let server: TestServer
  let model: RealCatalogue['model']

  before(async () => {
    ;({ model } = readRealCatalogue())
    server = await startServer()
    for (const dimension of model.dimensions) await make(server.admin, '/api/v1/dimensions', dimension)
    for (const schema of model.schemas) await make(server.admin, '/api/v1/schemas', schema)
    for (const catalog of model.catalogs) await make(server.admin, '/api/v1/catalogs', catalog)
    for (const category of model.categories)
      await make(server.admin, `/api/v1/catalogs/${category.catalogId}/categories`, category)
    server = await server.restart()
  })
  after(() => server.stop())

  const read = async (path: string): Promise<unknown> => (await send(server.admin, 'GET', path)).body

  it('is read back with all that was said, defaults added', async () => {
    assert.deepEqual(await read('/api/v1/dimensions'), model.dimensions)
    assert.deepEqual(await read('/api/v1/catalogs'), model.catalogs)
    for (const schema of model.schemas) assertHolds(await read(`/api/v1/schemas/${schema.id}`), schema, schema.id)
    for (const category of model.categories) assert.deepEqual(await read(`/api/v1/categories/${category.id}`), category)
  })

  it('is the same when it is sent back', async () => {
    for (const resource of ['dimensions', 'schemas', 'workflows']) {
      for (const item of (await read(`/api/v1/${resource}`)) as { id: string; updatedAt?: string }[]) {
        const { status, body } = await send<{ updatedAt?: string }>(
          server.admin,
          'PUT',
          `/api/v1/${resource}/${item.id}`,
          item,
        )
        assert.equal(status, 200)
        assert.deepEqual({ ...body, updatedAt: undefined }, { ...item, updatedAt: undefined })
      }
    }
  })

  it('keeps what it needs: dimensions, parents of categories, the catalog', async () => {
    for (const { id } of model.dimensions)
      assertRefused(await send(server.admin, 'DELETE', `/api/v1/dimensions/${id}`), 'CONFLICT', id)
    assertRefused(
      await send(server.admin, 'DELETE', `/api/v1/categories/${model.categories[0]!.id}`),
      'CONFLICT',
      'children',
    )
    assertRefused(
      await send(server.admin, 'DELETE', `/api/v1/catalogs/${model.catalogs[0]!.id}`),
      'CONFLICT',
      'categories',
    )
  })
})

/** All of `expected` is in `actual`, which may say more. */
function assertHolds(actual: unknown, expected: unknown, path: string): void {
  if (typeof expected !== 'object' || expected === null) return assert.equal(actual, expected, path)
  if (Array.isArray(expected)) assert.equal((actual as unknown[]).length, expected.length, path)
  for (const [key, member] of Object.entries(expected))
    assertHolds((actual as Record<string, unknown>)[key], member, `${path}.${key}`)
}
