// The feed entries of changes of the model and of export jobs. Contract 3 §3.
import { defineModelEntry, type ModelChangeNote } from '../feed/rules/model-entry.ts'
import type { Transaction } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'
import { type ExportJob, toJobView } from '../../exports/rules/export-job.ts'
import type { Caller } from '../accounts/caller.ts'
import type { ChangeOrigin } from '../records/rules/changes.ts'

/** The caller, the time and the reason of a change of the model. */
export interface ModelChanger {
  readonly system: System
  readonly caller: Caller
  /** Default: a request of the caller. */
  readonly origin?: ChangeOrigin | undefined
}

/** Writes an entry, unless nothing has changed. */
export function noteModelChange(
  tx: Pick<Transaction, 'feed'>,
  system: Pick<System, 'now' | 'newId'>,
  user: { readonly id: string },
  note: ModelChangeNote,
): void {
  const timestamp = system.now().toISOString()
  const entry = defineModelEntry({ id: system.newId('aud'), userId: user.id, timestamp }, note)
  if (entry !== undefined) tx.feed.append({ kind: 'model', timestamp, entry })
}

/**
 * Writes an entry about a job, without secrets and without the selection, whose criteria may name hidden attributes.
 * The entry only states that one of these has changed.
 */
export function noteJobChange(
  tx: Transaction,
  system: System,
  user: Pick<Caller, 'id'>,
  before: ExportJob | undefined,
  after: ExportJob | undefined,
): void {
  const shown = (job: ExportJob | undefined) => {
    if (job === undefined) return undefined
    const { columns, files } = job
    return toJobView(job, { nextRunAt: null, lastRun: undefined, selection: null, columns, files })
  }
  const untoldOf = (job: ExportJob | undefined): string => JSON.stringify([job?.secrets, job?.selection])
  const isUntold = untoldOf(before) !== untoldOf(after)
  noteModelChange(tx, system, user, { entityType: 'exportJob', before: shown(before), after: shown(after), isUntold })
}
