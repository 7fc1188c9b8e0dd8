// The pages that are read on the main thread: of small records only.
import type { SearchQuery, StoredRecord } from '../../record-port.ts'
import { PAGE_COLUMNS, type PageRow } from '../record-lists.ts'
import type { StatementCache } from '../statements.ts'
import type { RecordSet } from './record-sets.ts'
import { readable } from './run-search.ts'

/** The record numbers of the set in ascending order; undefined where there are more than `limit`. */
export function numbersUpTo(limit: number, set: RecordSet, sql: StatementCache): Float64Array | undefined {
  const numbers = sql.numbers(`SELECT record FROM (${set.sql}) LIMIT ?`, [...set.parameters, limit + 1])
  // Sorted here, where it costs a tenth of what it does in SQLite.
  return numbers.length > limit ? undefined : Float64Array.from(numbers).sort()
}

/** The page of `numbers` that the query asks for; undefined where one of its records is large. */
export function readPageOf(
  { limit, offset, role }: SearchQuery,
  numbers: Float64Array,
  sql: StatementCache,
): StoredRecord[] | undefined {
  const page = JSON.stringify([...numbers.subarray(offset, limit === null ? undefined : offset + limit)])
  const text = `SELECT ${PAGE_COLUMNS} FROM main.record WHERE n IN (SELECT value FROM json_each(?)) ORDER BY n`
  return smallRecords(sql.all<PageRow>(text, [page]), role)
}

/** The page that the query asks for, where the set is exact and nothing is pending; undefined as above. */
export function readPage(
  { limit, offset, role }: SearchQuery,
  set: RecordSet,
  sql: StatementCache,
): StoredRecord[] | undefined {
  const rows = sql.all<PageRow>(
    `SELECT ${PAGE_COLUMNS} FROM (SELECT record AS n FROM (${set.sql}) ORDER BY record LIMIT ? OFFSET ?) AS found
       JOIN main.record ON record.n = found.n ORDER BY found.n`,
    [...set.parameters, limit ?? -1, offset],
  )
  return smallRecords(rows, role)
}

function smallRecords(rows: readonly PageRow[], role: SearchQuery['role']): StoredRecord[] | undefined {
  if (rows.some((row) => row.valuesJson === null)) return undefined
  return rows.map((row) => readable(row as StoredRecord, role))
}
