// Reads the records of a search by their numbers, in ascending order, and gives way every few milliseconds.
import { canReadAll, readableValues, type Role } from '../../../domain/accounts/permissions.ts'
import type { Values } from '../../../domain/records/record.ts'
import type { StoredRecord } from '../../record-port.ts'
import { type Numbers, toNumbers } from '../../search/numbers.ts'
import { RECORD_COLUMNS } from '../record-lists.ts'
import type { StatementCache } from '../statements.ts'
import { listOf } from './answer-plan.ts'
import type { SearchQuery } from '../../search-port.ts'

export interface SearchStep {
  readonly records: StoredRecord[]
  /** In one step, before or with the first records; null where no limit was given. */
  readonly total?: number | null
  readonly isLast?: boolean
}

/** A generator gives way after this time, and after so many characters of values. */
const SLICE_MILLISECONDS = 10
const BATCH_CHARACTERS = 262_144
/** Records that one statement reads: it is over before others have their turn. */
const CHUNK = 500

export type SearchedRow = StoredRecord & { readonly n: number; readonly inheritedJson: string | null }

/** Those of the records, which may be gone, that match. */
export function* judgeRows(
  records: Numbers,
  matches: (row: SearchedRow) => boolean,
  sql: StatementCache,
): Generator<SearchStep, Numbers> {
  const numbers: number[] = []
  let end = performance.now() + SLICE_MILLISECONDS
  for (const row of readRows(records, sql)) {
    if (matches(row)) numbers.push(row.n)
    if (performance.now() < end) continue
    yield { records: [] }
    end = performance.now() + SLICE_MILLISECONDS
  }
  return toNumbers(numbers)
}

/** The records, or those that match, in batches; the first one has the total. */
export function* readRecords(
  records: Numbers,
  { role }: SearchQuery,
  total: number | null,
  sql: StatementCache,
  matches: (row: SearchedRow) => boolean = () => true,
): Generator<SearchStep, void> {
  let first: { total?: number | null } = { total }
  let batch: StoredRecord[] = []
  let characters = 0
  let end = performance.now() + SLICE_MILLISECONDS
  for (const row of readRows(records, sql)) {
    if (matches(row)) {
      batch.push(readable(row, role))
      characters += row.valuesJson.length
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

function* readRows(records: Numbers, sql: StatementCache): Generator<SearchedRow> {
  for (let at = 0; at < records.length; at += CHUNK)
    yield* sql.iterate<SearchedRow>(
      `SELECT record.n, ${RECORD_COLUMNS}, parent."values" AS inheritedJson
         FROM main.record LEFT JOIN main.record AS parent ON parent.id = record.parent_id
        WHERE record.n IN (SELECT value FROM json_each(?)) ORDER BY record.n`,
      [listOf(records.subarray(at, at + CHUNK))],
    )
}

/** The record without what is hidden from the role. */
function readable(row: StoredRecord, role: Role): StoredRecord {
  const { id, schemaId, parentId, lifecycleStateId, version, createdAt, updatedAt, createdBy, updatedBy } = row
  const valuesJson = canReadAll(role, schemaId)
    ? row.valuesJson
    : JSON.stringify(readableValues(role, schemaId, JSON.parse(row.valuesJson) as Values))
  return { id, schemaId, parentId, lifecycleStateId, version, createdAt, updatedAt, createdBy, updatedBy, valuesJson }
}

/** Steps without records: others have their turn, and whoever has gone is not waited for. */
export function* quietly<Result>(steps: Generator<undefined, Result>): Generator<SearchStep, Result> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value
    yield { records: [] }
  }
}
