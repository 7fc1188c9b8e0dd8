// Drawn bulk jobs over families of records that refer to one another, undone: what searches, facets, lists and exports tell is as before.
// Contract 3 §2, 3 §10.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { send } from '../../helpers/answers.ts'
import { type BulkJobBody, byIds, byQuery, errorsOf, runJob, undoJob, untilEnded } from '../../helpers/bulk-jobs.ts'
import { EXPORT_FORMATS, readExported } from '../../helpers/exported-state.ts'
import { hashOf, uploaded } from '../../helpers/files.ts'
import { importFile, lines } from '../../helpers/importing.ts'
import { itLong } from '../../helpers/long.ts'
import { readSeen, type SeenRecord } from '../../helpers/seen-state.ts'
import { english, everywhere, german, make, startWorkspace, type Workspace } from '../../helpers/shirts.ts'

const IDS = ['r-0', 'r-1', 'r-2', 'r-3', 'r-4', 'r-5']
/** Variants, and their parents. */
const PARENTS = new Map([
  ['r-1', 'r-0'],
  ['r-3', 'r-0'],
  ['r-5', 'r-2'],
])

/** The content is the name. */
const FILES = ['a.txt', 'b.txt'].map((fileName) => ({ sha256: hashOf(fileName), fileName }))

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-drawn',
    name: 'Drawn',
    attributes: [
      { alias: 'name', dataType: 'text', dimensionIds: ['language'], requiredInStateIds: ['state-draft'] },
      { alias: 'sku', dataType: 'text', unique: true },
      { alias: 'weight', dataType: 'number', dimensionIds: ['market'] },
      { alias: 'color', dataType: 'select', options: [{ id: 'red' }, { id: 'blue' }] },
      { alias: 'friend', dataType: 'reference' },
      { alias: 'friends', dataType: 'references', dimensionIds: ['language'] },
      { alias: 'manual', dataType: 'file', dimensionIds: ['language'] },
    ],
  })
  for (const { sha256, fileName } of FILES)
    assert.equal((await uploaded(shop.admin, fileName, fileName)).sha256, sha256)
  await make(shop.admin, '/api/v1/catalogs', { id: 'cat-web', name: 'Web' })
  for (const id of ['ctg-a', 'ctg-b']) await make(shop.admin, '/api/v1/catalogs/cat-web/categories', { id, name: id })
})
after(() => shop.stop())

const anyIds = fc.subarray(IDS, { minLength: 1, maxLength: 3 })
const anyValues = fc.record(
  {
    name: fc.constantFrom([english('a')], [german('b a'), english('')], [english('c'), german('a')]),
    weight: fc.constantFrom(everywhere(1), [{ scope: { market: 'eu' }, value: 2 }], []),
    color: fc.constantFrom(everywhere('red'), everywhere('blue')),
    friend: fc.constantFrom(...IDS).map(everywhere),
    friends: anyIds.map((ids) => [english(ids)]),
    manual: fc.constantFrom(everywhere(FILES[0]), [english(FILES[1]), german(FILES[0])], []),
  },
  { requiredKeys: [] },
)
const anyPlaces = fc.constantFrom(
  [],
  [{ categoryId: 'ctg-a', sortOrder: 2 }],
  [{ categoryId: 'ctg-b' }, { categoryId: 'ctg-a' }],
)
const scoped = fc.constantFrom({}, { scope: { language: 'en' } }, { scope: { language: 'de' } })
const anyAction: fc.Arbitrary<object> = fc.oneof(
  anyValues.map((setValues) => ({ setValues })),
  anyValues.map((patchValues) => ({ patchValues })),
  fc
    .tuple(fc.subarray(['name', 'weight', 'color', 'friend', 'friends', 'manual', 'sku'], { minLength: 1 }), scoped)
    .map(([attributeAliases, scope]) => ({ clearValues: { attributeAliases, ...scope } })),
  fc.constantFrom('a', ' ').map((find) => ({ replaceText: { attributeAlias: 'name', find, replace: 'xy' } })),
  fc.boolean().map((onlyEmpty) => ({ copyScope: { from: { language: 'en' }, to: { language: 'de' }, onlyEmpty } })),
  fc
    .tuple(anyIds, scoped, fc.constantFrom({}, { at: 0 }, { at: 1 }))
    .map(([ids, scope, at]) => ({ addReferences: { attributeAlias: 'friends', ids, ...scope, ...at } })),
  fc.tuple(anyIds, scoped).map(([ids, scope]) => ({ removeReferences: { attributeAlias: 'friends', ids, ...scope } })),
  fc.constantFrom('tr-submit', 'tr-send-back').map((transition) => ({ transition })),
  anyPlaces.map((setCategories) => ({ setCategories })),
  anyPlaces.map((addCategories) => ({ addCategories })),
  fc.constant({ removeCategories: ['ctg-a'] }),
)
type Job = { readonly ids: readonly string[]; readonly actions: readonly object[] } | { readonly detached: string }
const anyJob: fc.Arbitrary<Job> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      ids: fc.shuffledSubarray(IDS, { minLength: 1 }),
      actions: fc
        .tuple(fc.array(anyAction, { minLength: 1, maxLength: 3 }), fc.constantFrom([], [], [{ delete: true }]))
        .map(([actions, last]) => [...actions, ...last]),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.shuffledSubarray(IDS, { minLength: 1 }).map((ids) => ({ ids, actions: [{ delete: true }] })),
  },
  { weight: 1, arbitrary: fc.constantFrom(...IDS).map((detached) => ({ detached })) },
)
/** Values and categories of each record. */
const anyRecords: fc.Arbitrary<readonly (readonly [object, readonly object[]])[]> = fc.tuple(
  ...IDS.map(() => fc.tuple(anyValues, anyPlaces)),
)

async function run(job: Job): Promise<BulkJobBody> {
  if (!('detached' in job)) return runJob(shop.admin, { selection: byIds(...job.ids), actions: job.actions })
  const path = `/api/v1/records/${job.detached}?detach=true`
  const begun = await send<BulkJobBody>(shop.admin, 'DELETE', path)
  assert.equal(begun.status, 202, begun.text)
  return untilEnded(shop.admin, begun.body.id)
}

const state = () => readSeen(shop.admin, ['color', 'weight'])

async function begin(drawn: readonly (readonly [object, readonly object[]])[]): Promise<void> {
  await clear()
  const records = drawn.map(([values], index) => {
    const id = IDS[index]!
    const parentId = PARENTS.get(id)
    return { id, schemaId: 'sch-drawn', ...(parentId && { parentId }), values: { sku: everywhere(id), ...values } }
  })
  const { failed, errors } = await importFile(shop.admin, lines(...records))
  assert.equal(failed, 0, JSON.stringify(errors))
  for (const [index, [, places]] of drawn.entries())
    await send(shop.admin, 'PUT', `/api/v1/records/${IDS[index]}/categories`, places)
}

/** Removes what the round before has left. */
async function clear(): Promise<void> {
  const selection = byQuery([], { schemaId: 'sch-drawn' })
  await runJob(shop.admin, { selection, actions: [{ clearValues: { attributeAliases: ['friends'] } }] })
  assert.equal((await runJob(shop.admin, { selection, actions: [{ delete: true }] })).failed, 0)
}

const undisturbed = fc.asyncProperty(
  anyRecords,
  fc.array(anyJob, { minLength: 1, maxLength: 2 }),
  fc.constantFrom(...EXPORT_FORMATS),
  async (drawn, jobs, format) => {
    await begin(drawn)
    const steps: { before: unknown; id: string }[] = []
    const all = async () => [await state(), await readExported(shop.admin, { schemaId: 'sch-drawn', format })]
    for (const job of jobs)
      if (!('detached' in job) || (await send(shop.admin, 'GET', `/api/v1/records/${job.detached}`)).status === 200)
        steps.push({ before: await all(), id: (await run(job)).id })
    for (const { before: first, id } of steps.toReversed()) {
      const undone = await undoJob(shop.admin, id)
      assert.deepEqual([undone.status, await errorsOf(shop.admin, undone.id)], ['succeeded', []])
      assert.deepEqual(await all(), first)
    }
  },
)

type Weights = readonly { scope: object; value: unknown }[]
/** The weight everywhere, and all else. Somebody else writes the weight everywhere. */
function apart({ id, values, effectiveValues: _effective, completeness: _score, ...others }: SeenRecord) {
  const { weight = [], ...rest } = values as { weight?: Weights }
  const [own, scopedWeights] = [0, 1].map((size) => weight.filter(({ scope }) => Object.keys(scope).length === size))
  return { id, everywhere: own![0]?.value, rest: { ...others, rest, scopedWeights } }
}

const disturbed = fc.asyncProperty(anyRecords, anyJob, fc.subarray(IDS), async (drawn, job, others) => {
  await begin(drawn)
  const first = (await state()).records.map(apart)
  const { id: jobId } = await run(job)
  const between = new Map((await state()).records.map((record) => [record.id, apart(record).everywhere]))
  const written = new Set(others.filter((id) => between.has(id)))
  for (const id of written) {
    const { status } = await send(shop.admin, 'PATCH', `/api/v1/records/${id}`, { values: { weight: everywhere(77) } })
    assert.equal(status, 200)
  }
  const undone = await undoJob(shop.admin, jobId)
  const expected = first.map((record) => (written.has(record.id) ? { ...record, everywhere: 77 } : record))
  assert.deepEqual((await state()).records.map(apart), expected)
  const kept = first.filter(({ id, everywhere: old }) => written.has(id) && between.get(id) !== old)
  const errors = await errorsOf(shop.admin, undone.id)
  assert.deepEqual(new Set(errors.map(({ recordId }) => recordId)), new Set(kept.map(({ id }) => id)))
  for (const { error, message } of errors) {
    assert.equal(error, 'CONFLICT')
    assert.match(message, /left alone: 'weight'$/)
  }
})

describe('The undo of a drawn job', () => {
  it('gives back all that a user sees', () => fc.assert(undisturbed, { numRuns: 3, endOnFailure: true }))
  itLong('gives back all that a user sees, of many jobs', () =>
    fc.assert(undisturbed, { numRuns: 60, endOnFailure: true }),
  )
  it('leaves what somebody has written since, and tells that', () =>
    fc.assert(disturbed, { numRuns: 4, endOnFailure: true }))
  itLong('leaves what somebody has written since, of many jobs', () =>
    fc.assert(disturbed, { numRuns: 60, endOnFailure: true }),
  )
})
