// Walks the records of the index in the order of one sort key. Records with the same value form a run. The lists of all
// places are read in parallel, in parts.
import { compareSortValues, type SortValue } from '../rules/sorting.ts'
import { keyIn } from './cells.ts'
import { listOfKeys } from './key-lists.ts'
import { type Numbers, toNumbers } from './record-numbers.ts'
import type { SearchIndex, WalkedRow } from './search-index.ts'
import {
  type IndexedSort,
  keyOfValue,
  type KeyOrder,
  type SortPlace,
  type SortPlaces,
  valueOfKey,
} from './sort-places.ts'
import type { IndexKey } from './sets.ts'

/** Above the numbers of all records. */
const AFTER_ALL = Number.MAX_SAFE_INTEGER
/** Rows of the first part read of a list, and of the largest. */
const FIRST_PART = 64
const LARGEST_PART = 4096

/** Records with the same value. */
export interface Run {
  readonly value: SortValue
  readonly records: Numbers
  /** True: the texts are longer than their keys, so that their order is unknown. */
  readonly isCut: boolean
}

interface SortEntry {
  readonly key: IndexKey
  readonly value: number | string
  readonly isCut: boolean
  readonly record: number
}

/** One list of the index, from its beginning or from a given value. */
class PlaceList {
  readonly #index: SearchIndex
  readonly #place: SortPlace
  /** Places before this one. A record with a row in an earlier place does not belong to this list. */
  readonly #before: readonly SortPlace[]
  readonly #order: KeyOrder
  readonly #direction: 'asc' | 'desc'
  /** Keys that are walked one by one. */
  readonly #listed: IndexKey[] | undefined
  #from: { key: IndexKey; record?: number } | undefined
  #size = FIRST_PART
  #rows: SortEntry[] = []
  #at = 0
  #isOver = false

  constructor(
    index: SearchIndex,
    { order, places }: SortPlaces,
    at: number,
    direction: 'asc' | 'desc',
    start: number | string | undefined,
  ) {
    this.#index = index
    this.#place = places[at]!
    this.#before = places.slice(0, at)
    this.#order = order
    this.#direction = direction
    if (order.kind === 'listed') this.#listed = listedFrom(order.keys, direction, start)
    else if (start !== undefined) this.#from = { key: keyOfValue(start, direction) }
  }

  /** True if the next entry, or the end of the list, is known. */
  get isRead(): boolean {
    return this.#at < this.#rows.length || this.#isOver
  }

  /** The next entry until `take` is called; undefined: none. */
  get next(): SortEntry | undefined {
    return this.#rows[this.#at]
  }

  take(): void {
    this.#at += 1
  }

  /** Reads the next part, which may contain no entry of this list. */
  async read(): Promise<void> {
    const key = this.#listed?.[0]
    if (this.#listed !== undefined && key === undefined) {
      this.#isOver = true
      return
    }
    const { attribute, scope } = this.#place
    const limit = this.#size
    this.#size = Math.min(this.#size * 4, LARGEST_PART)
    const rows = await this.#index.walk({
      attribute,
      scope,
      direction: this.#direction,
      key,
      from: this.#from,
      limit,
    })
    const last = rows.at(-1)
    if (rows.length === limit) this.#from = { key: last![0], record: last![1] }
    else if (this.#listed === undefined) this.#isOver = true
    else {
      this.#listed.shift()
      this.#from = undefined
    }
    this.#at = 0
    this.#rows = (await this.#own(rows)).map(([found, record]) => {
      const { value, isCut } = valueOfKey(found, this.#order)
      return { key: found, value: value!, isCut, record }
    })
  }

  /** Takes all entries with the key, which is that of the last entry, and returns all records with the key. */
  async takeKey(key: IndexKey): Promise<Numbers> {
    while (this.next?.key === key) this.take()
    if (this.#listed?.[0] === key) {
      this.#listed.shift()
      this.#from = undefined
    } else if (this.next === undefined && this.#listed === undefined) this.#from = { key, record: AFTER_ALL }
    const { attribute, scope: scopes } = this.#place
    return await this.#index.read(listOfKeys({ attribute, scopes }, [key]))
  }

  async #own(rows: readonly WalkedRow[]): Promise<readonly WalkedRow[]> {
    if (this.#before.length === 0 || rows.length === 0) return rows
    const records = toNumbers(rows.map(([, record]) => record))
    const cells = await this.#index.cells(records)
    const others = new Set<number>()
    for (const [record, text] of cells)
      if (this.#before.some(({ attribute, scope }) => keyIn(text, attribute, scope) !== undefined)) others.add(record)
    return rows.filter(([, record]) => !others.has(record))
  }
}

function listedFrom(
  keys: readonly string[],
  direction: 'asc' | 'desc',
  start: number | string | undefined,
): IndexKey[] {
  const places = keys.map((key, place) => ({ key, place }))
  if (direction === 'desc') places.reverse()
  return places
    .filter(({ place }) => start === undefined || compareSortValues(place, start, direction) >= 0)
    .map(({ key }) => key)
}

export class SortWalk {
  readonly #direction: 'asc' | 'desc'
  readonly #lists: PlaceList[]
  readonly #isText: boolean
  readonly #isMember: (record: number) => boolean

  /**
   * @param start first value of the walk; texts with the same beginning are included
   * @param isMember false: the record is left out
   */
  constructor(
    index: SearchIndex,
    { direction, schemas }: IndexedSort,
    start: SortValue,
    isMember: (record: number) => boolean,
  ) {
    this.#direction = direction
    this.#isMember = isMember
    this.#isText = schemas.some(({ order }) => order.kind === 'text')
    this.#lists = schemas.flatMap((schema) =>
      schema.places.map((_place, at) => new PlaceList(index, schema, at, direction, start)),
    )
  }

  /**
   * Returns the next records with the same value; undefined: the end.
   * @param isWhole true: all records with the value; false: later calls may return more of them
   */
  async next(isWhole: boolean): Promise<Run | undefined> {
    const run: SortEntry[] = []
    for (;;) {
      // Awaits only if a list must be read, because most rows need no reading.
      for (const list of this.#lists) while (!list.isRead) await list.read()
      const best = this.#first()
      if (best === undefined || (run.length > 0 && best.entry.value !== run[0]!.value)) break
      best.list.take()
      if (this.#isMember(best.entry.record)) run.push(best.entry)
      // For texts, several keys have one value, and each key begins with its oldest record.
      if (this.#isText || run.length < FIRST_PART) continue
      if (!isWhole) break
      // Many records have this value: their list is read at once.
      if (this.#lists.length === 1) return this.#wholeRun(best)
    }
    if (run.length === 0) return undefined
    return {
      value: run[0]!.value,
      records: toNumbers(run.map(({ record }) => record)),
      isCut: run.some(({ isCut }) => isCut),
    }
  }

  async #wholeRun({ list, entry }: { readonly list: PlaceList; readonly entry: SortEntry }): Promise<Run> {
    const records = await list.takeKey(entry.key)
    return { value: entry.value, records: records.filter(this.#isMember), isCut: false }
  }

  #first(): { list: PlaceList; entry: SortEntry } | undefined {
    let best: { list: PlaceList; entry: SortEntry } | undefined
    for (const list of this.#lists) {
      const entry = list.next
      if (entry === undefined) continue
      if (best === undefined || this.#isBefore(entry, best.entry)) best = { list, entry }
    }
    return best
  }

  #isBefore(one: SortEntry, other: SortEntry): boolean {
    const order = compareSortValues(one.value, other.value, this.#direction)
    return order === 0 ? one.record < other.record : order < 0
  }
}
