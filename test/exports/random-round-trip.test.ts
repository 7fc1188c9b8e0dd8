// An export of own values, imported into an empty workspace, makes the same records: random models and records of them, in each format
// that an import reads, and the categories that a column of paths has. Contract 3 §4, 3 §5 (`variantValues`, `categoryPath`).
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { XLSX_TYPE } from '../../src/imports/rules/media-types.ts'
import { send } from '../helpers/answers.ts'
import { anyWorkspace, type DrawnWorkspace } from '../helpers/drawn-model.ts'
import { counts, CSV, importFile, lines, NDJSON } from '../helpers/importing.ts'
import { nameScope } from '../helpers/scope-oracle.ts'
import { startServer, type TestServer } from '../helpers/server.ts'
import { make, type RecordBody } from '../helpers/shirts.ts'

const ROUNDS = Number(process.env['TEST_ROUND_TRIPS'] ?? 2)
const FORMATS = [
  ['csv', CSV],
  ['jsonl', NDJSON],
  ['xlsx', XLSX_TYPE],
] as const

const CATALOG = 'cat-drawn'
const COLUMNS = [
  { header: 'Nr', field: 'id' },
  { header: 'Teil von', field: 'parentId' },
  { header: 'Wo', categoryPath: CATALOG },
]
const MAPPED = [
  { header: 'Nr', to: { field: 'id' } },
  { header: 'Teil von', to: { field: 'parentId' } },
  { header: 'Wo', to: { field: 'categories' } },
]

let server: TestServer
before(async () => {
  server = await startServer({ maxRecords: 0 })
  await make(server.admin, '/api/v1/catalogs', { id: CATALOG, name: 'Drawn' })
})
after(() => server.stop())

/** What an import can bring back, without an order of records and of scoped values. */
async function readRecords(): Promise<unknown[]> {
  const { body } = await send<{ items: RecordBody[] }>(server.admin, 'GET', '/api/v1/records?limit=1000&sort=id')
  return body.items.map(({ id, schemaId, parentId, values }) => {
    const sorted = Object.entries(values).map(([alias, scoped]): [string, string[]] => [
      alias,
      scoped.map(({ scope, value }) => `${nameScope(scope)} ${JSON.stringify(value)}`).sort(),
    ])
    return { id, schemaId, parentId, values: Object.fromEntries(sorted) }
  })
}

interface DrawnCategory {
  readonly id: string
  readonly name: string
  readonly parentId: string | null
}

const CATEGORY_NAMES = ['Men', 'Shirts', 'on/off', '007', '"', 'x,y;', '=1+1', "O'Größe"]

/** Parents before what is below them. Of one name there is one category at a place: an import knows them by their paths. */
const anyCategories = fc
  .array(fc.tuple(fc.constantFrom(...CATEGORY_NAMES), fc.nat(20)), { minLength: 1, maxLength: 8, size: 'max' })
  .map((drawn) => {
    const categories: DrawnCategory[] = []
    for (const [name, above] of drawn) {
      const parentId = categories[above % (categories.length + 1)]?.id ?? null
      if (categories.some((other) => other.name === name && other.parentId === parentId)) continue
      categories.push({ id: `ctg-${categories.length}`, name, parentId })
    }
    return categories
  })
/** Of each record, which of the categories it is in. */
const anyPlaces = fc.array(fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), { minLength: 14, maxLength: 14 })

async function readPlaces(): Promise<unknown[]> {
  const path = '/api/v1/records?limit=1000&sort=id&include=categories'
  const { body } = await send<{ items: (RecordBody & { categories: { categoryId: string }[] })[] }>(
    server.admin,
    'GET',
    path,
  )
  // IDs that differ in case alone stand in the order of creation, which is another one after an import.
  const items = body.items.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  return items.map(({ id, parentId, categories }) => [id, parentId, categories.map((one) => one.categoryId)])
}

/** The records, without values, and their categories: exported as paths, and brought back by a profile. */
async function takeCategories(
  drawn: DrawnWorkspace,
  categories: readonly DrawnCategory[],
  places: readonly (readonly boolean[])[],
): Promise<void> {
  const { records, schemas } = drawn
  await importFile(server.admin, lines(...records.map(({ values: _values, ...head }) => ({ ...head, values: {} }))))
  for (const category of categories) await make(server.admin, `/api/v1/catalogs/${CATALOG}/categories`, category)
  for (const [index, { id }] of records.entries()) {
    const body = categories.filter((_, at) => places[index]![at]).map((category) => ({ categoryId: category.id }))
    assert.equal((await send(server.admin, 'PUT', `/api/v1/records/${id}/categories`, body)).status, 200)
  }
  for (const { id } of schemas) {
    const profile = { id: `ipr-${id}`, name: id, schemaId: id, mode: 'create', columns: MAPPED }
    await make(server.admin, '/api/v1/import-profiles', profile)
  }
  const first = await readPlaces()
  for (const [format, type] of FORMATS.filter((one) => one[0] !== 'jsonl')) {
    const files = await Promise.all(schemas.map(({ id }) => exportAll(format, { schemaId: id, columns: COLUMNS })))
    await removeRecords(drawn)
    for (const [index, { id }] of schemas.entries()) {
      const back = await importFile(server.admin, files[index]!, `profile=ipr-${id}`, type)
      assert.equal(back.failed, 0, `${format}: ${JSON.stringify(back.errors)}`)
    }
    assert.deepEqual(await readPlaces(), first, format)
  }
  await removeRecords(drawn)
}

async function exportAll(format: string, more: object = {}): Promise<Buffer> {
  const response = await fetch(`${server.url}/api/v1/records/export`, {
    method: 'POST',
    headers: { ...server.admin.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ criteria: [], criteriaOperator: 'and', format, variantValues: 'own', ...more }),
  })
  assert.equal(response.status, 200)
  return Buffer.from(await response.arrayBuffer())
}

async function remove(path: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const { status, text } = await send(server.admin, 'DELETE', `/api/v1/${path}/${id}`)
    assert.equal(status, 204, text)
  }
}
async function removeRecords(drawn: DrawnWorkspace): Promise<void> {
  await clearReferences(drawn)
  await remove(
    'records',
    drawn.records.filter(({ parentId }) => parentId === undefined).map(({ id }) => id),
  )
}

/** Records that lists name cannot be deleted, and lists may name each other's records. */
async function clearReferences({ records, schemas }: DrawnWorkspace): Promise<void> {
  for (const { id, schemaId } of records) {
    const { attributes } = schemas.find((schema) => schema.id === schemaId)!
    const lists = attributes
      .filter(({ dataType }) => dataType === 'references')
      .map(({ alias }) => [alias, []] as const)
    if (lists.length > 0)
      await send(server.admin, 'PUT', `/api/v1/records/${id}`, { values: Object.fromEntries(lists) })
  }
}

/** An export in each format, into a workspace with the same model and nothing else. */
async function takeRoundTrips(drawn: DrawnWorkspace): Promise<void> {
  const { records } = drawn
  const imported = await importFile(server.admin, lines(...records))
  assert.equal(imported.created, records.length, JSON.stringify(imported.errors))
  const first = await readRecords()
  for (const [format, type] of FORMATS) {
    const file = await exportAll(format)
    const again = await importFile(server.admin, file, 'mode=upsert', type)
    assert.deepEqual(await readRecords(), first, `${format} again`)
    assert.deepEqual(counts(again), [0, 0, records.length, 0], `${format} again: ${JSON.stringify(again.errors)}`)
    await removeRecords(drawn)
    const back = await importFile(server.admin, file, '', type)
    assert.deepEqual(counts(back), [records.length, 0, 0, 0], `${format}: ${JSON.stringify(back.errors)}`)
    assert.deepEqual(await readRecords(), first, format)
  }
  await removeRecords(drawn)
}

describe('An export of own values, imported into an empty workspace', () => {
  it('makes the same records, whatever the model and its values are', async () => {
    const property = fc.asyncProperty(anyWorkspace, anyCategories, anyPlaces, async (drawn, categories, places) => {
      for (const body of drawn.dimensions) await make(server.admin, '/api/v1/dimensions', body)
      for (const body of drawn.schemas) await make(server.admin, '/api/v1/schemas', body)
      try {
        await takeRoundTrips(drawn)
        await takeCategories(drawn, categories, places)
      } finally {
        await clearReferences(drawn)
        for (const { id } of drawn.records) await send(server.admin, 'DELETE', `/api/v1/records/${id}`)
        for (const { id } of drawn.schemas) await send(server.admin, 'DELETE', `/api/v1/import-profiles/ipr-${id}`)
        for (const { id } of categories.toReversed()) await send(server.admin, 'DELETE', `/api/v1/categories/${id}`)
        await remove(
          'schemas',
          drawn.schemas.map(({ id }) => id),
        )
        await remove(
          'dimensions',
          drawn.dimensions.map(({ id }) => id),
        )
      }
    })
    await fc.assert(property, { numRuns: ROUNDS, endOnFailure: true })
  })
})
