// The places that may hold earlier values of a record, and how each place is cleaned: in short, repeatable steps. Contract 3 §3.
import { aliasesOf, type BulkAction } from '../../bulk/rules/bulk-actions.ts'
import { type BulkJob, type BulkTask, hasEnded } from '../../core/jobs/rules/bulk-job.ts'
import type { ErasedHistory, ErasureStage } from '../../core/records/rules/erased-history.ts'
import type { AnswerSeal } from '../../core/requests/answer-seal.ts'
import type { KeptContent } from '../../core/requests/idempotent-requests.ts'
import type { ImportFiles } from '../../imports/readers/import-files.ts'
import { type ImportUpload, MAX_IMPORTS } from '../../imports/rules/import-upload.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { KeptAnswer } from '../../store/answer-port.ts'
import type { Reads, Store, Transaction } from '../../store/port.ts'

/** Samples and errors of one transaction. */
const FINDINGS_AT_ONCE = 50
/** Jobs that are looked at together. */
const JOBS_AT_ONCE = 20
const TOLD = 'The history of the record was erased'

export interface StageDeps {
  readonly store: Store
  readonly system: Pick<System, 'now'>
  readonly importFiles: Pick<ImportFiles, 'has' | 'remove'>
  readonly seal: Pick<AnswerSeal, 'seal' | 'open'>
  /** Removes files of export runs that are no longer kept. */
  readonly tidySpool: () => Promise<void>
  /** Called before each step. @throws UNAVAILABLE where the server stops */
  readonly assertGoing: () => void
}

/** Resolves to whether all of it is gone; false: it is to be tried again later. */
type Stage = (deps: StageDeps, erasure: ErasedHistory) => Promise<boolean>

export const STAGES: Record<ErasureStage, Stage> = {
  trail: eraseTrail,
  comments: eraseComments,
  findings: eraseFindings,
  tasks: eraseTasks,
  answers: async ({ store, seal, assertGoing }, { recordId }) => {
    await eraseAnswers({ store, seal }, recordId, assertGoing)
    return true
  },
  imports: eraseImports,
  exports: eraseExports,
  remains: async ({ store }) => (await store.overwriteRemains?.()) ?? true,
}

async function eraseTrail({ store, assertGoing }: StageDeps, { recordId, sequence }: ErasedHistory): Promise<boolean> {
  for (let before: number | undefined = sequence; before !== undefined;) {
    assertGoing()
    await store.whenCalm()
    const from: number = before
    before = (await store.transaction((tx) => tx.audit.eraseChanges(recordId, from))).next
  }
  return true
}

/** Comments may quote earlier values, and so may notes of assignments. */
async function eraseComments({ store, assertGoing }: StageDeps, { recordId, requestedAt }: ErasedHistory) {
  for (let erased = 1; erased > 0;) {
    assertGoing()
    await store.whenCalm()
    erased = await store.transaction(
      async (tx) =>
        (await tx.comments.deleteOf(recordId, requestedAt, FINDINGS_AT_ONCE)) +
        (await tx.workAssignments.eraseNotes(recordId, FINDINGS_AT_ONCE)),
    )
  }
  return true
}

/** Erases findings of bulk jobs, dry runs and imports about the record. */
async function eraseFindings({ store, assertGoing }: StageDeps, { recordId }: ErasedHistory): Promise<boolean> {
  for (let erased = 1; erased > 0;) {
    assertGoing()
    erased = await store.transaction((tx) => tx.bulkJobs.eraseFindings(recordId, TOLD, FINDINGS_AT_ONCE))
  }
  return true
}

/** Erases values in the tasks of all ended jobs; they are not needed any more. */
async function eraseTasks({ store, assertGoing }: StageDeps): Promise<boolean> {
  for (let offset = 0; ; offset += JOBS_AT_ONCE) {
    const jobs = await store.read.bulkJobs.list(undefined, { offset, limit: JOBS_AT_ONCE })
    for (const { id } of jobs.filter((job) => job.kind === 'bulk' && hasEnded(job))) {
      assertGoing()
      await store.transaction(async (tx) => {
        if ((await tx.bulkJobs.get(id)) === undefined) return
        const task = await tx.bulkJobs.taskOf(id)
        const emptied = withoutValues(task)
        if (JSON.stringify(emptied) !== JSON.stringify(task)) await tx.bulkJobs.replaceTask(id, emptied)
      })
    }
    if (jobs.length < JOBS_AT_ONCE) return true
  }
}

/** Files that a job has read: which of their rows are the record's, only the job knew. */
async function eraseImports({ store, system, importFiles, assertGoing }: StageDeps): Promise<boolean> {
  let isTaken = false
  for (const { id } of await store.read.imports.list(undefined, { offset: 0, limit: MAX_IMPORTS })) {
    assertGoing()
    const jobs = await store.transaction((tx) => endImport(tx, id, system.now().toISOString()))
    if (jobs === undefined) continue
    if (!jobs.every(hasEnded)) isTaken = true
    else if (await importFiles.has(id)) await importFiles.remove(id)
  }
  return !isTaken
}

/**
 * Ends the import: it expires now, and loses its sample cells. Resolves to the jobs of the import; undefined if no job has
 * read the file.
 */
async function endImport(tx: Transaction, id: string, now: string): Promise<readonly BulkJob[] | undefined> {
  const upload = await tx.imports.get(id)
  const jobs = upload === undefined ? [] : await jobsOf(tx, upload)
  if (upload === undefined || jobs.every(({ startedAt }) => startedAt === null)) return undefined
  const details = await tx.imports.detailsOf(id)
  const columns = details.columns.map((column) => ({ ...column, samples: [] }))
  const zip = details.zip && { ...details.zip, samples: [], skipped: { ...details.zip.skipped, samples: [] } }
  const expiresAt = upload.expiresAt < now ? upload.expiresAt : now
  await tx.imports.update({ ...upload, expiresAt }, { ...details, columns, zip })
  return jobs
}

async function jobsOf({ bulkJobs }: Pick<Reads, 'bulkJobs'>, { jobIds }: ImportUpload): Promise<BulkJob[]> {
  const jobs: BulkJob[] = []
  for (const id of jobIds) {
    const job = await bulkJobs.get(id)
    if (job !== undefined) jobs.push(job)
  }
  return jobs
}

/** Files that could not be delivered. A run that began before may still leave one. */
async function eraseExports({ store, tidySpool }: StageDeps, { requestedAt }: ErasedHistory): Promise<boolean> {
  const { exportRuns } = store.read
  const isOlder = ({ startedAt }: { readonly startedAt: string }): boolean => startedAt <= requestedAt
  const going: string[] = []
  for (const run of await exportRuns.listRunning())
    if (isOlder(run) && (await exportRuns.isPerformed(run.id))) going.push(run.id)
  await store.transaction(async (tx) => {
    for (const run of await tx.exportRuns.listKept())
      if (isOlder(run)) await tx.exportRuns.update({ ...run, keptUntil: null })
  })
  await tidySpool()
  return going.length === 0
}

/** Answers that are opened together: each has 64 KiB at most. */
const AT_ONCE = 20

/** @param assertGoing called before each step: may throw to stop */
async function eraseAnswers(
  { store, seal }: { readonly store: Store; readonly seal: Pick<AnswerSeal, 'seal' | 'open'> },
  recordId: string,
  assertGoing: () => void,
): Promise<void> {
  let last: KeptAnswer | undefined
  for (;;) {
    assertGoing()
    const answers = await store.read.keptAnswers.listAfter(last, AT_ONCE)
    const told = answers.filter(({ id, content }) => mayTellOf(recordId, seal.open(id, content) as KeptContent))
    if (told.length > 0) await store.transaction((tx) => replaceAll(tx, told, seal))
    last = answers.at(-1)
    if (answers.length < AT_ONCE) return
  }
}

async function replaceAll(
  { keptAnswers }: Transaction,
  told: readonly KeptAnswer[],
  seal: Pick<AnswerSeal, 'seal' | 'open'>,
): Promise<void> {
  for (const { id } of told) {
    const answer = await keptAnswers.get(id)
    if (answer === undefined) continue
    const { status } = seal.open(id, answer.content) as KeptContent
    await keptAnswers.delete(id)
    // A refused request may be sent again.
    if (status >= 300) continue
    const erased: KeptContent = { status, text: undefined, headers: [], isErased: true }
    await keptAnswers.insert({ ...answer, content: seal.seal(id, erased) })
  }
}

/** The answer to a write names its record. The answer to a read may have values only, or be a file. */
function mayTellOf(recordId: string, { text = '', headers, isOfWrite, isErased }: KeptContent): boolean {
  if (isErased === true) return false
  const names = [`"${recordId}"`, `'${recordId}'`]
  return (
    isOfWrite !== true || names.some((name) => text.includes(name)) || headers.some((value) => value.includes(recordId))
  )
}

export function withoutValues(task: BulkTask): BulkTask {
  if (task.kind !== 'bulk') return task
  return { kind: 'bulk', selection: { ids: [] }, actions: task.actions.map(emptied) }
}

function emptied(action: BulkAction): BulkAction {
  const nothing = (): Record<string, unknown> => Object.fromEntries(aliasesOf([action]).map((alias) => [alias, []]))
  if ('setValues' in action) return { setValues: nothing() }
  if ('patchValues' in action) return { patchValues: nothing() }
  if ('replaceText' in action) return { replaceText: { ...action.replaceText, find: '-', replace: '' } }
  return action
}
