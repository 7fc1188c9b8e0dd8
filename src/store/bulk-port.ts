// Jobs that change many records: part of `port.ts`.
import type { BulkJob, BulkOutcome, BulkTask } from '../core/jobs/rules/bulk-job.ts'
import type { ErrorCode } from '../kernel/errors.ts'
import type { Change } from '../core/records/rules/changes.ts'
import type { Page } from './record-port.ts'

/** One record of a job. */
export interface BulkItem {
  /** The place in the order of judging, from 1. */
  readonly place: number
  readonly recordId: string
  /** The arrangement of the record's values, from `arrangementOf`; null: the audit entries alone describe it. */
  readonly arrangement: string | null
}

export interface BulkError {
  /** Null: the error concerns the job as a whole. */
  readonly recordId: string | null
  readonly error: ErrorCode
  readonly message: string
  /** In an import. */
  readonly line: number | null
  /** In an import of a zip: the path of the file. */
  readonly file?: string | null
}

export interface PlacedError extends BulkError {
  readonly place: number
}

/** A row of a file that names records which did not exist when the row was read. */
export interface WaitingRow {
  /** The place of the row in its file, from 1. */
  readonly position: number
  /** The ID that the row gives its record. */
  readonly namesId: string | null
  /** The result of writing the row without the values that name missing records; null: nothing is written yet. */
  readonly written: { readonly recordId: string; readonly outcome: 'created' | 'updated' | 'unchanged' } | null
}

export interface BulkSample {
  readonly recordId: string
  readonly schemaId: string
  readonly changes: readonly Change[]
  /** In an import. */
  readonly line: number | null
  /** In an import of a zip: the path of the file, and its place in the list of the record, from 1. */
  readonly file?: string | null
  readonly filePlace?: number | null
}

export interface BulkJobReads {
  get(id: string): Promise<BulkJob | undefined>
  /** Lists jobs, the latest first. @param ownerId undefined: jobs of all owners */
  list(ownerId: string | undefined, page: Page): Promise<BulkJob[]>
  /** Lists jobs that have not ended: interrupted jobs first, then in the order of creation. */
  listOpen(): Promise<BulkJob[]>
  /** The number of queued jobs of one owner. */
  countQueued(ownerId: string): Promise<number>
  /** Returns the task of an existing job. */
  taskOf(id: string): Promise<BulkTask>
  /** Lists items after a place (0: from the first), `limit` at most. */
  itemsFrom(id: string, place: number, limit: number): Promise<BulkItem[]>
  /** Lists the items that the job changed. `isReversed`: those before a place, the last first. */
  changedFrom(id: string, place: number, limit: number, isReversed: boolean): Promise<BulkItem[]>
  /** Lists errors in the order of their places. */
  errorsOf(id: string, page: Page): Promise<BulkError[]>
  /** Lists errors after a place, `limit` at most. In an import, places are positions in its file. */
  errorsFrom(id: string, place: number, limit: number): Promise<PlacedError[]>
  /** Lists samples in the order of their places: fewer than the limit if they are large, but at least one. */
  samplesOf(id: string, outcome: BulkOutcome, page: Page): Promise<BulkSample[]>
  /** Lists waiting rows after a position, `limit` at most. */
  waitingFrom(id: string, position: number, limit: number): Promise<WaitingRow[]>
  /** The IDs that waiting rows give their records, `limit` at most. */
  waitingNames(id: string, limit: number): Promise<string[]>
  /** Lists IDs of jobs that ended before a moment (ISO 8601), `limit` at most. */
  listEndedBefore(moment: string, limit: number): Promise<string[]>
}

/** Writes of jobs. The transaction that ends a job also writes the end to the feed. */
export interface BulkJobWrites {
  /** @throws CONFLICT for an ID that exists */
  insert(job: BulkJob, task: BulkTask): Promise<void>
  /** Replaces the job with this ID, which must exist; its task stays. */
  update(job: BulkJob): Promise<void>
  /** Adds items, whose places rise from `first`. */
  addItems(id: string, first: number, items: readonly Omit<BulkItem, 'place'>[]): Promise<void>
  /** Removes some of the items, `limit` at most. @returns their number */
  removeItems(id: string, limit: number): Promise<number>
  /** Notes that the job changed the record at this place. */
  noteChanged(id: string, place: number, arrangement: string | null): Promise<void>
  /** Adds an error of the record at this place; 0: an error of the job as a whole. */
  addError(id: string, place: number, error: BulkError): Promise<void>
  /** Adds a sample, unless the job has enough samples of this outcome, or its samples are too large together. */
  addSample(id: string, place: number, outcome: BulkOutcome, sample: BulkSample): Promise<void>
  /** Adds the row, or replaces the row at its position. */
  putWaiting(id: string, row: WaitingRow): Promise<void>
  removeWaiting(id: string, position: number): Promise<void>
  /** Removes errors, samples and waiting rows, `limit` of each at most. @returns the number of removed items */
  clearFindings(id: string, limit: number): Promise<number>
  /** Replaces the task. The job must have ended, or this server must run it. */
  replaceTask(id: string, task: BulkTask): Promise<void>
  /**
   * Erases findings about a record, `limit` of each kind at most. Samples lose their changes, errors get `message`, and
   * arrangements of values are deleted. @returns the number of changed rows
   */
  eraseFindings(recordId: string, message: string, limit: number): Promise<number>
  /** Deletes a job, whose items must already be deleted. */
  delete(id: string): Promise<void>
}
