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
  /** Where the page before ended: this one begins behind it. */
  readonly after?: SearchPosition | undefined
}

/** A record as it is stored. Its values are JSON text, so that reading one costs no parsing. */
export interface StoredRecord extends RecordHead {
  /** Names one state of one record: every write gives it a value that no record had before. */
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
  /** In the order of creation: it stays the same, and no other record has it. */
  readonly place: number
  readonly record: StoredRecord
}

export interface RecordFilter {
  readonly schemaId?: string | undefined
  readonly lifecycleStateId?: string | undefined
  /** A record ID: its variants; null: records that are no variants. */
  readonly parentId?: string | null | undefined
}

export interface RecordList {
  readonly items: StoredRecord[]
  /** Matches on all pages. */
  readonly total: number
  /** Where a page ends that is full. */
  readonly next?: SearchPosition | undefined
}

export interface ReferrersAsked {
  readonly targetIds: readonly string[]
  /** Values of other attributes are left out. */
  readonly attributes: readonly AttributeOfSchema[]
  /** Where the page before ended: this one begins behind it. */
  readonly after?: Referrer | undefined
  /** 1 or more. */
  readonly limit: number
}

/**
 * Bytes of values that a page reads at once: parsing and sending them takes the main thread some milliseconds. Larger pages
 * are read and sent in parts.
 */
export const MAX_AT_ONCE = 1024 * 1024

export interface RecordReads {
  get(id: string): Promise<StoredRecord | undefined>
  /** The existing records of these IDs, each once. Ask for few: they are held in memory. */
  getMany(ids: readonly string[]): Promise<ReadonlyMap<string, StoredRecord>>
  /** Which of the IDs are those of records, each with the ID of its schema. */
  existing(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The unique values of `keys` that another record of the schema holds; the record itself need not exist. */
  takenUniqueKeys(record: RecordIdentity, keys: readonly UniqueKey[]): Promise<UniqueKey[]>
  /** The record of the schema that holds a unique value: its ID. */
  holderOf(schemaId: string, key: UniqueKey): Promise<string | undefined>
  /**
   * In the order of creation. Undefined: the page is too large or too far behind to be read at once; `ItemReads` reads it in
   * parts.
   */
  list(filter: RecordFilter, page: Page): Promise<RecordList | undefined>
  /** The IDs of all variants of a record, in the order of creation. */
  variantIdsOf(parentId: string): Promise<string[]>
  /** Counts records by filter, variants included. */
  count(filter: RecordFilter): Promise<number>
  /** The values that name some records: by target, schema, attribute, record and scope. */
  referrers(asked: ReferrersAsked): Promise<Referrer[]>
  /**
   * Records of a schema in the order of creation, from behind a place on (0: from the first): at most `limit`, and fewer
   * where they are large, but one at least while there are any.
   */
  listFrom(schemaId: string, place: number, limit: number): Promise<PlacedRecord[]>
  /** In their sort order within the category, then in the order of creation. Undefined: as of `list`. */
  listInCategory(categoryId: string, page: CategoryPage): Promise<RecordList | undefined>
}

export type RecordIdentity = Pick<StoredRecord, 'id' | 'schemaId'>

export interface RecordWrites {
  /**
   * Takes room for one record that the transaction inserts later. The number of records is not counted for it.
   * @param max how many there may be, variants included; 0 or less: none
   * @throws LIMIT_EXCEEDED
   */
  reserve(max: number): Promise<void>
  /** `version`: a new one of the transaction. @throws CONFLICT for an ID that exists */
  insert(record: StoredRecord): Promise<void>
  /**
   * Puts `after` in the place of `before`, the record as this transaction has read or written it last. A record that is
   * not in this state any more is a fault of the caller, and nothing is written.
   */
  update(before: StoredRecord, after: StoredRecord): Promise<void>
  /** Removes the record, its category assignments and unique keys; its variants and noted references must be gone. */
  delete(id: string): Promise<void>
  /**
   * Replaces the unique values `before` of the record by `after`: values in both stay as they are, stored or not.
   * @throws CONFLICT naming the attribute and scope that another record holds, before anything is written
   */
  setUniqueKeys(record: RecordIdentity, before: readonly UniqueKey[], after: readonly UniqueKey[]): Promise<void>
  /** Replaces the noted references `before` of the record by `after`. References in both stay as they are, noted or not. */
  setReferences(
    record: RecordIdentity,
    before: readonly RecordReference[],
    after: readonly RecordReference[],
  ): Promise<void>
  /** The search index must be rebuilt for the records of a schema, because the model behind it changed. */
  reindex(schemaId: string): Promise<void>
}
