// What is stored of a run that has ended, and of the job that it has paused. Contract 1 §3.3, 2 §6, 3 §3.
import type { PausedReason } from '../../core/accounts/rules/owner.ts'
import { defineModelEntry } from '../../core/feed/rules/model-entry.ts'
import type { ExportJob } from '../rules/export-job.ts'
import type { ExportRun } from '../rules/export-run.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Transaction } from '../../store/port.ts'
import { keptUntil } from './kept-files.ts'
import type { Outcome } from './run.ts'

/** How a run ended. */
export type Ended = Outcome & { readonly attempts: number; readonly at: Date }

/** Who has changed a job that a destination has paused. */
const NOBODY = 'system'

export function endedRun(run: ExportRun, outcome: Ended, now: Date): ExportRun {
  const isDone = outcome.status === 'success'
  const { file, attempts } = outcome
  return {
    ...run,
    status: outcome.status,
    // A clock that was set back must not make a run end before it began.
    completedAt: now.toISOString() < run.startedAt ? run.startedAt : now.toISOString(),
    recordCount: isDone ? outcome.file.recordCount : null,
    fileSize: isDone ? outcome.file.size : null,
    destinationPath: isDone ? outcome.destinationPath : null,
    error: isDone ? null : outcome.error,
    attempts,
    sha256: file?.sha256 ?? null,
    keptUntil: isDone || file === undefined ? null : keptUntil(now),
  }
}

/** The job as it is paused by the server. null: nobody waits for it, and only what its owner may not do is to be told. */
export function pausedBy(job: ExportJob, reason: PausedReason, updatedAt: string): ExportJob | null {
  const isOfOwner = reason.code === 'OWNER'
  if (!job.active && !isOfOwner) return null
  const resumesWithOwner = isOfOwner && (job.active || job.resumesWithOwner)
  return { ...job, active: false, pausedReason: reason, resumesWithOwner, updatedAt }
}

export function notePause(
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
