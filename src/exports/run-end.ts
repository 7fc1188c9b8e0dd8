// What is stored of a run that has ended, and of the job that it has paused. Contract 1 §3.3, 2 §6, 3 §3.
import { defineModelEntry } from '../domain/events/model-entry.ts'
import type { ExportJob } from '../domain/exports/export-job.ts'
import type { ExportRun } from '../domain/exports/export-run.ts'
import type { System } from '../machine/system.ts'
import type { Transaction } from '../storage/port.ts'
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

export function notePause(tx: Transaction, system: System, { id }: ExportJob, timestamp: string): void {
  const head = { id: system.newId('aud'), userId: NOBODY, timestamp }
  const note = { entityType: 'exportJob', before: { id, active: true }, after: { id, active: false } } as const
  tx.feed.append({ kind: 'model', timestamp, entry: defineModelEntry(head, note)! })
}
