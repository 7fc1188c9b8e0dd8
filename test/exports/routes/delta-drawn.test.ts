// The files of jobs with delta over drawn histories, applied one after another, give what the file of a job without delta has.
// Contract 3 §5, 3 §10.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import * as fc from 'fast-check'
import { send } from '../../helpers/answers.ts'
import { anyBeginning, anyStep, DrawnHistory } from '../../helpers/drawn-history.ts'
import { jobFor, makeJob, trigger, whenEnded } from '../../helpers/export-jobs.ts'
import { installPuppet, type Puppet } from '../../helpers/puppet.ts'
import { startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

let shop: Workspace
let puppet: Puppet
let history: DrawnHistory
before(async () => {
  const dataDir = makeTempDirectory()
  puppet = installPuppet(`${dataDir}/plugins`)
  shop = await startWorkspace({ dataDir, maxRecords: 0 })
  history = await DrawnHistory.begin(shop)
})
after(() => shop.stop())

const inEnglish = { scope: { language: 'en' } }
const isRed = { criteria: [{ attributeAlias: 'color', operator: 'equals', value: 'red' }], criteriaOperator: 'and' }
const TEMPLATE =
  '{$renamed[language=en]|default:none} {parent.weight|default:none} {categoryPath:cat-drawn|default:none}'
/** What is selected by values and by states, inherited or not; and what columns take from elsewhere. */
const JOBS: readonly object[] = [
  { selection: isRed },
  { includeLifecycleStateIds: ['state-draft'], variantValues: 'own' },
  {
    catalogId: 'cat-drawn',
    columns: [
      { header: 'id', field: 'id' },
      { header: 'path', categoryPath: 'cat-drawn' },
    ],
  },
  {
    columns: [
      { header: 'id', field: 'id' },
      { header: 'all', template: TEMPLATE },
      { header: 'friend', attributeAlias: 'friends', ...inEnglish, via: '$renamed' },
    ],
  },
]

const makeDrawn = (settings: object) => {
  const fixed = { format: 'jsonl', schemaId: 'sch-drawn', filenameTemplate: '{runId}' }
  return makeJob(shop.admin, history.filled(jobFor(puppet, 'deliver', { ...fixed, ...settings })) as object)
}

async function fileOf(jobId: string): Promise<{ kind: string | null; lines: readonly string[] }> {
  const run = await whenEnded(shop.admin, await trigger(shop.admin, jobId))
  assert.equal(run.status, 'success', String(run.error))
  return { kind: run.kind, lines: puppet.read(run.id).toString().split('\n').slice(0, -1) }
}

/** Applies the files of a job as they come. */
class Shop {
  readonly rows = new Map<string, string>()
  readonly jobId: string

  constructor(jobId: string) {
    this.jobId = jobId
  }

  async take(): Promise<void> {
    const { kind, lines } = await fileOf(this.jobId)
    if (kind === 'full') this.rows.clear()
    for (const line of lines) {
      const { id, deleted } = JSON.parse(line) as { id: string; deleted?: boolean }
      if (deleted === true) this.rows.delete(id)
      else this.rows.set(id, line)
    }
  }
}

const anyMoment = fc.record({
  steps: fc.array(anyStep, { minLength: 1, maxLength: 2 }),
  /** Whether the job runs, and while something is written. */
  run: fc.constantFrom('none', 'meanwhile', 'afterwards'),
})

const property = fc.asyncProperty(
  anyBeginning,
  fc.array(anyMoment, { minLength: 3, maxLength: 8 }),
  async (beginning, moments) => {
    await history.beginAgain(beginning)
    const followers = await Promise.all(JOBS.map(async (job) => new Shop((await makeDrawn({ ...job, delta: {} })).id)))
    const takeAll = () => Promise.all(followers.map((follower) => follower.take()))
    await takeAll()
    for (const { steps, run } of moments) {
      const writing = Promise.all(steps.map((step) => history.perform(step)))
      await Promise.all([writing, run === 'meanwhile' && takeAll()])
      if (run === 'afterwards') await takeAll()
    }
    await takeAll()
    for (const [at, { jobId, rows }] of followers.entries()) {
      const { id } = await makeDrawn(JOBS[at]!)
      assert.deepEqual([...rows.values()].toSorted(), (await fileOf(id)).lines.toSorted())
      for (const one of [id, jobId]) await send(shop.admin, 'DELETE', `/api/v1/export-jobs/${one}`)
    }
  },
)

it('The files of jobs with delta give what the files of jobs without have', () =>
  fc.assert(property, { numRuns: 8, endOnFailure: true }))
