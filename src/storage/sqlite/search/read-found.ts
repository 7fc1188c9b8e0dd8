// Reads the records of a search by their numbers, in the order in which these are given, and gives way every few milliseconds.
import { type Numbers, toNumbers } from '../../search/numbers.ts'
import type { StatementCache } from '../statements.ts'
import type { FoundItems, ReadRow } from './found-items.ts'
import { readRows, rowsInOrder } from './read-rows.ts'
import type { FoundRecord } from '../../search-port.ts'
import type { SearchPosition } from '../../../domain/search/sorting.ts'

export interface SearchStep {
  readonly records: FoundRecord[]
  /** In one step, before or with the first records; null where no limit was given, or nothing is counted. */
  readonly total?: number | null
  /** Where the page ends, where it is full. */
  readonly next?: SearchPosition | undefined
  readonly isLast?: boolean
}

/** A generator gives way after this time, and after so many characters of values. */
const SLICE_MILLISECONDS = 10
const BATCH_CHARACTERS = 262_144
export type SearchedRow = ReadRow

/** Those of the records, which may be gone, that match: the first `max` of them. */
export function* judgeRows(
  records: Numbers,
  matches: (row: SearchedRow) => boolean,
  sql: StatementCache,
  max = Infinity,
): Generator<SearchStep, Numbers> {
  const numbers: number[] = []
  let end = performance.now() + SLICE_MILLISECONDS
  for (const row of readRows(records, sql)) {
    if (matches(row)) numbers.push(row.n)
    if (numbers.length >= max) break
    if (performance.now() < end) continue
    yield { records: [] }
    end = performance.now() + SLICE_MILLISECONDS
  }
  return toNumbers(numbers)
}

/** What is said with the first records. */
export type PageHead = Pick<SearchStep, 'next'> & { readonly total: number | null }

/** The records, or those that match, in batches; the first one has the head. */
export function* readRecords(
  records: Numbers,
  items: FoundItems,
  head: PageHead,
  sql: StatementCache,
  matches: (row: SearchedRow) => boolean = () => true,
): Generator<SearchStep, void> {
  yield* batchParts(readParts(records, items, sql, matches), head)
}

/** The parts of items in batches; undefined among them: others may have their turn. */
export function* batchParts(parts: Iterable<FoundRecord | undefined>, head: PageHead): Generator<SearchStep, void> {
  let first: Partial<PageHead> = head
  let batch: FoundRecord[] = []
  let characters = 0
  let end = performance.now() + SLICE_MILLISECONDS
  for (const part of parts) {
    if (part !== undefined) {
      batch.push(part)
      characters += part.valuesJson.length + (part.moreJson?.length ?? 0)
    }
    if (characters < BATCH_CHARACTERS && performance.now() < end) continue
    yield { records: batch, ...first }
    first = {}
    batch = []
    characters = 0
    end = performance.now() + SLICE_MILLISECONDS
  }
  yield { records: batch, ...first, isLast: true }
}

function isAscending(records: Numbers): boolean {
  return records.every((record, index) => index === 0 || record > records[index - 1]!)
}

function* readParts(
  records: Numbers,
  items: FoundItems,
  sql: StatementCache,
  matches: (row: SearchedRow) => boolean,
): Generator<FoundRecord | undefined, void> {
  for (const row of (isAscending(records) ? readRows : rowsInOrder)(records, sql, items)) {
    if (matches(row)) yield* items.partsOf(row)
    else yield undefined
  }
}

/** The parts of records in any order. */
export function* readInOrder(
  records: Numbers,
  items: FoundItems,
  sql: StatementCache,
): Generator<FoundRecord | undefined, void> {
  for (const row of rowsInOrder(records, sql, items)) yield* items.partsOf(row)
}

/** Steps without records: others have their turn, and whoever has gone is not waited for. */
export function* quietly<Result>(steps: Generator<undefined, Result>): Generator<SearchStep, Result> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value
    yield { records: [] }
  }
}
