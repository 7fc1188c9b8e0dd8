// What the services of export jobs and runs ask of the machinery that exports: `src/exports/engine/engine.ts` is it. Contract 2 §6.
import type { Transaction } from '../../store/port.ts'
import type { Role } from '../../core/accounts/rules/permissions.ts'
import type { ExportJob } from '../rules/export-job.ts'
import type { DeltaState } from '../rules/feed-state.ts'
import type { ExportRun, RunKind, RunProgress } from '../rules/export-run.ts'

export interface CheckResult {
  readonly ok: boolean
  readonly message: string
}

export interface InstalledDestination {
  readonly type: string
  readonly title: string
  /** Keys of its settings; `headers.*`: each value of the object `headers`. */
  readonly secrets: readonly string[]
  /** All keys of its settings; undefined where it does not say. */
  readonly keys: readonly string[] | undefined
}

/** Of a destination; with its secrets where it is passed to an engine. */
export type Settings = Readonly<Record<string, unknown>>

/** Called in the transaction that stores the row of a run, as often as that runs. */
export type NoteRun = (tx: Transaction, run: ExportRun) => Promise<void>

export interface ExportEngine {
  readonly secrets: {
    /** Text that may be stored. */
    seal(jobId: string, field: string, value: unknown): string
    /** Throws where it was sealed with another key, or for another job or field. */
    open(jobId: string, field: string, sealed: string): unknown
  }
  /** What is wrong, as a field's name and the rest of a sentence, or undefined. */
  findScheduleFault(schedule: string, timezone: string): string | undefined
  /** The first matches from now on; fewer where there are no more. Throws for what `findScheduleFault` refuses. */
  nextMatches(schedule: string, timezone: string, count: number): Date[]
  /** null for a paused job. */
  nextRunAt(job: ExportJob): Date | null
  /** What the next run of a job that makes deltas delivers, as things are now. */
  nextKind(job: ExportJob, state: DeltaState): RunKind
  /** All that are installed, in the order of their loading. */
  listDestinations(): readonly InstalledDestination[]
  /** The secret keys of a destination's settings: see `kernel/secrets/secret-fields.ts`. @throws VALIDATION_ERROR for an unknown type */
  secretKeysOf(destinationType: string): readonly string[]
  /**
   * `config` without what the destination does not know.
   * @throws VALIDATION_ERROR naming the field, also for an address in it that may not be reached
   */
  checkConfig(type: string, config: Settings): Promise<Settings>
  /** The key in which `after` says other than `before` where, or how safely, secrets are sent; or undefined. */
  findMove(type: string, before: Settings, after: Settings): Promise<string | undefined>
  /** `text` without the job's secrets. */
  redact(job: ExportJob, text: string): string
  /** To be called after a job was stored: follows its schedule, or no longer. */
  watch(job: ExportJob): void
  /** Resolves when the run's row is stored. @throws NOT_FOUND, CONFLICT while the job runs, here or elsewhere, UNAVAILABLE at shutdown */
  trigger(jobId: string, note?: NoteRun): Promise<ExportRun>
  /**
   * The same with the file of a run whose delivery failed.
   * @throws what `trigger` throws, CONFLICT where that is no longer kept, or was made for another address, or with more rights than the owner has
   */
  redeliver(jobId: string, runId: string, note: NoteRun): Promise<ExportRun>
  /** How far a run has come that this server performs. */
  progressOf(runId: string): RunProgress | undefined
  /** Whether this server performs the run, which ends then soon. */
  cancel(runId: string): boolean
  /** Removes what runs left at the job's destination, as far as that goes, unless the job is running. */
  sweep(job: ExportJob): Promise<void>
  /** Does `work`, which deletes the job, while it does not run: a run that goes on is cancelled, and swept up after, first. */
  retire<Result>(job: ExportJob, work: () => Promise<Result>): Promise<Result>
  /** Whether the destination can be written. `isDraft`: the job is not stored. */
  check(job: ExportJob, signal: AbortSignal, isDraft?: boolean): Promise<CheckResult>
  /** The first records as the job would render them, of what the role may read. */
  preview(job: ExportJob, role: Role, limit: number, signal: AbortSignal): Promise<string>
}
