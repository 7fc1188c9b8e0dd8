// A dry run of a drawn zip tells what its import does, and the undo gives back what was there. What nothing names any more goes from the
// disk, and nothing else does. Contract 4 §1, 4 §4.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { send } from '../../helpers/answers.ts'
import { byQuery, errorsOf, runJob, undoJob } from '../../helpers/bulk-jobs.ts'
import { HOUR, makeClock } from '../../helpers/clock.ts'
import { ask, hashOf, uploaded } from '../../helpers/files.ts'
import { importFile, lines } from '../../helpers/importing.ts'
import { itLong } from '../../helpers/long.ts'
import { eventually } from '../../helpers/puppet.ts'
import { readSeen, type SeenRecord } from '../../helpers/seen-state.ts'
import { startServer, type TestServer } from '../../helpers/server.ts'
import { english, everywhere, make, type ValuesBody } from '../../helpers/shirts.ts'
import { part } from '../../helpers/zip-file.ts'
import { makeProductSchemas, mappedZip, runZip } from '../../helpers/zip-imports.ts'

const MONTH = 31 * 24 * HOUR
/** Products and their parents, with the names of their pictures. */
const PRODUCTS = { A: null, B: 'A', C: null, D: 'C' } as const
type Sku = keyof typeof PRODUCTS
const SKUS = Object.keys(PRODUCTS) as Sku[]

const clock = makeClock()
let server: TestServer
before(async () => {
  server = await startServer({ maxRecords: 0, testing: { system: clock } })
  const dimension = { id: 'language', name: 'Language', segments: [{ id: 'en' }, { id: 'de' }] }
  await make(server.admin, '/api/v1/dimensions', dimension)
  await makeProductSchemas(server.admin, ['language'])
})
after(() => server.stop())

/** More than a picture may have. A dry run does not look at the content. */
const TOO_LARGE = 'x'.repeat(1001)
/** Few, so that one file comes to many records. */
const anyContent = fc.oneof({ weight: 20, arbitrary: fc.constantFrom('a', 'b', 'c') }, fc.constant(TOO_LARGE))
const anyName = fc
  .tuple(
    fc.constantFrom('', '', 'dir/'),
    fc.constantFrom(...SKUS, ...SKUS, 'nobody'),
    fc.constantFrom('-', '_'),
    fc.nat(12),
    fc.constantFrom('jpg', 'PNG', 'txt'),
  )
  .map(([directory, sku, mark, n, ending]) => `${directory}${sku}${mark}${n}.${ending}`)
const anyParts = fc.uniqueArray(fc.tuple(anyName, anyContent), {
  minLength: 1,
  maxLength: 8,
  selector: ([name]) => name,
})
const anyMapping = fc.tuple(
  fc.constantFrom('append', 'replace'),
  fc.constantFrom(
    { attributeAlias: 'pictures' },
    { attributeAlias: 'pictures' },
    { attributeAlias: 'others', pictureSchemaId: 'sch-photo' },
    { attributeAlias: 'manual', scope: { language: 'en' } },
  ),
)
type Mapping = typeof anyMapping extends fc.Arbitrary<infer Drawn> ? Drawn : never
type Parts = readonly (readonly [string, string])[]

const state = () => readSeen(server.admin, [])

/** Names the first ID that an import gives itself 1, the next one 2. */
function plain(told: unknown): unknown {
  const names = new Map<string, string>()
  const settle = (_key: string, value: unknown): unknown => {
    if (typeof value !== 'string' || !value.startsWith('ent-')) return value
    if (!names.has(value)) names.set(value, `new ${names.size + 1}`)
    return names.get(value)
  }
  return JSON.parse(JSON.stringify(told, settle)) as unknown
}

async function toldOf(importId: string, how: 'run' | 'dry-run'): Promise<readonly [string, unknown]> {
  const { id, status, selected, changed, created, updated, unchanged, failed, pictures } = await runZip(
    server.admin,
    importId,
    how,
  )
  const path = `/api/v1/bulk-jobs/${id}/samples?limit=1000`
  const { body } = await send<{ changes: unknown }[]>(server.admin, 'GET', path)
  // A dry run knows places, and no IDs of pictures.
  const samples = body.map(({ changes: _changes, ...sample }) => sample)
  const counts = { status, selected, changed, created, updated, unchanged, failed, pictures }
  return [id, plain({ counts, errors: await errorsOf(server.admin, id), samples })]
}

const upload = (parts: Parts, [mode, more]: Mapping): Promise<string> =>
  mappedZip(
    server.admin,
    parts.map(([name, content]) => part(name, content)),
    { mode, ...more },
  )

/** Replaces all records by products with manuals, and with the pictures of a zip. */
async function begin(manuals: readonly Sku[], old: Parts, mapping: Mapping): Promise<void> {
  const { admin } = server
  const lists = ['pictures', 'others']
  await runJob(admin, {
    selection: byQuery([], { schemaId: 'sch-product' }),
    actions: [{ clearValues: { attributeAliases: lists } }, { delete: true }],
  })
  await runJob(admin, { selection: byQuery(), actions: [{ delete: true }] })
  const file = await uploaded(admin, 'a', 'manual.bin')
  const products = SKUS.map((sku) => ({
    id: sku,
    schemaId: 'sch-product',
    parentId: PRODUCTS[sku],
    values: { sku: everywhere(sku), ...(manuals.includes(sku) && { manual: [english(file)] }) },
  }))
  const { failed, errors } = await importFile(admin, lines(...products))
  assert.equal(failed, 0, JSON.stringify(errors))
  await runZip(admin, await upload(old, mapping))
}

const property = fc.asyncProperty(
  fc.subarray(SKUS),
  fc.tuple(anyParts, anyMapping),
  fc.tuple(anyParts, anyMapping),
  async (manuals, old, [parts, mapping]) => {
    await begin(manuals, ...old)
    const first = await state()
    const id = await upload(parts, mapping)
    const [, rehearsed] = await toldOf(id, 'dry-run')
    assert.deepEqual(await state(), first, 'a dry run writes nothing')
    const [jobId, told] = await toldOf(id, 'run')
    if (parts.every(([, content]) => content !== TOO_LARGE)) assert.deepEqual(rehearsed, told)
    await assertReadable(await state())
    const undone = await undoJob(server.admin, jobId)
    assert.deepEqual([undone.status, await errorsOf(server.admin, undone.id)], ['succeeded', []])
    assert.deepEqual(await state(), first, 'after the undo')
  },
)

interface Seen {
  readonly records: readonly SeenRecord[]
}

function namedIn({ records }: Seen): (readonly [string, string])[] {
  return records.flatMap(({ id, values }) =>
    Object.values(values as ValuesBody)
      .flat()
      .map(({ value }) => (value as { sha256?: string } | null)?.sha256)
      .flatMap((sha256) => (sha256 === undefined ? [] : [[id, sha256] as const])),
  )
}

async function assertReadable(seen: Seen): Promise<void> {
  for (const [id, sha256] of namedIn(seen)) {
    const { status, bytes } = await ask(server.admin, `/api/v1/records/${id}/files/${sha256}`)
    assert.deepEqual([status, hashOf(bytes)], [200, sha256])
  }
}

const storedFiles = (): string[] =>
  readdirSync(join(server.dataDir, 'files'), { recursive: true, encoding: 'utf8' })
    .map((name) => basename(name))
    .filter((name) => /^[0-9a-f]{64}$/.test(name))
    .toSorted()

/** Lets the time pass after which no history and no undo holds a file. */
async function assertNoOrphans(): Promise<void> {
  const seen = await state()
  // Retention works at each start: first the jobs go, then the files that they held.
  for (const _ of [1, 2, 3]) {
    clock.advance(MONTH)
    server = await server.restart()
  }
  const named = [...new Set(namedIn(seen).map(([, sha256]) => sha256))].toSorted()
  await eventually(() => storedFiles().length <= named.length)
  assert.deepEqual(storedFiles(), named)
  assert.deepEqual(await state(), seen)
  await assertReadable(seen)
}

describe('A dry run of a drawn zip', () => {
  it('tells what the import then does to each file, and the undo gives all back', async () => {
    await fc.assert(property, { numRuns: 2, endOnFailure: true })
    await assertNoOrphans()
  })
  itLong('tells that of many zips', async () => {
    await fc.assert(property, { numRuns: 100, endOnFailure: true })
    await assertNoOrphans()
  })
})
