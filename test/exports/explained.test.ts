// What a job says of a record is what its file shows: random jobs, of random records, each with a real run, and of deltas with the next
// one. Contract 3 §5, 3 §11.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import * as fc from 'fast-check'
import type { Client } from '../helpers/client.ts'
import { send } from '../helpers/answers.ts'
import { type JobBody, jobFor, makeJob, trigger, whenEnded } from '../helpers/export-jobs.ts'
import { installPuppet, type Puppet } from '../helpers/puppet.ts'
import { english, everywhere, german, make, startWorkspace, type Workspace } from '../helpers/shirts.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

/** Of some jobs each; a run takes its time. */
const ROUNDS = Number(process.env['TEST_EXPLAINED_ROUNDS'] ?? 2)

const PARENTS = ['p-1', 'p-2', 'p-3', 'p-4', 'p-5']
const VARIANTS = ['p-1-a', 'p-1-b', 'p-2-a', 'p-3-a']
const RECORDS = [...PARENTS, ...VARIANTS, 'plain-1', 'plain-2']
const CATEGORIES = ['web', 'web-shirts', 'print']
const STATES = ['state-draft', 'state-review', 'state-published']

const anyWord = fc.constantFrom('red', 'Ahoy', 'blue')
const anyColor = fc.constantFrom('red', 'blue')
const anyLanguage = fc.constantFrom('en', 'de')
const some = <Item>(items: readonly Item[]) => fc.subarray([...items], { minLength: 1 })

type Change = readonly [method: string, path: string, body: unknown]

const anyValues = fc.oneof(
  fc.record({ name: fc.tuple(anyWord.map(english), anyWord.map(german)) }),
  fc.record({
    name: anyWord.map((word) => [english(word)]),
    price: fc.constant(everywhere({ amount: 1, currency: 'EUR' })),
  }),
  fc.record({ weight: fc.nat(4).map(everywhere), color: anyColor.map(everywhere) }),
  fc.record({ description: anyWord.map(everywhere), onSale: fc.boolean().map(everywhere) }),
)
/** What may be refused, as nothing of it is what a job is asked for. */
const anyChange: fc.Arbitrary<Change> = fc
  .tuple(
    fc.constantFrom(...RECORDS),
    fc.oneof(
      { weight: 3, arbitrary: anyValues.map((values) => ['PATCH', '', { values }] as const) },
      {
        weight: 2,
        arbitrary: fc
          .constantFrom('tr-submit', 'tr-submit', 'tr-publish', 'tr-send-back', 'tr-unpublish')
          .map((transitionId) => ['POST', '/transition', { transitionId }] as const),
      },
      {
        weight: 2,
        arbitrary: fc
          .subarray(CATEGORIES)
          .map((ids) => ['PUT', '/categories', ids.map((categoryId) => ({ categoryId }))] as const),
      },
      fc.constant(['DELETE', '', undefined] as const),
    ),
  )
  .map(([id, [method, rest, body]]) => [method, `/api/v1/records/${id}${rest}`, body])

const anyCriterion = fc.oneof(
  fc.record(
    {
      attributeAlias: fc.constant('name'),
      operator: fc.constantFrom('contains', 'notContains', 'startsWith', 'equals'),
      value: anyWord,
      scope: anyLanguage.map((language) => ({ language })),
    },
    { requiredKeys: ['attributeAlias', 'operator', 'value'] },
  ),
  fc.record({
    attributeAlias: fc.constantFrom('name', 'weight', 'color', 'onSale'),
    operator: fc.constantFrom('isEmpty', 'isNotEmpty'),
  }),
  fc.record({
    attributeAlias: fc.constant('weight'),
    operator: fc.constantFrom('gt', 'lte'),
    value: fc.nat(4).map(String),
  }),
  fc.record({
    attributeAlias: fc.constant('color'),
    operator: fc.constantFrom('in', 'notIn'),
    value: some(['red', 'blue']),
  }),
  fc.record({ field: fc.constant('lifecycleStateId'), operator: fc.constantFrom('in', 'notIn'), value: some(STATES) }),
  fc.record({ field: fc.constant('parentId'), operator: fc.constantFrom('isEmpty', 'isNotEmpty') }),
  fc.record({
    field: fc.constant('categoryId'),
    operator: fc.constantFrom('equals', 'notEquals'),
    value: fc.constantFrom(...CATEGORIES),
    includeChildren: fc.boolean(),
  }),
  fc.record(
    {
      field: fc.constant('completeness'),
      operator: fc.constantFrom('lt', 'gte'),
      value: fc.constantFrom(50, 100),
      stateId: fc.constantFrom(...STATES),
      scope: anyLanguage.map((language) => ({ language })),
    },
    { requiredKeys: ['field', 'operator', 'value'] },
  ),
  fc.record({
    field: fc.constant('missing'),
    operator: fc.constant('equals'),
    value: fc.constantFrom('name', 'description'),
    stateId: fc.constantFrom(...STATES),
  }),
)
const anyOperator = fc.constantFrom('and', 'or')
const anyCriteria = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: anyCriterion },
    fc.record({ criteriaOperator: anyOperator, criteria: fc.array(anyCriterion, { maxLength: 2 }), not: fc.boolean() }),
  ),
  { minLength: 1, maxLength: 2 },
)
const anySearch = fc.record(
  { criteria: anyCriteria, criteriaOperator: anyOperator, schemaId: fc.constantFrom('sch-shirt'), text: anyWord },
  { requiredKeys: ['criteria', 'criteriaOperator'] },
)
const anyJob = fc.record({
  schemaId: fc.option(fc.constantFrom('sch-shirt', 'sch-shirt', 'sch-plain'), { freq: 2 }),
  catalogId: fc.option(fc.constantFrom('cat-web', 'cat-print'), { freq: 2 }),
  includeLifecycleStateIds: fc.option(some(STATES), { freq: 2 }),
  includeVariants: fc.boolean(),
  variantValues: fc.constantFrom('effective', 'own'),
  dimensionScope: fc.option(fc.constantFrom({}, { language: 'en' }, { language: 'de', market: 'eu' })),
  selection: fc.option(anySearch, { freq: 4 }),
  isSaved: fc.boolean(),
  sort: fc.constantFrom([], [{ field: 'updatedAt', direction: 'desc' }]),
  delta: fc.option(fc.constant({}), { freq: 2 }),
  format: fc.constantFrom('json', 'jsonl', 'csv'),
  /** Of whoever makes it: it does not see every attribute, so that records are complete in its eyes that are not. */
  isClerk: fc.boolean(),
})
type AnyJob = typeof anyJob extends fc.Arbitrary<infer Job> ? Job : never

let shop: Workspace
let puppet: Puppet
let clerk: Client
before(async () => {
  const dataDir = makeTempDirectory()
  puppet = installPuppet(`${dataDir}/plugins`)
  shop = await startWorkspace({ dataDir })
  const hidden = { 'sch-shirt': { description: 'none', price: 'none' } }
  const permissions = ['records.read', 'exportJobs.read', 'exportJobs.write'] as const
  clerk = await shop.clientWith(permissions, { attributePermissions: hidden })
  for (const id of ['cat-web', 'cat-print']) await make(shop.admin, '/api/v1/catalogs', { id, name: id })
  await make(shop.admin, '/api/v1/catalogs/cat-web/categories', { id: 'web', name: 'Web' })
  await make(shop.admin, '/api/v1/catalogs/cat-web/categories', { id: 'web-shirts', name: 'Shirts', parentId: 'web' })
  await make(shop.admin, '/api/v1/catalogs/cat-print/categories', { id: 'print', name: 'Print' })
})
after(() => shop.stop())

/** Empty ones, in place of what is there. */
async function makeRecords(): Promise<void> {
  for (const id of RECORDS) await send(shop.admin, 'DELETE', `/api/v1/records/${id}`)
  for (const id of RECORDS) {
    const parentId = VARIANTS.includes(id) ? id.slice(0, 3) : null
    const schemaId = id.startsWith('plain') ? 'sch-plain' : 'sch-shirt'
    await make(shop.admin, '/api/v1/records', { id, schemaId, parentId, values: {} })
  }
}

async function change(changes: readonly Change[]): Promise<void> {
  for (const [method, path, body] of changes) {
    const { status, text } = await send(shop.admin, method, path, body)
    assert.ok(status < 500, text)
  }
}

async function prepare({
  isClerk,
  isSaved,
  ...settings
}: AnyJob): Promise<{ job: JobBody; queryId: string | undefined }> {
  const client = isClerk ? clerk : shop.admin
  const filenameTemplate = '{runId}'
  let { selection }: { selection: object | null } = settings
  let queryId: string | undefined
  // Of a schema alone nobody asks for what it does not have.
  if (settings.schemaId === 'sch-plain' && settings.selection?.schemaId === undefined) selection = null
  // A role may not choose by what it does not see.
  if (isClerk && /"value":"description"/.test(JSON.stringify(selection))) selection = null
  if (isSaved && selection !== null) {
    queryId = (await make<{ id: string }>(shop.admin, '/api/v1/saved-queries', { name: 'S', ...selection })).id
    selection = { savedQueryId: queryId }
  }
  const body = jobFor(puppet, 'deliver', { active: false, ...settings, selection, filenameTemplate })
  return { job: await makeJob(client, body), queryId }
}

interface JobInclusion {
  readonly jobId: string
  readonly included: boolean
  readonly reasons: unknown
}

/** Of each job the records that it says it exports, in the order of their IDs. */
async function said(jobs: readonly JobBody[]): Promise<Map<string, string[]>> {
  const included = new Map(jobs.map((job): [string, string[]] => [job.id, []]))
  for (const id of RECORDS.toSorted()) {
    const answer = await send<JobInclusion[]>(shop.admin, 'GET', `/api/v1/records/${id}/exports`)
    // A deleted one is in no file.
    if (answer.status === 404) continue
    for (const inclusion of answer.body) if (inclusion.included) included.get(inclusion.jobId)?.push(id)
  }
  return included
}

/** Of the records, without those that a delta says are gone. */
function idsIn(file: string, format: string): string[] {
  const isGone = (row: object) => 'deleted' in row
  if (format === 'csv') {
    const [header = '', ...rows] = file.trimEnd().split('\r\n')
    const gone = header.split(',').at(-1) === 'deleted'
    return rows.filter((row) => !(gone && row.endsWith(',true'))).map((row) => row.split(',')[0]!)
  }
  const rows = (
    format === 'json'
      ? JSON.parse(file)
      : file
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as unknown)
  ) as { id: string }[]
  return rows.filter((row) => !isGone(row)).map(({ id }) => id)
}

async function assertAgreed(jobs: readonly JobBody[]): Promise<void> {
  const included = await said(jobs)
  const runs = await Promise.all(jobs.map(async ({ id }) => whenEnded(shop.admin, await trigger(shop.admin, id))))
  for (const [index, job] of jobs.entries()) {
    const run = runs[index]!
    assert.equal(run.status, 'success', String(run.error))
    const shown = idsIn(puppet.read(run.id).toString(), job.format)
    assert.deepEqual(included.get(job.id), shown.toSorted(), JSON.stringify(job))
  }
}

it('a job exports just the records of which it says so, whatever it asks for', async () => {
  const property = fc.asyncProperty(
    fc.array(anyChange, { minLength: 8, maxLength: 24, size: 'max' }),
    fc.array(anyJob, { minLength: 4, maxLength: 4 }),
    fc.array(anyChange, { maxLength: 4 }),
    async (changes, drawn, later) => {
      await makeRecords()
      await change(changes)
      const prepared = await Promise.all(drawn.map(prepare))
      const jobs = prepared.map(({ job }) => job)
      await assertAgreed(jobs)
      await change(later)
      const deltas = jobs.filter((_, index) => drawn[index]!.delta !== null)
      await assertAgreed(deltas)
      for (const { job, queryId } of prepared) {
        await send(shop.admin, 'DELETE', `/api/v1/export-jobs/${job.id}`)
        if (queryId !== undefined) await send(shop.admin, 'DELETE', `/api/v1/saved-queries/${queryId}`)
      }
    },
  )
  await fc.assert(property, { numRuns: ROUNDS, endOnFailure: true })
})
