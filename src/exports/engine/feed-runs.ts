// The starting point of a run of a delta job, and the new starting point after its success. Contract 3 §5.
import { OwnerFault } from '../../core/accounts/rules/owner.ts'
import type { Role } from '../../core/accounts/rules/permissions.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import type { ExportJob } from '../rules/export-job.ts'
import type { ExportRun, RunKind } from '../rules/export-run.ts'
import { beginFeedRun, type DeltaState, endFeedRun, type FeedResult, type FeedRun } from '../rules/feed-state.ts'
import type { Transaction } from '../../store/port.ts'
import { findJobRole } from '../../store/owners.ts'
import { targetOf } from '../rendering/job-rendering.ts'
import { assertMayGo, type Redelivery, settingsOf } from './kept-files.ts'
import { lastMatch } from '../schedule/scheduler.ts'

/** Undefined: the job makes no deltas. Its stored starting point is deleted, because later files contain everything. */
export async function beginFeed(tx: Transaction, job: ExportJob, at: Date): Promise<FeedRun | undefined> {
  const known = await tx.exportFeeds.get(job.id)
  if (job.delta === null) {
    if (known.delta !== null) await tx.exportFeeds.put(job.id, { ...known, delta: null })
    return undefined
  }
  const { fullEvery } = job.delta
  const lastFull = fullEvery === undefined ? undefined : lastMatch(fullEvery, job.timezone, at)
  const feed = known.delta?.feed ?? (await tx.exportFeeds.nextFeed())
  const run = beginFeedRun(known.delta ?? undefined, { feed, target: targetOf(job), at, lastFull })
  // Every attempt has its own number, even a failed one. The target is noted with the first full file; a changed target makes
  // earlier files useless.
  const target = known.delta?.target ?? run.state.target
  await tx.exportFeeds.put(job.id, { ...known, delta: { ...run.state, target } })
  return run
}

/** The kind of file that a run would deliver now. */
export function nextKind(job: ExportJob, state: DeltaState, at: Date): RunKind {
  const { fullEvery } = job.delta ?? {}
  const lastFull = fullEvery === undefined ? undefined : lastMatch(fullEvery, job.timezone, at)
  return job.delta === null
    ? 'full'
    : beginFeedRun(state, { feed: state.feed, target: targetOf(job), at, lastFull }).kind
}

/** Stores the new starting point after a successful run. */
export async function endFeed(
  tx: Transaction,
  jobId: string,
  run: { readonly isFull: boolean; readonly recordCount: number; readonly at: Date },
  feed: { readonly begun: FeedRun; readonly result: FeedResult } | undefined,
): Promise<void> {
  const known = await tx.exportFeeds.get(jobId)
  const fullCount = run.isFull ? run.recordCount : known.fullCount
  const delta = feed === undefined ? known.delta : endFeedRun(feed.begun, feed.result, run.at)
  await tx.exportFeeds.put(jobId, { fullCount, delta })
}

/**
 * The run whose file is to be delivered again.
 * @throws NOT_FOUND; CONFLICT if the file is gone, would undo a later delta, or must not go to the job's current address
 */
export async function findKept(tx: Transaction, job: ExportJob, redelivery: Redelivery, at: Date): Promise<ExportRun> {
  const { runId, address } = redelivery
  const now = at.toISOString()
  const run = await tx.exportRuns.get(runId)
  if (run === undefined || run.jobId !== job.id) throw notFound('Export run', runId)
  if (run.status === 'running') throw conflict(`The export run '${runId}' has not ended yet`)
  if (run.status === 'success') throw conflict(`The file of the export run '${runId}' was delivered`)
  if (run.keptUntil === null || run.keptUntil <= now)
    throw conflict(`The file of the export run '${runId}' is not kept, or no longer: trigger the job instead`)
  const [later] = job.delta === null ? [] : await tx.exportRuns.list({ jobId: job.id, status: 'success' }, 1)
  if (later !== undefined && later.startedAt >= run.startedAt)
    throw conflict(
      `The later run '${later.id}' has already delivered the records of the export run '${runId}': trigger the job instead`,
    )
  if (settingsOf(job) !== redelivery.settings)
    throw conflict(`The destination of the export job '${job.id}' is being changed: try again`)
  const [file, role] = [await tx.exportRuns.fileOf(runId), await findRole(tx, job, at)]
  // The run itself reports an owner without the rights.
  if (file !== undefined && role !== undefined) assertMayGo(file, { address, role })
  return run
}

async function findRole(tx: Transaction, job: ExportJob, at: Date): Promise<Role | undefined> {
  try {
    return await findJobRole(tx, at, job)
  } catch (error) {
    if (error instanceof OwnerFault) return undefined
    throw error
  }
}
