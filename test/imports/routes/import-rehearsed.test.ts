// A dry run of an import tells what the import does, and its undo gives back what was there: drawn files with faults, as csv, JSON lines
// and spreadsheets. Contract 3 §2, 3 §4.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { XLSX_TYPE } from '../../../src/imports/rules/media-types.ts'
import { send } from '../../helpers/answers.ts'
import { type BulkJobBody, byQuery, errorsOf, runJob, undoJob, untilEnded } from '../../helpers/bulk-jobs.ts'
import { CSV, importFile, lines, NDJSON } from '../../helpers/importing.ts'
import { itLong } from '../../helpers/long.ts'
import { everywhere, make, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { readSeen } from '../../helpers/seen-state.ts'
import { xlsxFile } from '../../helpers/xlsx-file.ts'

const IDS = ['r-0', 'r-1', 'r-2', 'r-3', 'r-4', 'r-5']

const SCHEMA = {
  id: 'sch-drawn',
  name: 'Drawn',
  attributes: [
    { alias: 'name', dataType: 'text', dimensionIds: ['language'], requiredInStateIds: ['state-draft'] },
    { alias: 'sku', dataType: 'text', unique: true, validation: { pattern: '^[A-Z]*$' } },
    { alias: 'count', dataType: 'number', validation: { min: 0 } },
    { alias: 'color', dataType: 'select', options: [{ id: 'red', name: 'Rot' }] },
    { alias: 'tags', dataType: 'multiSelect', options: [{ id: 'a' }] },
    { alias: 'friend', dataType: 'reference' },
    { alias: 'friends', dataType: 'references', validation: { maxItems: 2 } },
  ],
}

const HEADERS = ['id', 'parentId', 'name', 'sku', 'count', 'color', 'tags', 'friend', 'friends', 'categories'] as const
type Row = Readonly<Record<(typeof HEADERS)[number], string>>
/** Most cells are empty, so that most rows have few faults. */
const often = (rare: readonly string[], ...usual: string[]) =>
  fc.oneof(
    { arbitrary: fc.constant(''), weight: 30 },
    { arbitrary: fc.constantFrom(...usual), weight: 15 },
    { arbitrary: fc.constantFrom(...rare), weight: 1 },
  )
const anyRow: fc.Arbitrary<Row> = fc.record({
  id: fc.oneof(
    { arbitrary: fc.constantFrom('', 'no id'), weight: 1 },
    { arbitrary: fc.constantFrom(...IDS), weight: 6 },
  ),
  parentId: fc.oneof({ arbitrary: fc.constant(''), weight: 6 }, fc.constantFrom('r-0', 'r-3', 'r-none')),
  name: often(['x'.repeat(300)], 'Hemd', 'Hut'),
  sku: often(['small'], 'A', 'B', 'C'),
  count: often(['-1', 'much'], '1', '2.5'),
  color: often(['~'], 'red', 'Rot', 'Dark blue', 'dark BLUE'),
  tags: often(['a|a'], 'a', 'New', 'new|Sale'),
  friend: often(['r-none'], ...IDS),
  friends: often(['r-none', 'r-1|r-1'], ...IDS, 'r-4|r-5', 'r-0|r-2|r-3'),
  categories: often(['/', 'Nowhere|'], 'ctg-a', 'Men', 'Men/Shirts', 'Men|Women/Hats'),
})

/** Each record as the body of a request has it. */
const bodyOf = ({ id, parentId, categories: _categories, ...cells }: Row): object => {
  const valueOf = (alias: string, cell: string): unknown => {
    if (alias === 'count') return Number.isNaN(Number(cell)) ? cell : Number(cell)
    return alias === 'tags' || alias === 'friends' ? cell.split('|') : cell
  }
  const values = Object.entries(cells).flatMap(([alias, cell]) =>
    cell === '' ? [] : [[alias, everywhere(valueOf(alias, cell))] as const],
  )
  const head = { ...(id === '' ? {} : { id }), ...(parentId === '' ? {} : { parentId }) }
  return { ...head, schemaId: 'sch-drawn', values: Object.fromEntries(values) }
}
type Headers = readonly (keyof Row)[]
const tableOf = (rows: readonly Row[], headers: Headers): string[][] => [
  [...headers],
  ...rows.map((row) => headers.map((header) => row[header])),
]
const FILES: readonly [string, (rows: readonly Row[], headers: Headers) => string | Buffer][] = [
  [
    CSV,
    (rows, headers) =>
      tableOf(rows, headers)
        .map((cells) => `${cells.join(',')}\r\n`)
        .join(''),
  ],
  [NDJSON, (rows) => lines(...rows.map(bodyOf))],
  [XLSX_TYPE, (rows, headers) => xlsxFile(tableOf(rows, headers))],
]

const anySetting = fc.record({
  mode: fc.constantFrom('create', 'upsert', 'upsert', 'update'),
  duplicates: fc.constantFrom('fail', 'last'),
  emptyCells: fc.constantFrom('keep', 'clear'),
  matchBy: fc.option(fc.constant('sku'), { nil: undefined, freq: 3 }),
  makes: fc.boolean(),
})
type Setting = typeof anySetting extends fc.Arbitrary<infer Drawn> ? Drawn : never

function mappingOf({ mode, emptyCells, matchBy, makes }: Setting): object {
  const to = (header: string) =>
    header === 'id' || header === 'parentId' || header === 'categories' ? { field: header } : { attributeAlias: header }
  const columns = HEADERS.map((header) => ({
    header,
    to: to(header),
    ...(makes && (header === 'color' || header === 'tags') ? { createOptions: true } : {}),
    ...(makes && header === 'categories' ? { createCategories: true } : {}),
  }))
  return { schemaId: 'sch-drawn', mode, emptyCells, ...(matchBy === undefined ? {} : { matchBy }), columns }
}

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/schemas', SCHEMA)
  await make(shop.admin, '/api/v1/catalogs', { id: 'cat-web', name: 'Web' })
  for (const [id, name] of [
    ['ctg-a', 'A'],
    ['ctg-men', 'Men'],
  ])
    await make(shop.admin, '/api/v1/catalogs/cat-web/categories', { id, name })
})
after(() => shop.stop())

async function body<Body>(method: string, path: string, asked?: object): Promise<Body> {
  const answer = await send<Body>(shop.admin, method, path, asked)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** All that a user sees of records, and the model. */
const stateOf = async (): Promise<unknown> => [
  await readSeen(shop.admin, ['color', 'tags']),
  (await body<{ attributes: unknown }>('GET', '/api/v1/schemas/sch-drawn')).attributes,
  await body('GET', '/api/v1/catalogs/cat-web/categories'),
]

/** Names the first ID that an import gives itself 1, the next one 2. */
function plain(told: unknown): unknown {
  const names = new Map<string, string>()
  const nameOf = (id: string): string => {
    if (!names.has(id)) names.set(id, `new ${names.size + 1}`)
    return names.get(id)!
  }
  const settle = (key: string, value: unknown): unknown => {
    // A dry run calls a category by its path.
    if (key === 'categoryId') return undefined
    // Messages name records, too.
    return typeof value === 'string' ? value.replaceAll(/\bent-[0-9a-z]{26}\b/g, nameOf) : value
  }
  return JSON.parse(JSON.stringify(told, settle)) as unknown
}

type Told = BulkJobBody & { cleared?: number; making?: unknown }
async function toldOf(importId: string, how: 'dry-run' | 'run', { duplicates }: Setting): Promise<[string, unknown]> {
  const path = `/api/v1/imports/${importId}/${how}?duplicates=${duplicates}`
  const begun = await send<BulkJobBody>(shop.admin, 'POST', path)
  assert.equal(begun.status, 202, begun.text)
  const job = (await untilEnded(shop.admin, begun.body.id)) as Told
  const { status, selected, changed, created, updated, unchanged, failed, cleared, making } = job
  const samples = await body('GET', `/api/v1/bulk-jobs/${job.id}/samples?limit=1000`)
  const counts = { status, selected, changed, created, updated, unchanged, failed, cleared, making }
  return [job.id, plain({ counts, errors: await errorsOf(shop.admin, job.id), samples })]
}

async function upload(file: string | Buffer, type: string): Promise<string> {
  const headers = { ...shop.admin.headers, 'content-type': type }
  const sent = { method: 'POST', headers, body: file as string }
  const response = await fetch(`${shop.admin.url}/api/v1/imports?fileName=drawn`, sent)
  assert.equal(response.status, 201)
  return ((await response.json()) as { id: string }).id
}

/** Records, some of which the file names. */
async function begin(rows: readonly Row[]): Promise<void> {
  await clear()
  await importFile(shop.admin, lines(...rows.map(bodyOf)), 'mode=upsert')
  for (const { id, categories } of rows)
    if (categories.startsWith('ctg-') || categories === 'Men')
      await send(shop.admin, 'PUT', `/api/v1/records/${id}/categories`, [{ categoryId: 'ctg-men', sortOrder: 2 }])
}

/** Removes what the round before has left. */
async function clear(): Promise<void> {
  const selection = byQuery([], { schemaId: 'sch-drawn' })
  await runJob(shop.admin, { selection, actions: [{ clearValues: { attributeAliases: ['friends', 'sku'] } }] })
  const { failed } = await runJob(shop.admin, { selection, actions: [{ delete: true }] })
  assert.equal(failed, 0)
}

const anyRows = fc.array(anyRow, { minLength: 1, maxLength: 12, size: 'max' })

const anyFile = fc.constantFrom(...FILES)

const kept = fc.asyncProperty(anyRows, anyRows, anySetting, anyFile, async (old, rows, setting, [type, write]) => {
  await begin(old)
  const first = await stateOf()
  const id = await upload(write(rows, HEADERS), type)
  const mapping = type === NDJSON ? { ...mappingOf(setting), columns: null } : mappingOf(setting)
  await body('PUT', `/api/v1/imports/${id}/mapping`, mapping)
  const [, rehearsed] = await toldOf(id, 'dry-run', setting)
  assert.deepEqual(await stateOf(), first, 'a dry run writes nothing')
  const [jobId, told] = await toldOf(id, 'run', setting)
  assert.deepEqual(rehearsed, told)
  const undone = await undoJob(shop.admin, jobId)
  assert.deepEqual([undone.status, await errorsOf(shop.admin, undone.id)], ['succeeded', []])
  assert.deepEqual(await stateOf(), first, 'after the undo')
})

const arriving = fc.asyncProperty(anyRows, anyRows, anySetting, anyFile, async (old, rows, setting, [type, write]) => {
  await begin(old)
  const { mode, duplicates, emptyCells, matchBy } = setting
  const by = matchBy === undefined || type === NDJSON ? '' : `&matchBy=${matchBy}`
  const query = `schemaId=sch-drawn&mode=${mode}&duplicates=${duplicates}&emptyCells=${emptyCells}${by}`
  // Only a mapping gives a column to categories.
  const file = write(rows, HEADERS.slice(0, -1))
  const { sample: _sample, ...rehearsed } = await importFile(shop.admin, file, `${query}&dryRun=true`, type)
  assert.deepEqual(plain(rehearsed), plain(await importFile(shop.admin, file, query, type)))
})

describe('A dry run of a drawn file', () => {
  it('tells what the import then does to each row, and the undo of the import gives all back', () =>
    fc.assert(kept, { numRuns: 4, endOnFailure: true }))
  itLong('tells that of many files', () => fc.assert(kept, { numRuns: 100, endOnFailure: true }))
  it('tells the same where the file is imported as it arrives', () =>
    fc.assert(arriving, { numRuns: 5, endOnFailure: true }))
  itLong('tells the same of many files', () => fc.assert(arriving, { numRuns: 100, endOnFailure: true }))
})
