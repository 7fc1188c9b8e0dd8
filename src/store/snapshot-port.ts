// Snapshots of the workspace, from which exports are made: part of `port.ts`.
import type { VariantValues } from '../core/records/rules/exported-record.ts'
import type { MemberView } from '../exports/rules/feed-state.ts'
import type { Category } from '../core/model/rules/catalog.ts'
import type { Model } from '../core/model/rules/model.ts'
import type { StoredRecord } from './record-port.ts'

/** The selection of an export. A schema, catalog or state that does not exist selects nothing. */
export interface SnapshotFilter {
  /** null: of every schema. */
  readonly schemaId: string | null
  /** Only records in a category of this catalog, and variants of such records; null: all records. */
  readonly catalogId: string | null
  readonly includeVariants: boolean
  /** null: in every state. */
  readonly lifecycleStateIds: readonly string[] | null
}

export interface SnapshotRecord extends StoredRecord {
  /** JSON of the parent's `Values`; null: the record is no variant. */
  readonly parentValuesJson: string | null
  /** The record's categories, in the order of catalogs' and categories' creation; undefined: not requested. */
  readonly categoryIds?: readonly string[] | undefined
}

export interface FoundOptions {
  /** Also reads the records' categories. `effective`: a variant also has the categories of its parent. */
  readonly withCategories?: VariantValues | undefined
  /** Only these records, if they match. */
  readonly ids?: readonly string[] | undefined
}

/** IDs of changed records, and of records that a destination has. */
export interface FeedSnapshot {
  /** Returns the position of the last change in the snapshot. */
  position(): Promise<number>
  /**
   * Returns records that were written or deleted after a position; undefined: the audit trail does not go back that
   * far.
   */
  changedSince(position: number): Promise<string[] | undefined>
  variantsOf(ids: readonly string[]): Promise<string[]>
  ofSchemas(schemaIds: readonly string[]): Promise<string[]>
  /** Records that refer to these by attributes of these aliases. */
  referrersOf(ids: readonly string[], aliases: readonly string[]): Promise<string[]>
  membersAmong(view: MemberView, ids: readonly string[]): Promise<string[]>
  /** Lists members after `last`, in the order of their IDs. */
  membersAfter(view: MemberView, last: string, limit: number): Promise<string[]>
  /** Returns all category data of records, as text. */
  categories(): Promise<string>
}

/** Records that other records refer to. */
export interface LinkedSnapshot {
  /** Records that exist, in any order. */
  linked(ids: readonly string[]): Promise<SnapshotRecord[]>
}

/** The records that a search finds, in one snapshot: for exports, in a separate thread. */
export interface FoundSnapshot extends LinkedSnapshot {
  readonly model: Model
  /**
   * Yields the records in the order of the search; each call begins with the first record. A batch may be empty, so
   * that other work can run.
   * @throws UNAVAILABLE when finding and reading exceeds its time limit
   */
  batches(options?: FoundOptions): AsyncIterable<SnapshotRecord[]>
  /** Returns the categories of one catalog; none: the catalog does not exist. */
  categoriesOf(catalogId: string): Promise<Category[]>
  /** For deltas. */
  readonly feed: FeedSnapshot
  close(): Promise<void>
}

/** A snapshot of the workspace: for exports, in a separate thread. */
export interface RecordSnapshot extends LinkedSnapshot {
  readonly model: Model
  count(filter: SnapshotFilter): Promise<number>
  /** Yields records in the order of creation, in batches of bounded size, with at least one record each. */
  batches(filter: SnapshotFilter): AsyncIterable<SnapshotRecord[]>
  /** Yields a small sample of these records, taken from everywhere among them. */
  sample(filter: SnapshotFilter): AsyncIterable<SnapshotRecord[]>
  close(): Promise<void>
}
