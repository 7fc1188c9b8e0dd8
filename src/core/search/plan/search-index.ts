// The interface of an engine's index, and of the records beside the index, for searches.
import type { StoredRecord } from '../../../store/record-port.ts'
import type { Numbers } from './record-numbers.ts'
import type { IndexKey, KeySet, Leaf, Needle, Place } from './sets.ts'

/** A snapshot of the index and the records. A synchronous engine yields between two answers, as `breathe` does. */
export interface SearchIndex {
  /** Counts the rows of the set, up to the limit. A record with several rows may be counted several times. */
  count(set: KeySet, limit: number): Promise<number>
  /** Counts the rows of the set. */
  size(set: KeySet): Promise<number>
  /** Estimates how many records a query for these texts inspects; Infinity: all records. */
  frequency(needles: readonly Needle[]): Promise<number>
  /** Returns all records of the set. */
  read(set: Leaf): Promise<Numbers>
  /** Returns a page of an exact set, in the order of creation. */
  page(set: Leaf, page: PageOfLeaf): Promise<LeafPage>
  /** Returns the cells of indexed records, as `writeCells` wrote them, in any order. */
  cells(records: Numbers): Promise<readonly CellsOfRecord[]>
  /** Returns the records whose texts contain all needles. */
  withTexts(records: Numbers, needles: readonly Needle[]): Promise<Numbers>
  /** Returns the records that belong to one of the schemas. */
  ofSchemas(records: Numbers, schemaIds: readonly string[]): Promise<Numbers>
  /** Returns the records whose texts are not in the full-text index. */
  largeTexts(): Promise<Numbers>
  /** Returns rows of one place in the order of their keys; rows of one key are ordered by record. */
  walk(walk: Walk): Promise<readonly WalkedRow[]>
  /** Returns the first distinct text keys of one place after `after`, in order. A place has far fewer keys than rows. */
  keys(place: Place<number>, after: string, limit: number): Promise<readonly string[]>
  /** Counts the records of each filled key, in any of the scopes. */
  tally(place: Place): Promise<readonly (readonly [IndexKey, number])[]>
  /**
   * Counts the records with a filled key in any of the scopes.
   * @param isSingle whether a record has at most one such key
   */
  filled(place: Place, isSingle: boolean): Promise<number>
  /** Counts the records of the schemas by state. */
  countStates(schemaIds: readonly string[]): Promise<readonly CountedState[]>
  /** Returns the first records of the schemas with a number above `after`. */
  next(schemaIds: readonly string[], after: number, limit: number): Promise<Numbers>
  /** Returns the first records in these states with a number above `after`. */
  nextInStates(states: readonly CountedState[], after: number, limit: number): Promise<Numbers>
  /**
   * Yields the stored records in the given order, without deleted ones. Records come in parts, so that few large
   * records are in memory together.
   */
  records(records: Numbers): AsyncIterable<Iterable<ReadRecord>>
  /** Returns the assignments of each record as JSON, in the order of creation of catalogs and categories. */
  assignments(records: Numbers): Promise<ReadonlyMap<number, readonly string[]>>
  /** Returns the categories of each record and of its parent, in the same order. */
  categoryIds(records: Numbers): Promise<ReadonlyMap<number, readonly string[]>>
  /** Returns the numbers of the existing records with these IDs. */
  numbersOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  variantCounts(records: Numbers): Promise<ReadonlyMap<number, number>>
  /**
   * Must be called during long work: yields to the event loop when the time slice is over. Undefined: time is left.
   * @throws the reason that ends a stopped or too long task
   */
  breathe(): Promise<void> | undefined
}

export interface CountedState {
  readonly schemaId: string
  readonly stateId: string
  readonly records: number
}

export interface PageOfLeaf {
  readonly after: number | undefined
  readonly offset: number
  readonly limit: number
  readonly isCounted: boolean
}

export interface LeafPage {
  /** Null: not counted. */
  readonly total: number | null
  readonly records: Numbers
}

export interface Walk {
  readonly attribute: number
  readonly scope: number
  readonly direction: 'asc' | 'desc'
  /** Limits the walk to this key; undefined: all filled keys. */
  readonly key?: IndexKey | undefined
  /** The start of the walk: the first row at or after the key, or the row right after this record. */
  readonly from?: { readonly key: IndexKey; readonly record?: number | undefined } | undefined
  readonly limit: number
}

export type WalkedRow = readonly [key: IndexKey, record: number]

export interface ReadRecord extends StoredRecord {
  readonly n: number
  /** JSON of the values of the record's parent; null: the record is no variant. */
  readonly inheritedJson: string | null
  /** Categories of the record and its parent, if the engine reads them with the record. */
  readonly categoryIds?: readonly string[]
}

export type CellsOfRecord = readonly [record: number, cells: string]

/** Calls back for each existing record, in the given order. */
export async function readEach(
  records: Numbers,
  index: SearchIndex,
  look: (record: ReadRecord) => void,
): Promise<void> {
  for await (const rows of index.records(records))
    for (const record of rows) {
      look(record)
      const pause = index.breathe()
      if (pause !== undefined) await pause
    }
}

/** Groups the items by record, in their order. */
export function groupByRecord(pairs: readonly (readonly [record: number, item: string])[]): Map<number, string[]> {
  const found = new Map<number, string[]>()
  for (const [record, item] of pairs) {
    const ofRecord = found.get(record)
    if (ofRecord === undefined) found.set(record, [item])
    else ofRecord.push(item)
  }
  return found
}
