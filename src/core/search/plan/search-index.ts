// The questions that a search asks of the index of an engine, and of the records beside it.
import type { StoredRecord } from '../../../store/record-port.ts'
import type { Numbers } from './record-numbers.ts'
import type { IndexKey, KeySet, Leaf, Needle, Place } from './sets.ts'

/** One moment of the index and of the records. An engine that answers at once gives way between two answers, as `breathe` does. */
export interface SearchIndex {
  /** How many rows the set has, up to the limit. A record with several rows may be counted several times. */
  count(set: KeySet, limit: number): Promise<number>
  /** How many rows the set has. */
  size(set: KeySet): Promise<number>
  /** About how many records a question for these texts has to look at; Infinity: all. */
  frequency(needles: readonly Needle[]): Promise<number>
  /** All records of the set. */
  read(set: Leaf): Promise<Numbers>
  /** A page of a set that is exact, in the order of creation. */
  page(set: Leaf, page: PageOfLeaf): Promise<LeafPage>
  /** The cells of the records that are in the index, as `writeCells` made them. */
  cells(records: Numbers): Promise<readonly CellsOfRecord[]>
  /** The records whose texts contain all needles. */
  withTexts(records: Numbers, needles: readonly Needle[]): Promise<Numbers>
  /** The records that belong to one of the schemas. */
  ofSchemas(records: Numbers, schemaIds: readonly string[]): Promise<Numbers>
  /** Records whose texts are not in the full-text index. */
  largeTexts(): Promise<Numbers>
  /** Rows of one place in the order of their keys; rows of one key by their records. */
  walk(walk: Walk): Promise<readonly WalkedRow[]>
  /** The first texts after `after` that are keys of one place, each once and in order: many fewer than the rows of the place. */
  keys(place: Place<number>, after: string, limit: number): Promise<readonly string[]>
  /** How many records have each key that is filled, in any of the scopes. */
  tally(place: Place): Promise<readonly (readonly [IndexKey, number])[]>
  /** How many records have a key that is filled in any of the scopes. @param isSingle whether a record has at most one such key */
  filled(place: Place, isSingle: boolean): Promise<number>
  /** How many records the schemas have, by states. */
  countStates(schemaIds: readonly string[]): Promise<readonly CountedState[]>
  /** The first records of the schemas with a number above `after`. */
  next(schemaIds: readonly string[], after: number, limit: number): Promise<Numbers>
  /** The first records in these states with a number above `after`. */
  nextInStates(states: readonly CountedState[], after: number, limit: number): Promise<Numbers>
  /**
   * The records as they are stored, in the order in which they are given, without those that are gone. They come in parts, so
   * that large records are not held together.
   */
  records(records: Numbers): AsyncIterable<Iterable<ReadRecord>>
  /** JSON of the assignments of each record, in the order of creation of catalogs and categories. */
  assignments(records: Numbers): Promise<ReadonlyMap<number, readonly string[]>>
  /** The categories that each record is in, by itself or by the record that it is a variant of, in the same order. */
  categoryIds(records: Numbers): Promise<ReadonlyMap<number, readonly string[]>>
  variantCounts(records: Numbers): Promise<ReadonlyMap<number, number>>
  /**
   * To be called within long work: lets others have their turn when the time slice is over. Undefined: it is not.
   * @throws what ends a task that was stopped, or that takes too long
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
  /** null where it is not counted. */
  readonly total: number | null
  readonly records: Numbers
}

export interface Walk {
  readonly attribute: number
  readonly scope: number
  readonly direction: 'asc' | 'desc'
  /** This key alone; else all that are filled. */
  readonly key?: IndexKey | undefined
  /** Where to begin: at the first row that is not before this key, or right after this row. */
  readonly from?: { readonly key: IndexKey; readonly record?: number | undefined } | undefined
  readonly limit: number
}

export type WalkedRow = readonly [key: IndexKey, record: number]

export interface ReadRecord extends StoredRecord {
  readonly n: number
  /** JSON of the values of the record that it is a variant of. */
  readonly inheritedJson: string | null
  /** Its own, and those of the record that it is a variant of: where an engine reads them with the record. */
  readonly categoryIds?: readonly string[]
}

export type CellsOfRecord = readonly [record: number, cells: string]

/** Looks at each of the records that is there, in the order in which they are given. */
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

/** From pairs that stand together for each record. */
export function groupByRecord(pairs: readonly (readonly [record: number, item: string])[]): Map<number, string[]> {
  const found = new Map<number, string[]>()
  for (const [record, item] of pairs) {
    const ofRecord = found.get(record)
    if (ofRecord === undefined) found.set(record, [item])
    else ofRecord.push(item)
  }
  return found
}
