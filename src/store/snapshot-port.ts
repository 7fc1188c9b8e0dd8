// The workspace as it was at one moment, which exports are made from: part of `port.ts`.
import type { VariantValues } from '../core/records/rules/exported-record.ts'
import type { MemberView } from '../exports/rules/feed-state.ts'
import type { Category } from '../core/model/rules/catalog.ts'
import type { Model } from '../core/model/rules/model.ts'
import type { StoredRecord } from './record-port.ts'

/** The selection of an export. A schema, catalog or state that does not exist selects nothing. */
export interface SnapshotFilter {
  /** null: of every schema. */
  readonly schemaId: string | null
  /** Records that are assigned to a category of this catalog, and variants of such records; null: assigned or not. */
  readonly catalogId: string | null
  readonly includeVariants: boolean
  /** null: in every state. */
  readonly lifecycleStateIds: readonly string[] | null
}

export interface SnapshotRecord extends StoredRecord {
  /** Only of a variant: JSON of its parent's `Values`. */
  readonly parentValuesJson: string | null
  /** Where they are asked for, in the order of catalogs' and categories' creation. */
  readonly categoryIds?: readonly string[] | undefined
}

export interface FoundOptions {
  /** Records come with their categories: `effective`, a variant's parent's as well. */
  readonly withCategories?: VariantValues | undefined
  /** Only these records, where they match. */
  readonly ids?: readonly string[] | undefined
}

/** IDs of the changed records, and of the records that a destination has. */
export interface FeedSnapshot {
  /** The last change that the snapshot has. */
  position(): Promise<number>
  /** Records that were written or deleted after a position; undefined where the trail does not go back so far any more. */
  changedSince(position: number): Promise<string[] | undefined>
  variantsOf(ids: readonly string[]): Promise<string[]>
  ofSchemas(schemaIds: readonly string[]): Promise<string[]>
  /** Records that refer to these by attributes of these aliases. */
  referrersOf(ids: readonly string[], aliases: readonly string[]): Promise<string[]>
  membersAmong(view: MemberView, ids: readonly string[]): Promise<string[]>
  /** The next ones in the order of their IDs. */
  membersAfter(view: MemberView, last: string, limit: number): Promise<string[]>
  /** All that categories say of records, as text. */
  categories(): Promise<string>
}

/** Records that other records refer to. */
export interface LinkedSnapshot {
  /** Records that exist, in any order. */
  linked(ids: readonly string[]): Promise<SnapshotRecord[]>
}

/** The records that a search finds as they were at one moment, without later writes: for exports, in a thread of their own. */
export interface FoundSnapshot extends LinkedSnapshot {
  readonly model: Model
  /**
   * In the order of the search, each time from the first on. A batch may be empty: then other work has its turn.
   * @throws UNAVAILABLE when finding and reading takes longer than it may
   */
  batches(options?: FoundOptions): AsyncIterable<SnapshotRecord[]>
  /** The categories of one catalog; none where it is unknown. */
  categoriesOf(catalogId: string): Promise<Category[]>
  /** For deltas. */
  readonly feed: FeedSnapshot
  close(): Promise<void>
}

/** The workspace as it was at one moment, without later writes: for exports, in a thread of their own. */
export interface RecordSnapshot extends LinkedSnapshot {
  readonly model: Model
  count(filter: SnapshotFilter): Promise<number>
  /** In the order of creation. A batch is of bounded size, but holds one record at least. */
  batches(filter: SnapshotFilter): AsyncIterable<SnapshotRecord[]>
  /** The same of a small part of the records, taken from everywhere among them. */
  sample(filter: SnapshotFilter): AsyncIterable<SnapshotRecord[]>
  close(): Promise<void>
}
