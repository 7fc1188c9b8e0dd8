// Takes some records of a job. One transaction writes the outcomes and the progress of the job, so a stop neither skips
// nor repeats a record. Contract 3 §2, 3 §10.
import {
  type BulkCounts,
  type BulkJob,
  type BulkOutcome,
  hasEnded,
  MAX_BULK_ERRORS,
  MAX_SAMPLES,
} from '../core/jobs/rules/bulk-job.ts'
import { BUILT_IN_ROLES } from '../core/accounts/rules/permissions.ts'
import { type ErrorCode, isRefusal } from '../kernel/errors.ts'
import type { Change } from '../core/records/rules/changes.ts'
import type { BulkItem } from '../store/bulk-port.ts'
import type { LongTransaction } from '../store/port.ts'
import type { Caller } from '../core/accounts/caller.ts'
import { findActor, type JobDeps } from './job-actor.ts'

/** Milliseconds of work before other writers get a turn. */
const STEP_MILLISECONDS = 10
/** Records of one step. */
const STEP_RECORDS = 200
/** Records that are read together. */
const AHEAD = 50

/** The outcome for one record. */
export type Judged =
  | {
      readonly outcome: Exclude<BulkOutcome, 'failed'>
      readonly schemaId: string
      readonly changes: readonly Change[]
      /** The result of `arrangementOf`. */
      readonly arrangement?: string | null
    }
  | { readonly outcome: 'failed'; readonly error: ErrorCode; readonly message: string }

export interface JudgeContext {
  readonly tx: LongTransaction
  readonly job: BulkJob
  readonly caller: Caller
}

/** Applies a job to one record. If `judge` throws, the writes for the record are rolled back. */
export interface Judge {
  /** Whether one step takes all records, however long that takes. */
  readonly isWhole?: boolean
  /** Whether the judge begins by reading the newest entries of a record's trail. */
  readonly readsTrails?: boolean
  /** Whether the job ends later than with its last record. */
  readonly endsLater?: boolean
  /** Whether the caller's role does not matter. */
  readonly isOfServer?: boolean
  /** Called before the records of each step. The judge discards a step if no `keep` follows. */
  begin?(): void
  judge(context: JudgeContext, item: BulkItem): Promise<Judged>
  /** Called when the step is durable. */
  keep?(): void
  /** Called in the transaction of the last step. */
  finish?(tx: LongTransaction): Promise<void>
}

/** Resolves to whether work is left; a job that is no longer running has none. @throws OwnerFault */
export async function takeStep(deps: JobDeps, jobId: string, judge: Judge): Promise<boolean> {
  const { store, system } = deps
  const isMore = await store.longTransaction(async (tx) => {
    const job = await tx.bulkJobs.get(jobId)
    if (job?.status !== 'running') return false
    const caller = await actorOf(tx, deps, job, judge)
    const tally = new Tally(tx, job)
    const newest = await tx.audit.newest()
    judge.begin?.()
    const end = performance.now() + STEP_MILLISECONDS
    const limit = judge.isWhole === true ? job.selected - job.done : STEP_RECORDS
    const items = await tx.bulkJobs.itemsFrom(jobId, job.done, limit)
    for (const [index, item] of items.entries()) {
      if (index % AHEAD === 0) await readAhead(tx, items.slice(index, index + AHEAD), judge)
      // All actions on the record are rolled back if one fails.
      const judged = await tx.attempt(() => judge.judge({ tx, job, caller }, item)).catch(toFailed)
      await tally.add(item, judged)
      await tx.pause()
      if (performance.now() > end && judge.isWhole !== true) break
    }
    const after = tally.job(system.now().toISOString(), newest + 1)
    if (hasEnded(after)) await judge.finish?.(tx)
    const { status, completedAt } = judge.endsLater === true ? job : after
    await tx.bulkJobs.update({ ...after, status, completedAt })
    return !hasEnded(after)
  })
  judge.keep?.()
  return isMore
}

function readAhead(tx: LongTransaction, items: readonly BulkItem[], { readsTrails = false }: Judge): Promise<void> {
  return tx.readAhead(() => items.map(({ recordId }) => recordId), { withTrail: readsTrails })
}

async function actorOf(
  tx: LongTransaction,
  { system, assertMay }: JobDeps,
  job: BulkJob,
  { isOfServer = false }: Judge,
): Promise<Caller> {
  const { ownerId: id, ownerKind: kind } = job
  if (isOfServer) return { id, kind, name: id, role: BUILT_IN_ROLES[0]! }
  return findActor(tx, system, job, assertMay)
}

/** Faults of the server are thrown again, because the record does not cause them. */
function toFailed(error: unknown): Extract<Judged, { outcome: 'failed' }> {
  if (!isRefusal(error)) throw error
  return { outcome: 'failed', error: error.code, message: error.message }
}

class Tally {
  readonly #tx: LongTransaction
  readonly #job: BulkJob
  readonly #counts: { -readonly [Name in keyof BulkCounts]: number }

  constructor(tx: LongTransaction, job: BulkJob) {
    this.#tx = tx
    this.#job = job
    const { selected, done, changed, unchanged, failed, created, updated } = job
    this.#counts = { selected, done, changed, unchanged, failed, created, updated }
  }

  async add({ recordId, place }: BulkItem, judged: Judged): Promise<void> {
    const { id, dryRun } = this.#job
    const { bulkJobs } = this.#tx
    this.#counts.done += 1
    if (judged.outcome === 'failed') {
      this.#counts.failed += 1
      const { error, message } = judged
      if (this.#counts.failed <= MAX_BULK_ERRORS)
        await bulkJobs.addError(id, place, { recordId, error, message, line: null })
      return
    }
    const { outcome, schemaId, changes } = judged
    const name = outcome === 'unchanged' ? 'unchanged' : 'changed'
    this.#counts[name] += 1
    if (name === 'changed' && !dryRun) await bulkJobs.noteChanged(id, place, judged.arrangement ?? null)
    if (this.#counts[name] <= MAX_SAMPLES)
      await bulkJobs.addSample(id, place, outcome, { recordId, schemaId, changes, line: null })
  }

  /** The updated job. @param next version of the first write of the step, if anything was written */
  job(now: string, next: number): BulkJob {
    const isFirst = this.#job.firstVersion === null && this.#counts.changed > 0
    const job = { ...this.#job, ...this.#counts, firstVersion: isFirst ? next : this.#job.firstVersion }
    return job.done < job.selected ? job : { ...job, status: 'succeeded', completedAt: now }
  }
}
