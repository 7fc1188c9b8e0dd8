// The entries about export jobs in the feed of changes. Contract 3 §3.
import { type ExportJob, toJobView } from '../../exports/rules/export-job.ts'
import type { Transaction } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { noteModelChange } from './model-entries.ts'

/**
 * As clients see it, without secrets and the selection, whose criteria may ask for what a reader must not see: of these it says
 * only that something has changed.
 */
export function noteJobChange(
  tx: Transaction,
  system: System,
  user: Pick<Caller, 'id'>,
  before: ExportJob | undefined,
  after: ExportJob | undefined,
): void {
  const shown = (job: ExportJob | undefined) =>
    job && toJobView(job, { nextRunAt: null, lastRun: undefined, selection: null })
  const untoldOf = (job: ExportJob | undefined): string => JSON.stringify([job?.secrets, job?.selection])
  const isUntold = untoldOf(before) !== untoldOf(after)
  noteModelChange(tx, system, user, { entityType: 'exportJob', before: shown(before), after: shown(after), isUntold })
}
