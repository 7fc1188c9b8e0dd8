// The row of a run: its begin and its end, each in one transaction, with the pause of the job. Contract 1 §3.3, 2 §6, 3 §3.
import { conflict } from '../../kernel/errors.ts'
import type { ExportJob } from '../rules/export-job.ts'
import { type ExportRun, NOTHING_YET } from '../rules/export-run.ts'
import type { FeedRun } from '../rules/feed-state.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Transaction } from '../../store/port.ts'
import type { Lease } from '../../store/run-port.ts'
import { beginFeed, endFeed, findKept } from './feed-runs.ts'
import { keepFew, type Redelivery, keptUntil } from './kept-files.ts'
import { endSilentRuns } from './lost-runs.ts'
import type { PausedReason } from '../../core/accounts/rules/owner.ts'
import { defineModelEntry } from '../../core/feed/rules/model-entry.ts'
import type { Outcome } from './run.ts'

/** Why a run begins. */
export interface RunCause {
  /** The scheduled match; undefined: a person or program triggered the run. */
  readonly match?: Date | undefined
  /** The lease of the schedules. */
  readonly lease?: Lease | undefined
  /** The run whose file is delivered again. */
  readonly redelivers?: Redelivery | undefined
  /** Called in the transaction that stores the row of the run, as often as that runs. */
  readonly note?: NoteRun | undefined
}

/** A run whose row is stored. */
export interface Begun {
  readonly job: ExportJob
  readonly run: ExportRun
  /** The term of the lease at the begin of the run. */
  readonly term: number
  /** For a job that makes deltas. */
  readonly feed: FeedRun | undefined
  /** Whether this server performs the run. Otherwise the server that has the file to deliver again performs it. */
  readonly isHere: boolean
}

/** Another program has reported that it runs the job. */
interface Blocked {
  readonly job: ExportJob
  readonly other: ExportRun
}

/** Called in the transaction that stores the row of a run, as often as that runs. */
export type NoteRun = (tx: Transaction, run: ExportRun) => Promise<void>

/** `term`: of the lease of the schedules. @throws NOT_FOUND, CONFLICT */
export async function beginRun(
  tx: Transaction,
  system: System,
  term: number,
  jobId: string,
  { match, lease, redelivers, note }: RunCause,
): Promise<Begun | Blocked> {
  if (match !== undefined) await assertLeads(tx, lease)
  const job = await tx.exportJobs.find(jobId)
  if (match !== undefined) await tx.exportJobs.update(handled(job, match))
  const now = system.now()
  await endSilentRuns(tx, now, jobId)
  const other = await tx.exportRuns.findRunning(jobId)
  if (other !== undefined) return { job, other }
  const startedAt = now.toISOString()
  const source = redelivers === undefined ? undefined : await findKept(tx, job, redelivers, now)
  const feed = source === undefined ? await beginFeed(tx, job, match ?? now) : undefined
  const kind = source?.kind ?? feed?.kind ?? 'full'
  const of = { kind, redelivers: redelivers?.runId ?? null }
  const run: ExportRun = { ...NOTHING_YET, ...of, id: system.newId('run'), jobId, status: 'running', startedAt }
  const isHere = await tx.exportRuns.begin(run, term)
  await note?.(tx, run)
  return { job, run, term, feed, isHere }
}

/** @throws CONFLICT where this server no longer follows the schedules */
async function assertLeads(tx: Transaction, lease: Lease | undefined): Promise<void> {
  if (lease === undefined || !(await tx.holds(lease))) throw conflict('another server follows the schedules by now')
}

/** Takes a run that was requested at another server. @returns undefined if it has ended meanwhile */
export async function takeRun(tx: Transaction, system: System, { id, jobId }: ExportRun): Promise<Begun | undefined> {
  const term = await tx.exportRuns.take(id, system.now().toISOString())
  const run = await tx.exportRuns.get(id)
  const job = await tx.exportJobs.get(jobId)
  if (term === undefined || run === undefined || job === undefined) return undefined
  return { job, run, term, feed: undefined, isHere: true }
}

/** `keepRuns`: of the job; 0: all. `begun`: the job as it was when the run began. @returns the job where the run has paused it */
export async function endRun(
  tx: Transaction,
  { system, keepRuns }: { readonly system: System; readonly keepRuns: number },
  { job: begun, run, term, feed }: Begun,
  outcome: Ended,
): Promise<ExportJob | undefined> {
  const now = system.now()
  const { jobId } = run
  // If another server ended the run meanwhile, its result stays, and this result is not stored.
  if (!(await tx.exportRuns.end(endedRun(run, outcome, now), term))) return undefined
  await keepFew(tx, jobId)
  if (keepRuns > 0) await tx.exportRuns.prune(jobId, keepRuns)
  const job = await tx.exportJobs.get(jobId)
  if (job === undefined) return undefined
  const isDone = outcome.status === 'success'
  if (isDone && run.redelivers === null) {
    const told = { isFull: run.kind === 'full', recordCount: outcome.file.recordCount, at: outcome.at }
    const remembered = feed && outcome.feed && { begun: feed, result: outcome.feed }
    await endFeed(tx, jobId, told, remembered)
  }
  // A job that was changed meanwhile may have another destination; its next run will show that.
  const reason = isDone || job.updatedAt !== begun.updatedAt ? null : outcome.pauses
  const paused = reason && pausedBy(handled(job, now), reason, now.toISOString())
  await tx.exportJobs.update(paused ?? handled(job, now))
  if (paused === null) return undefined
  notePause(tx, system, { before: job, after: paused })
  return paused
}

/** @throws CONFLICT if another program runs the job; the match stays noted */
export function assertBegun(result: Begun | Blocked): Begun {
  if ('run' in result) return result
  const { job, other } = result
  throw conflict(`The export job '${job.id}' is running already: the entry '${other.id}' of another runner says so`)
}

/** Matches that came while the job ran were skipped. */
function handled(job: ExportJob, until: Date): ExportJob {
  const moment = until.toISOString()
  return moment > job.handledUntil ? { ...job, handledUntil: moment } : job
}

/** How a run ended. */
export type Ended = Outcome & { readonly attempts: number; readonly at: Date }

/** The author of a pause by the server. */
const NOBODY = 'system'

function endedRun(run: ExportRun, outcome: Ended, now: Date): ExportRun {
  const isDone = outcome.status === 'success'
  const { file, files, attempts } = outcome
  return {
    ...run,
    status: outcome.status,
    // A clock that was set back must not make a run end before its begin.
    completedAt: now.toISOString() < run.startedAt ? run.startedAt : now.toISOString(),
    recordCount: isDone ? outcome.file.recordCount : null,
    fileSize: isDone ? outcome.file.size : null,
    destinationPath: isDone ? outcome.destinationPath : null,
    error: isDone ? null : outcome.error,
    attempts,
    sha256: file?.sha256 ?? null,
    files: files ?? null,
    keptUntil: isDone || file === undefined ? null : keptUntil(now),
  }
}

/** The job, paused by the server; null: it is paused already, and its owner is not the reason. */
function pausedBy(job: ExportJob, reason: PausedReason, updatedAt: string): ExportJob | null {
  const isOfOwner = reason.code === 'OWNER'
  if (!job.active && !isOfOwner) return null
  const resumesWithOwner = isOfOwner && (job.active || job.resumesWithOwner)
  return { ...job, active: false, pausedReason: reason, resumesWithOwner, updatedAt }
}

function notePause(
  tx: Transaction,
  system: System,
  { before, after }: { readonly before: ExportJob; readonly after: ExportJob },
): void {
  const timestamp = after.updatedAt
  const head = { id: system.newId('aud'), userId: NOBODY, timestamp }
  const told = ({ id, active, pausedReason }: ExportJob) => ({ id, active, pausedReason })
  const note = { entityType: 'exportJob', before: told(before), after: told(after) } as const
  const entry = defineModelEntry(head, note)
  if (entry !== undefined) tx.feed.append({ kind: 'model', timestamp, entry })
}
