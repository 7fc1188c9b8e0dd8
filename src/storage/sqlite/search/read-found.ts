// Reads the records of a search by their numbers, in ascending order, and gives way every few milliseconds.
import { type Numbers, toNumbers } from '../../search/numbers.ts'
import { RECORD_COLUMNS } from '../record-lists.ts'
import type { StatementCache } from '../statements.ts'
import { listOf } from './answer-plan.ts'
import { type FoundItems, LOOKED_UP, type ReadRow } from './found-items.ts'
import type { FoundRecord } from '../../search-port.ts'

export interface SearchStep {
  readonly records: FoundRecord[]
  /** In one step, before or with the first records; null where no limit was given, or nothing is counted. */
  readonly total?: number | null
  readonly isLast?: boolean
}

/** A generator gives way after this time, and after so many characters of values. */
const SLICE_MILLISECONDS = 10
const BATCH_CHARACTERS = 262_144
/** Records that one statement reads: it is over before others have their turn. */
const CHUNK = 500

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

/** The records, or those that match, in batches; the first one has the total. */
export function* readRecords(
  records: Numbers,
  items: FoundItems,
  total: number | null,
  sql: StatementCache,
  matches: (row: SearchedRow) => boolean = () => true,
): Generator<SearchStep, void> {
  yield* batchParts(readParts(records, items, sql, matches), total)
}

/** The parts of items in batches; undefined among them: others may have their turn. */
export function* batchParts(
  parts: Iterable<FoundRecord | undefined>,
  total: number | null,
): Generator<SearchStep, void> {
  let first: { total?: number | null } = { total }
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

function* readParts(
  records: Numbers,
  items: FoundItems,
  sql: StatementCache,
  matches: (row: SearchedRow) => boolean,
): Generator<FoundRecord | undefined, void> {
  for (const row of readRows(records, sql, items)) {
    if (matches(row)) yield* items.partsOf(row)
    else yield undefined
  }
}

const READ_ROW = `SELECT record.n, ${RECORD_COLUMNS}, parent."values" AS inheritedJson
         FROM main.record LEFT JOIN main.record AS parent ON parent.id = record.parent_id`

/** The parts of records in any order. */
export function* readInOrder(
  records: Numbers,
  items: FoundItems,
  sql: StatementCache,
): Generator<FoundRecord | undefined, void> {
  for (const [index, n] of records.entries()) {
    if (index % LOOKED_UP === 0) items.lookUp(records.subarray(index, index + LOOKED_UP))
    // One by one: in another order than their own they would all be in memory to be sorted.
    const row = sql.get<SearchedRow>(`${READ_ROW} WHERE record.n = ?`, [n])
    if (row !== undefined) yield* items.partsOf(row)
  }
}

/** @param items to be prepared for what is read */
function* readRows(records: Numbers, sql: StatementCache, items?: FoundItems): Generator<SearchedRow> {
  const count = items?.hasLookUps === true ? LOOKED_UP : CHUNK
  for (let at = 0; at < records.length; at += count) {
    const chunk = records.subarray(at, at + count)
    // While rows are read one by one, the connection can do nothing else.
    items?.lookUp(chunk)
    yield* sql.iterate<SearchedRow>(
      `${READ_ROW} WHERE record.n IN (SELECT value FROM json_each(?)) ORDER BY record.n`,
      [listOf(chunk)],
    )
  }
}

/** Steps without records: others have their turn, and whoever has gone is not waited for. */
export function* quietly<Result>(steps: Generator<undefined, Result>): Generator<SearchStep, Result> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value
    yield { records: [] }
  }
}
