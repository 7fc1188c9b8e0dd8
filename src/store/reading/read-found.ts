// Reads the records of a search by number, in the given order, and batches their items.
import type { Numbers } from '../../core/search/plan/record-numbers.ts'
import { toNumbers } from '../../core/search/plan/record-numbers.ts'
import type { ReadRecord, SearchIndex } from '../../core/search/plan/search-index.ts'
import type { FoundRecord } from '../search-port.ts'
import type { SearchPosition } from '../../core/search/rules/sorting.ts'
import type { FoundItems } from './found-items.ts'

export interface SearchStep {
  readonly records: FoundRecord[]
  /** Set in one step, with or before the first records; null: no limit was given, or nothing is counted. */
  readonly total?: number | null
  /** The end of a full page. */
  readonly next?: SearchPosition | undefined
  readonly isLast?: boolean
}

/** Milliseconds, and characters of values, after which a batch ends. */
const BATCH_MILLISECONDS = 10
const BATCH_CHARACTERS = 262_144
/** Records requested at once. If data is looked up for them, fewer, since a record may be in a thousand categories. */
const CHUNK = 500
const LOOKED_UP = 50
/** The most records in memory together: one record may have megabytes. */
const HELD = 10

type Matches = (row: ReadRecord) => boolean

/** Returns the first `max` records that match. Records may have been deleted. */
export async function judgeRows(
  records: Numbers,
  matches: Matches,
  index: SearchIndex,
  max = Infinity,
): Promise<Numbers> {
  const numbers: number[] = []
  for (const chunk of chunksOf(records, CHUNK))
    for await (const rows of index.records(chunk))
      for (const row of rows) {
        if (matches(row)) numbers.push(row.n)
        if (numbers.length >= max) return toNumbers(numbers)
        const pause = index.breathe()
        if (pause !== undefined) await pause
      }
  return toNumbers(numbers)
}

/** The data of a page that the first step contains. */
export type PageHead = Pick<SearchStep, 'next'> & { readonly total: number | null }

/** Yields the records, or the matching ones, in batches; the first batch has the head. */
export async function* readRecords(
  records: Numbers,
  items: FoundItems,
  index: SearchIndex,
  head: PageHead,
  matches?: Matches,
): AsyncGenerator<SearchStep, void> {
  const batch = new Batch(head)
  yield* readInto(batch, records, items, index, matches)
  yield batch.takeLast()
}

/** Adds the items of matching records to the batch. Yields each full batch as a step. */
export async function* readInto(
  batch: Batch,
  records: Numbers,
  items: FoundItems,
  index: SearchIndex,
  matches: Matches = () => true,
): AsyncGenerator<SearchStep, void> {
  const size = items.isLookedUpInRows ? HELD : items.isLookedUp ? LOOKED_UP : CHUNK
  for (const chunk of chunksOf(records, size)) {
    if (items.isLookedUp) await items.lookUp(chunk, index)
    for await (const rows of index.records(chunk))
      for (const part of partsOf(await lookedUp(rows, items, index), items, matches)) {
        if (part !== undefined) batch.add(part)
        if (batch.isOver()) yield batch.take()
        const pause = index.breathe()
        if (pause !== undefined) await pause
      }
  }
}

/** Yields rows after the records that the rows name are loaded. The rows of one chunk are in memory together. */
async function lookedUp(
  rows: Iterable<ReadRecord>,
  items: FoundItems,
  index: SearchIndex,
): Promise<Iterable<ReadRecord>> {
  if (!items.isLookedUpInRows) return rows
  const held = [...rows]
  await items.lookUpIn(held, index)
  return held
}

/** Yields undefined for a record that does not match, and during long items. Then the event loop may take a turn. */
function* partsOf(
  rows: Iterable<ReadRecord>,
  items: FoundItems,
  matches: Matches,
): Generator<FoundRecord | undefined, void> {
  for (const row of rows)
    if (matches(row)) yield* items.partsOf(row)
    else yield undefined
}

/** Collects items for the main thread. */
export class Batch {
  #head: Partial<PageHead>
  #records: FoundRecord[] = []
  #characters = 0
  #end = performance.now() + BATCH_MILLISECONDS

  constructor(head: PageHead) {
    this.#head = head
  }

  add(part: FoundRecord): void {
    this.#records.push(part)
    this.#characters += part.valuesJson.length + (part.moreJson?.length ?? 0)
  }

  isOver(): boolean {
    return this.#characters >= BATCH_CHARACTERS || performance.now() >= this.#end
  }

  /** Takes the batch, and begins the next one. */
  take(): SearchStep {
    const step = { records: this.#records, ...this.#head }
    this.#head = {}
    this.#records = []
    this.#characters = 0
    this.#end = performance.now() + BATCH_MILLISECONDS
    return step
  }

  takeLast(): SearchStep {
    return { ...this.take(), isLast: true }
  }
}

function* chunksOf(records: Numbers, count: number): Generator<Numbers> {
  for (let at = 0; at < records.length; at += count) yield records.subarray(at, at + count)
}
