// The part of the storage interface for records: reading, listing and writing them. `port.ts` lists the errors of all
// methods.
import type { RecordHead } from '../core/records/rules/record.ts'
import type { SearchPosition } from '../core/search/rules/sorting.ts'
import type { AttributeOfSchema, Referrer } from '../core/records/rules/referrer.ts'
import type { RecordReference, UniqueKey } from '../core/values/values.ts'

export interface Page {
  /** 0 or more. */
  readonly offset: number
  /** 1 or more. */
  readonly limit: number
}

/** A page of the records of a category. */
export interface CategoryPage extends Page {
  /** The end of the previous page: this page begins after it. */
  readonly after?: SearchPosition | undefined
}

/** A stored record. Its values are JSON text, so that reading a record needs no parsing. */
export interface StoredRecord extends RecordHead {
  /** Identifies one state of one record: every write sets a value that no record had before. */
  readonly version: number
  /** JSON of `Values`. */
  readonly valuesJson: string
}

export interface WalkedPage {
  readonly schemaId: string
  /** The page begins after this place. */
  readonly place: number
  readonly limit: number
}

export interface PlacedRecord {
  /** The place in the order of creation: it never changes, and no other record has it. */
  readonly place: number
  readonly record: StoredRecord
}

export interface RecordFilter {
  readonly schemaId?: string | undefined
  readonly lifecycleStateId?: string | undefined
  /** A record ID: only variants of this record; null: only records that are no variants. */
  readonly parentId?: string | null | undefined
}

export interface RecordList {
  readonly items: StoredRecord[]
  /** Matches on all pages. */
  readonly total: number
  /** The end of a full page. */
  readonly next?: SearchPosition | undefined
}

export interface ReferrersAsked {
  readonly targetIds: readonly string[]
  /** Values of other attributes are left out. */
  readonly attributes: readonly AttributeOfSchema[]
  /** The end of the previous page: this page begins after it. */
  readonly after?: Referrer | undefined
  /** 1 or more. */
  readonly limit: number
}

/**
 * Bytes of values that a page reads at once: parsing and sending them takes the main thread some milliseconds. Larger
 * pages are read and sent in parts.
 */
export const MAX_AT_ONCE = 1024 * 1024

export interface RecordReads {
  get(id: string): Promise<StoredRecord | undefined>
  /** Returns the existing records with these IDs, each once. Pass few IDs: the records are held in memory. */
  getMany(ids: readonly string[]): Promise<ReadonlyMap<string, StoredRecord>>
  /** Returns the IDs of existing records, each with the ID of its schema. */
  existing(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Returns the unique values of `keys` that another record of the schema holds. The given record need not exist. */
  takenUniqueKeys(record: RecordIdentity, keys: readonly UniqueKey[]): Promise<UniqueKey[]>
  /** Returns the ID of the record of the schema that holds a unique value. */
  holderOf(schemaId: string, key: UniqueKey): Promise<string | undefined>
  /**
   * Lists records in the order of creation. Undefined: the page is too large or too far from the beginning to be read
   * at once; `ItemReads` reads it in parts.
   */
  list(filter: RecordFilter, page: Page): Promise<RecordList | undefined>
  /** The IDs of all variants of a record, in the order of creation. */
  variantIdsOf(parentId: string): Promise<string[]>
  /** Counts records by filter, variants included. */
  count(filter: RecordFilter): Promise<number>
  /** The values that name some records: by target, schema, attribute, record and scope. */
  referrers(asked: ReferrersAsked): Promise<Referrer[]>
  /**
   * Lists records of a schema in the order of creation, after a place (0: from the first), `limit` at most. If they are
   * large, it returns fewer, but at least one while any follow.
   */
  listFrom(schemaId: string, place: number, limit: number): Promise<PlacedRecord[]>
  /** Lists records by sort order within the category, then in the order of creation. Undefined: as for `list`. */
  listInCategory(categoryId: string, page: CategoryPage): Promise<RecordList | undefined>
}

export type RecordIdentity = Pick<StoredRecord, 'id' | 'schemaId'>

export interface RecordWrites {
  /**
   * Reserves room for one record that the transaction inserts later, without counting all records.
   * @param max the most records, variants included; 0 or less: none
   * @throws LIMIT_EXCEEDED
   */
  reserve(max: number): Promise<void>
  /** Inserts a record with a new version of the transaction. @throws CONFLICT if the ID exists */
  insert(record: StoredRecord): Promise<void>
  /**
   * Replaces `before`, the record as this transaction last read or wrote it, by `after`. If the record has another
   * state, the caller is at fault, and nothing is written.
   */
  update(before: StoredRecord, after: StoredRecord): Promise<void>
  /**
   * Deletes the record with its category assignments and unique keys. Its variants and stored references must already
   * be deleted.
   */
  delete(id: string): Promise<void>
  /**
   * Replaces the unique values `before` of the record by `after`. Values in both stay unchanged, stored or not.
   * @throws CONFLICT, before any write, naming the attribute and scope that another record holds
   */
  setUniqueKeys(record: RecordIdentity, before: readonly UniqueKey[], after: readonly UniqueKey[]): Promise<void>
  /** Replaces the stored references `before` of the record by `after`. References in both stay unchanged, stored or not. */
  setReferences(
    record: RecordIdentity,
    before: readonly RecordReference[],
    after: readonly RecordReference[],
  ): Promise<void>
  /** Requests a new search index for the records of a schema, because the model changed. */
  reindex(schemaId: string): Promise<void>
}
