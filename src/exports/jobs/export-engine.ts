// The interface of the export engine for the services. `src/exports/engine/engine.ts` implements it. Contract 2 §6.
import type { Transaction } from '../../store/port.ts'
import type { Role } from '../../core/accounts/rules/permissions.ts'
import type { Destinations } from '../destinations/destinations.ts'
import type { ExportJob } from '../rules/export-job.ts'
import type { DeltaState } from '../rules/feed-state.ts'
import type { ExportRun, RunKind, RunProgress } from '../rules/export-run.ts'

export interface CheckResult {
  readonly ok: boolean
  readonly message: string
}

/** Called in the transaction that stores the row of a run, as often as that runs. */
export type NoteRun = (tx: Transaction, run: ExportRun) => Promise<void>

export interface ExportEngine {
  readonly destinations: Pick<Destinations, 'list' | 'secretKeysOf' | 'checkConfig' | 'findMove'>
  readonly secrets: {
    /** Text that may be stored. */
    seal(jobId: string, field: string, value: unknown): string
    /** Throws if the secret was sealed with another key, or for another job or field. */
    open(jobId: string, field: string, sealed: string): unknown
  }
  /** The fault, as a field's name and the rest of a sentence; or undefined. */
  findScheduleFault(schedule: string, timezone: string): string | undefined
  /** The next matches; fewer if there are no more. Throws if `findScheduleFault` finds a fault. */
  nextMatches(schedule: string, timezone: string, count: number): Date[]
  /** null for a paused job. */
  nextRunAt(job: ExportJob): Date | null
  /** The kind of file that the next run of a delta job would deliver now. */
  nextKind(job: ExportJob, state: DeltaState): RunKind
  /** `text` without the job's secrets. */
  redact(job: ExportJob, text: string): string
  /** Follows the schedule of a stored job, or stops following it. Call it after each change of the job. */
  watch(job: ExportJob): void
  /** Resolves when the run's row is stored. @throws NOT_FOUND, CONFLICT while the job runs, here or elsewhere, UNAVAILABLE at shutdown */
  trigger(jobId: string, note?: NoteRun): Promise<ExportRun>
  /**
   * Delivers the kept file of a failed run again.
   * @throws errors of `trigger`; CONFLICT if the file is gone, has another address, or contains more than the owner may read
   */
  redeliver(jobId: string, runId: string, note: NoteRun): Promise<ExportRun>
  /** How far a run has come that this server performs. */
  progressOf(runId: string): RunProgress | undefined
  /** Whether this server performs the run, which ends then soon. */
  cancel(runId: string): boolean
  /** Removes leftovers of runs at the job's destination if possible, unless the job is running. */
  sweep(job: ExportJob): Promise<void>
  /**
   * Runs `work`, which deletes the job, while no run of the job is under way. Before, a running run is cancelled and its
   * leftovers are removed.
   */
  retire<Result>(job: ExportJob, work: () => Promise<Result>): Promise<Result>
  /** Whether the destination can be written. `isDraft`: the job is not stored. */
  check(job: ExportJob, signal: AbortSignal, isDraft?: boolean): Promise<CheckResult>
  /** The first records in the form of the job, limited to data that the role may read. */
  preview(job: ExportJob, role: Role, limit: number, signal: AbortSignal): Promise<string>
}
