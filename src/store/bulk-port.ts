// Jobs that change many records: part of `port.ts`.
import type { BulkJob, BulkOutcome, BulkTask } from '../core/jobs/rules/bulk-job.ts'
import type { ErrorCode } from '../kernel/errors.ts'
import type { Change } from '../core/records/rules/changes.ts'
import type { Page } from './record-port.ts'

/** One record of a job. */
export interface BulkItem {
  /** 1 and up, in the order in which they are judged. */
  readonly place: number
  readonly recordId: string
  /** How its values were arranged, where its audit entries alone do not say so; as `arrangementOf` gives it. */
  readonly arrangement: string | null
}

export interface BulkError {
  /** Null: of the job as a whole. */
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

/** A row of a file that names records which were not there when it was read. */
export interface WaitingRow {
  /** The place of the row in its file, from 1. */
  readonly position: number
  /** The ID that it gives its record. */
  readonly namesId: string | null
  /** The result of writing the row without the records for which it waits. */
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
  /** The latest first; of one owner where that is given. */
  list(ownerId: string | undefined, page: Page): Promise<BulkJob[]>
  /** Jobs that have not ended: interrupted ones first, then in the order of creation. */
  listOpen(): Promise<BulkJob[]>
  /** The number of queued jobs of one owner. */
  countQueued(ownerId: string): Promise<number>
  /** The task of an existing job. */
  taskOf(id: string): Promise<BulkTask>
  /** Items after a place (0: from the first), `limit` at most. */
  itemsFrom(id: string, place: number, limit: number): Promise<BulkItem[]>
  /** The items that the job changed. `isReversed`: from before a place on, the last first. */
  changedFrom(id: string, place: number, limit: number, isReversed: boolean): Promise<BulkItem[]>
  /** In the order of their places. */
  errorsOf(id: string, page: Page): Promise<BulkError[]>
  /** From behind a place on, `limit` at most: of an import, places are positions in its file. */
  errorsFrom(id: string, place: number, limit: number): Promise<PlacedError[]>
  /** The same as `errorsOf`; fewer than the limit where they are large, but one at least. */
  samplesOf(id: string, outcome: BulkOutcome, page: Page): Promise<BulkSample[]>
  /** From behind a position on, `limit` at most. */
  waitingFrom(id: string, position: number, limit: number): Promise<WaitingRow[]>
  /** The IDs that waiting rows give their records, `limit` at most. */
  waitingNames(id: string, limit: number): Promise<string[]>
  /** Jobs that ended before a moment (ISO 8601), `limit` at most: their IDs. */
  listEndedBefore(moment: string, limit: number): Promise<string[]>
}

/** The end of a job is noted in the feed in the same transaction. */
export interface BulkJobWrites {
  /** @throws CONFLICT for an ID that exists */
  insert(job: BulkJob, task: BulkTask): Promise<void>
  /** Replaces the job with this ID, which must exist; its task stays. */
  update(job: BulkJob): Promise<void>
  /** Places rise from `first` on. */
  addItems(id: string, first: number, items: readonly Omit<BulkItem, 'place'>[]): Promise<void>
  /** Removes some of the items, `limit` at most. @returns how many */
  removeItems(id: string, limit: number): Promise<number>
  /** The job changed the record at this place. */
  noteChanged(id: string, place: number, arrangement: string | null): Promise<void>
  /** Adds an error of the record at this place; 0: of the job as a whole. */
  addError(id: string, place: number, error: BulkError): Promise<void>
  /** Where the job has few enough of this outcome, and all together are small enough. */
  addSample(id: string, place: number, outcome: BulkOutcome, sample: BulkSample): Promise<void>
  /** Adds the row, or puts it in the place of the one at its position. */
  putWaiting(id: string, row: WaitingRow): Promise<void>
  removeWaiting(id: string, position: number): Promise<void>
  /** Removes errors, samples and waiting rows, `limit` of each at most. @returns how many */
  clearFindings(id: string, limit: number): Promise<number>
  /** The job must have ended, or this server must carry it out. */
  replaceTask(id: string, task: BulkTask): Promise<void>
  /**
   * Samples of a record lose their changes, errors get `message`, and how its values were arranged is gone: `limit` of each at most.
   * @returns how many
   */
  eraseFindings(recordId: string, message: string, limit: number): Promise<number>
  /** Its items must be gone. */
  delete(id: string): Promise<void>
}
