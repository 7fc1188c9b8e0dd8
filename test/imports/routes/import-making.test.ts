// Imports that make the options and categories that their files name. Contract 3 §4.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import { type BulkJobBody, undoJob, untilEnded } from '../../helpers/bulk-jobs.ts'
import type { Client } from '../../helpers/client.ts'
import { counts, CSV, importFile, sendImport } from '../../helpers/importing.ts'
import { everywhere, make, readRecord, startWorkspace, type Workspace } from '../../helpers/shirts.ts'

interface MakingBody {
  options: { schemaId: string; attributeAlias: string; id: string; name: string }[]
  otherOptions: number
  categories: { catalogId: string; path: string }[]
  otherCategories: number
}
type Job = BulkJobBody & { making?: MakingBody }
interface Category {
  id: string
  name: string
  parentId: string | null
}

interface Assigned {
  categories: { categoryId: string }[]
}

let shop: Workspace
let number = 0
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/catalogs', { id: 'cat-web', name: 'Web' })
  await make(shop.admin, '/api/v1/catalogs/cat-web/categories', { id: 'ctg-men', name: 'Men' })
})
after(() => shop.stop())

const COLUMNS = [
  { header: 'id', to: { field: 'id' } },
  { header: 'colour', to: { attributeAlias: 'colour' }, createOptions: true },
  { header: 'tags', to: { attributeAlias: 'tags' }, with: [{ split: ',' }], createOptions: true },
  { header: 'group', to: { field: 'categories' }, createCategories: true },
]
/** A schema of its own, and a mapping for it. */
async function mappingOf(more: object = {}) {
  const schemaId = `sch-${(number += 1)}`
  await make(shop.admin, '/api/v1/schemas', {
    id: schemaId,
    name: schemaId,
    attributes: [
      { alias: 'colour', dataType: 'select', options: [{ id: 'red', name: 'Rot', names: { en: 'Red' } }] },
      { alias: 'tags', dataType: 'multiSelect' },
      { alias: 'name', dataType: 'text' },
    ],
  })
  return { schemaId, mode: 'upsert', columns: COLUMNS, ...more }
}
async function uploadOf(file: string, mapping: object, client: Client = shop.admin): Promise<string> {
  const options = { method: 'POST', headers: { ...client.headers, 'content-type': CSV }, body: file }
  const { id } = (await (await fetch(`${client.url}/api/v1/imports?fileName=k.csv`, options)).json()) as { id: string }
  const mapped = await send(client, 'PUT', `/api/v1/imports/${id}/mapping`, mapping)
  assert.equal(mapped.status, 200, mapped.text)
  return id
}
async function begin(id: string, how = 'run', client = shop.admin): Promise<Job> {
  const answer = await send<Job>(client, 'POST', `/api/v1/imports/${id}/${how}`)
  assert.equal(answer.status, 202, answer.text)
  return untilEnded(client, answer.body.id)
}
interface SchemaBody {
  attributes: { alias: string; options: { id: string; name: string }[] }[]
}
const schemaOf = async (id: string) => (await send<SchemaBody>(shop.admin, 'GET', `/api/v1/schemas/${id}`)).body
const optionsOf = async (schemaId: string, alias: string) =>
  (await schemaOf(schemaId)).attributes.find((one) => one.alias === alias)!.options.map(({ id, name }) => [id, name])
const categories = async (catalogId = 'cat-web') =>
  (await send<Category[]>(shop.admin, 'GET', `/api/v1/catalogs/${catalogId}/categories`)).body
const pathsIn = async (catalogId = 'cat-web') => {
  const all = new Map((await categories(catalogId)).map((one) => [one.id, one]))
  const pathOf = ({ name, parentId }: Category): string =>
    parentId === null ? name : `${pathOf(all.get(parentId)!)}/${name}`
  return [...all.values()].map(pathOf).toSorted()
}
const valuesOf = async (id: string) => (await readRecord(shop.admin, id)).values

const FILE = [
  'id;colour;tags;group',
  'x-1;Dark blue;new, Sale %;Men/Shirts',
  'x-2; dark  BLUE;NEW;men / shirts|Women/Hats',
  'x-3;RED;;Men',
  'x-4;Größe;;ctg-men',
  '',
].join('\n')

describe('An import with createOptions and createCategories', () => {
  it('tells in a dry run what it would make, and makes nothing', async () => {
    const mapping = await mappingOf()
    const id = await uploadOf(FILE, mapping)
    const job = await begin(id, 'dry-run')
    assert.deepEqual([job.status, job.created, job.failed], ['succeeded', 4, 0])
    const { schemaId } = mapping
    assert.deepEqual(job.making, {
      options: [
        { schemaId, attributeAlias: 'colour', id: 'dark-blue', name: 'Dark blue' },
        { schemaId, attributeAlias: 'colour', id: 'grosse', name: 'Größe' },
        { schemaId, attributeAlias: 'tags', id: 'new', name: 'new' },
        { schemaId, attributeAlias: 'tags', id: 'sale', name: 'Sale %' },
      ],
      otherOptions: 0,
      categories: [
        { catalogId: 'cat-web', path: 'Men/Shirts' },
        { catalogId: 'cat-web', path: 'Women' },
        { catalogId: 'cat-web', path: 'Women/Hats' },
      ],
      otherCategories: 0,
    })
    assert.deepEqual(await optionsOf(schemaId, 'colour'), [['red', 'Rot']])
    assert.deepEqual(await pathsIn(), ['Men'])
    const [sample] = job.sample!
    assert.deepEqual((sample!.changes[0] as { newValue: unknown }).newValue, 'dark-blue')
    const changes = job.sample!.flatMap((one) => one.changes as { field?: string; newValue: unknown }[])
    const placed = changes.filter(({ field }) => field === 'categories')
    assert.deepEqual(
      placed.map(({ newValue }) => (newValue as { categoryId: string }[]).map(({ categoryId }) => categoryId)),
      [['Men/Shirts'], ['Men/Shirts', 'Women/Hats'], ['ctg-men'], ['ctg-men']],
      'planned categories are called by their paths',
    )
  })

  it('makes them before its lines, and its undo removes them', async () => {
    const mapping = await mappingOf()
    const { schemaId } = mapping
    const job = await begin(await uploadOf(FILE, mapping))
    assert.deepEqual([job.status, job.created, job.failed], ['succeeded', 4, 0])
    assert.equal(job.making!.options.length, 4)
    assert.deepEqual((await valuesOf('x-2'))['colour'], everywhere('dark-blue'))
    assert.deepEqual((await valuesOf('x-1'))['tags'], everywhere(['new', 'sale']))
    assert.deepEqual((await valuesOf('x-3'))['colour'], everywhere('red'))
    assert.deepEqual(await pathsIn(), ['Men', 'Men/Shirts', 'Women', 'Women/Hats'])
    const shirts = (await categories()).find(({ name }) => name === 'Shirts')!
    const listed = await send<{ items: { id: string }[] }>(shop.admin, 'GET', `/api/v1/categories/${shirts.id}/records`)
    assert.deepEqual(
      listed.body.items.map(({ id }) => id),
      ['x-1', 'x-2'],
    )
    // The feed names the import as the origin of what it made.
    const feed = await send<{ items: { entityType: string; entityId: string; origin: object }[] }>(
      shop.admin,
      'GET',
      '/api/v1/changes?limit=1000&entityType=model',
    )
    const ofJob = feed.body.items.filter(({ origin }) => (origin as { id?: string }).id === job.id)
    assert.equal(ofJob.filter(({ entityType }) => entityType === 'schema').length, 1)
    assert.equal(ofJob.filter(({ entityType }) => entityType === 'category').length, 3)

    const undone = await undoJob(shop.admin, job.id)
    assert.deepEqual([undone.status, undone.changed, undone.failed], ['succeeded', 4, 0])
    assert.deepEqual(await optionsOf(schemaId, 'colour'), [['red', 'Rot']])
    assert.deepEqual(await optionsOf(schemaId, 'tags'), [])
    assert.deepEqual(await pathsIn(), ['Men'])
  })

  it('makes nothing twice: the second run of the same file finds what the first one made', async () => {
    const mapping = await mappingOf()
    await begin(await uploadOf(FILE, mapping))
    const again = await begin(await uploadOf(FILE, mapping))
    assert.deepEqual([again.unchanged, again.failed], [4, 0])
    assert.deepEqual(again.making, { options: [], otherOptions: 0, categories: [], otherCategories: 0 })
  })

  it('keeps at its undo what others use by then', async () => {
    const mapping = await mappingOf()
    const { schemaId } = mapping
    const file = 'id;colour;tags;group\nu-1;one;two, three;Kept/A|Kept/B\n'
    const job = await begin(await uploadOf(file, mapping))
    const values = { colour: everywhere('one'), tags: everywhere(['three']) }
    await make(shop.admin, '/api/v1/records', { id: 'u-2', schemaId, values })
    const b = (await categories()).find(({ name }) => name === 'B')!
    const body = [{ categoryId: b.id }]
    assert.equal((await send(shop.admin, 'PUT', '/api/v1/records/u-2/categories', body)).status, 200)
    const undone = await undoJob(shop.admin, job.id)
    assert.deepEqual([undone.status, undone.failed], ['succeeded', 0])
    assert.deepEqual(
      (await optionsOf(schemaId, 'colour')).map(([id]) => id),
      ['red', 'one'],
    )
    assert.deepEqual(
      (await optionsOf(schemaId, 'tags')).map(([id]) => id),
      ['three'],
    )
    assert.deepEqual(
      (await pathsIn()).filter((path) => path.startsWith('Kept')),
      ['Kept', 'Kept/B'],
    )
  })

  it('is undone, too, where it made options and no record', async () => {
    const mapping = await mappingOf({ mode: 'update' })
    const job = await begin(await uploadOf('id;colour;tags;group\nnobody;lonely;;\n', mapping))
    assert.deepEqual([job.status, job.failed], ['succeeded', 1])
    assert.equal((await optionsOf(mapping.schemaId, 'colour')).length, 2)
    assert.equal((await undoJob(shop.admin, job.id)).status, 'succeeded')
    assert.equal((await optionsOf(mapping.schemaId, 'colour')).length, 1)
  })

  it('makes them for a file that arrives, by a profile', async () => {
    const mapping = await mappingOf()
    await make(shop.admin, '/api/v1/import-profiles', { id: 'ipr-made', name: 'P', ...mapping })
    const file = 'id;colour;tags;group\na-1;Teal green;;Arriving\n'
    const dry = await importFile(shop.admin, file, 'profile=ipr-made&dryRun=true', CSV)
    const making = (result: object) => (result as { making?: MakingBody }).making!
    assert.deepEqual(counts(dry), [1, 0, 0, 0])
    assert.deepEqual(
      making(dry).options.map(({ id }) => id),
      ['teal-green'],
    )
    assert.deepEqual(await optionsOf(mapping.schemaId, 'colour'), [['red', 'Rot']])
    const result = await importFile(shop.admin, file, 'profile=ipr-made', CSV)
    assert.deepEqual(counts(result), [1, 0, 0, 0])
    assert.deepEqual(making(result).categories, [{ catalogId: 'cat-web', path: 'Arriving' }])
    assert.deepEqual((await valuesOf('a-1'))['colour'], everywhere('teal-green'))
  })

  it('lists a hundred of each kind, and counts the others', async () => {
    const rows = Array.from({ length: 130 }, (_, n) => `n-${n};c ${n};;Many/${n}`)
    const job = await begin(
      await uploadOf(['id;colour;tags;group', ...rows, ''].join('\n'), await mappingOf()),
      'dry-run',
    )
    const { options, otherOptions, categories: made, otherCategories } = job.making!
    assert.deepEqual([options.length, otherOptions, made.length, otherCategories], [100, 30, 100, 31])
  })

  it('fails clearly where an attribute would have more options than it may', async () => {
    const mapping = await mappingOf()
    const rows = Array.from({ length: 10_000 }, (_, n) => `m-${n};c${n}`)
    const file = ['id;colour', ...rows, ''].join('\n')
    const job = await begin(await uploadOf(file, { ...mapping, columns: COLUMNS.slice(0, 2) }))
    assert.equal(job.status, 'failed')
    const errors = await send<{ error: string; message: string }[]>(
      shop.admin,
      'GET',
      `/api/v1/bulk-jobs/${job.id}/errors`,
    )
    assert.equal(errors.body[0]!.error, 'LIMIT_EXCEEDED')
    assert.match(errors.body[0]!.message, /'colour' would have more than 10000 options/)
    assert.equal((await optionsOf(mapping.schemaId, 'colour')).length, 1)
  })

  it('asks for the catalog of a new first name where there are several', async () => {
    await make(shop.admin, '/api/v1/catalogs', { id: 'cat-print', name: 'Print' })
    try {
      const mapping = await mappingOf()
      const file = 'id;colour;tags;group\np-1;;;Brochures/2026\np-2;;;Men/Socks\n'
      const unclear = await begin(await uploadOf(file, mapping))
      assert.equal(unclear.status, 'failed')
      const columns = COLUMNS.with(3, { ...COLUMNS[3]!, catalogId: 'cat-print' } as never)
      const job = await begin(await uploadOf(file, { ...mapping, columns }))
      assert.deepEqual([job.created, job.failed], [2, 0])
      assert.deepEqual(await pathsIn('cat-print'), ['Brochures', 'Brochures/2026'])
      assert.ok((await pathsIn()).includes('Men/Socks'))
      await undoJob(shop.admin, job.id)
      assert.deepEqual(await pathsIn('cat-print'), [])
    } finally {
      assert.equal((await send(shop.admin, 'DELETE', '/api/v1/catalogs/cat-print')).status, 204)
    }
  })

  it('takes the path of the named catalog where several catalogs have it', async () => {
    await make(shop.admin, '/api/v1/catalogs', { id: 'cat-twin', name: 'Twin' })
    const twin = await make<Category>(shop.admin, '/api/v1/catalogs/cat-twin/categories', { name: 'Men' })
    try {
      const { columns, ...mapping } = await mappingOf()
      const group = { header: 'group', to: { field: 'categories' } }
      const run = async (more: object) => {
        const file = 'id;colour;tags;group\nt-1;;;Men\n'
        return begin(await uploadOf(file, { ...mapping, columns: columns.with(3, { ...group, ...more }) }))
      }
      for (const making of [{}, { createCategories: true }]) {
        assert.equal((await run(making)).failed, 1)
        const job = await run({ ...making, catalogId: 'cat-twin' })
        assert.equal(job.failed, 0)
        const got = await send<Assigned>(shop.admin, 'GET', '/api/v1/records/t-1?include=categories')
        assert.deepEqual(
          got.body.categories.map(({ categoryId }) => categoryId),
          [twin.id],
        )
        await undoJob(shop.admin, job.id)
      }
    } finally {
      assert.equal((await send(shop.admin, 'DELETE', `/api/v1/categories/${twin.id}`)).status, 204)
      assert.equal((await send(shop.admin, 'DELETE', '/api/v1/catalogs/cat-twin')).status, 204)
    }
  })

  it('needs for its undo the rights to remove what it made', async () => {
    const job = await begin(await uploadOf('id;colour;tags;group\ny-1;undone;;Undone\n', await mappingOf()))
    const permissions = ['users.manage', 'records.read', 'records.create', 'records.update', 'records.delete'] as const
    for (const [more, lacked] of [
      [['categories.write'], 'model.write'],
      [['model.write'], 'categories.write'],
    ] as const) {
      const client = await shop.clientWith([...permissions, ...more])
      const refused = await send(client, 'POST', `/api/v1/bulk-jobs/${job.id}/undo`)
      assertRefused(refused, 'PERMISSION_DENIED', lacked)
    }
  })

  it('names a catalog that exists, in a profile and in the mapping of a file', async () => {
    const group = { header: 'group', to: { field: 'categories' }, createCategories: true, catalogId: 'cat-none' }
    const mapping = { ...(await mappingOf()), columns: [COLUMNS[0], group] }
    const named = ['columns[1].catalogId', 'cat-none']
    const profile = await send(shop.admin, 'POST', '/api/v1/import-profiles', { ...mapping, name: 'P' })
    assertRefused(profile, 'VALIDATION_ERROR', ...named)
    const known = { ...mapping, columns: [COLUMNS[0], { ...group, catalogId: 'cat-web' }] }
    const id = await uploadOf(FILE, known)
    const mapped = await send(shop.admin, 'PUT', `/api/v1/imports/${id}/mapping`, mapping)
    assertRefused(mapped, 'VALIDATION_ERROR', ...named)
  })

  it('needs the rights to change the model, and columns that name options or categories', async () => {
    const mapping = await mappingOf()
    const refuse = async (column: object, ...named: string[]) => {
      const body = { ...mapping, name: 'P', columns: [column] }
      assertRefused(await send(shop.admin, 'POST', '/api/v1/import-profiles', body), 'VALIDATION_ERROR', ...named)
    }
    const name = { header: 'a', to: { attributeAlias: 'name' } }
    await refuse({ ...name, createOptions: true }, 'columns[0].createOptions')
    await refuse({ ...name, createCategories: true }, 'columns[0].createCategories')
    await refuse({ ...name, catalogId: 'cat-web' }, 'columns[0].catalogId')
    const client = await shop.clientWith(['records.read', 'records.create', 'records.update', 'categories.write'])
    const options = { method: 'POST', headers: { ...client.headers, 'content-type': CSV }, body: FILE }
    const { id } = (await (await fetch(`${client.url}/api/v1/imports?fileName=k.csv`, options)).json()) as {
      id: string
    }
    const mapped = await send(client, 'PUT', `/api/v1/imports/${id}/mapping`, mapping)
    assertRefused(mapped, 'PERMISSION_DENIED', 'model.write')
    await make(shop.admin, '/api/v1/import-profiles', { id: 'ipr-right', name: 'P', ...mapping })
    const arriving = await sendImport(client, FILE, { query: 'profile=ipr-right', type: CSV })
    assertRefused(arriving, 'PERMISSION_DENIED', 'model.write')
  })
})
