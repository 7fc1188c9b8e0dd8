// The SQL of a page of records: in the order of creation, straight from the index for every filter.
import {
  MAX_AT_ONCE,
  type Page,
  type PlacedRecord,
  type RecordFilter,
  type StoredRecord,
  type WalkedPage,
} from '../record-port.ts'
import type { StatementCache } from './statements.ts'

export const RECORD_COLUMNS = [
  'record.id',
  'record.schema_id AS schemaId',
  'record.parent_id AS parentId',
  'record.state_id AS lifecycleStateId',
  'record.version',
  'record.created_at AS createdAt',
  'record.updated_at AS updatedAt',
  'record.created_by AS createdBy',
  'record.updated_by AS updatedBy',
  'record."values" AS valuesJson',
].join(', ')

/** The columns of a page. For values with more bytes than the first parameter, `valuesJson` is the number of bytes. */
export const PAGE_COLUMNS = RECORD_COLUMNS.replace(
  'record."values" AS',
  'iif(octet_length(record."values") > ?, octet_length(record."values"), record."values") AS',
)

/** Returns the first parameter, with which the values of a page take at most `MAX_AT_ONCE` bytes together. */
export const mostBytesOfEach = (limit: number): number => Math.floor(MAX_AT_ONCE / limit)

/** The row of `PAGE_COLUMNS`. */
export type PageRow = Omit<StoredRecord, 'valuesJson'> & { readonly valuesJson: string | number }

/**
 * Reads the missing values of a page by `read`, which reads one record. @returns undefined: the page exceeds
 * `MAX_AT_ONCE`
 */
export function completePage(rows: readonly PageRow[], read: (id: string) => StoredRecord): StoredRecord[] | undefined {
  let size = 0
  for (const { valuesJson } of rows) size += typeof valuesJson === 'number' ? valuesJson : valuesJson.length
  if (size > MAX_AT_ONCE) return undefined
  return rows.map((row) => (typeof row.valuesJson === 'number' ? read(row.id) : (row as StoredRecord)))
}

/**
 * SQLite merges the ordered rows of at most this many pairs. For more pairs (a model with hundreds of states), it
 * filters instead.
 */
const MAX_MERGED_PAIRS = 50

/**
 * @param pairs the (schema, state) pairs with records that the filter selects; undefined: the filter names neither
 * @param columns of the records
 * @returns without `sql` if no record can match
 */
export function pageOfRecords(
  filter: RecordFilter,
  { limit, offset }: Page,
  pairs: readonly (readonly [string, string])[] | undefined,
  columns = PAGE_COLUMNS,
): { sql?: string; values: unknown[] } {
  if (pairs?.length === 0) return { values: [] }
  const ofColumns = columns === PAGE_COLUMNS ? [mostBytesOfEach(limit)] : []
  const isMerged = pairs !== undefined && pairs.length <= MAX_MERGED_PAIRS && typeof filter.parentId !== 'string'
  const { from, values } = isMerged ? mergedPairs(pairs, filter) : filteredRows(filter)
  return { sql: `SELECT ${columns} FROM ${from}`, values: [...ofColumns, ...values, limit, offset] }
}

interface PageSource {
  /** Ends with the limit and the offset. */
  readonly from: string
  readonly values: readonly unknown[]
}

function mergedPairs(pairs: readonly (readonly [string, string])[], { parentId }: RecordFilter): PageSource {
  const ofParent = parentId === null ? ' AND parent_id IS NULL' : ''
  const ofPair = `SELECT n FROM record WHERE schema_id = ? AND state_id = ?${ofParent}`
  return {
    from: `(${pairs.map(() => ofPair).join(' UNION ALL ')} ORDER BY n LIMIT ? OFFSET ?) AS page
           JOIN record ON record.n = page.n ORDER BY page.n`,
    values: pairs.flat(),
  }
}

function filteredRows({ parentId, schemaId, lifecycleStateId }: RecordFilter): PageSource {
  const conditions = [
    ...(parentId === undefined ? [] : [parentId === null ? 'parent_id IS NULL' : 'parent_id = ?']),
    // The plus sign prevents an index that does not have this order.
    ...(schemaId === undefined ? [] : ['+schema_id = ?']),
    ...(lifecycleStateId === undefined ? [] : ['state_id = ?']),
  ]
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  return {
    from: `record ${where} ORDER BY n LIMIT ? OFFSET ?`,
    values: [parentId ?? undefined, schemaId, lifecycleStateId].filter((value) => value !== undefined),
  }
}

/** A page ends with the record that reaches this many characters of values, because readers also parse them. */
const MAX_CHARACTERS = 262_144

export function listFrom(sql: StatementCache, page: WalkedPage): PlacedRecord[] {
  const records: PlacedRecord[] = []
  let characters = 0
  for (const place of placesFrom(sql, page)) {
    const record = sql.get<StoredRecord>(`SELECT ${RECORD_COLUMNS} FROM record WHERE n = ?`, [place])!
    characters += record.valuesJson.length
    if (records.length > 0 && characters > MAX_CHARACTERS) break
    records.push({ place, record })
  }
  return records
}

/** Reads places from the index alone. The records of each state are in order; this function merges the states. */
function placesFrom(sql: StatementCache, { schemaId, place, limit }: WalkedPage): number[] {
  const states = sql.all<{ stateId: string }>(
    'SELECT DISTINCT state_id AS stateId FROM record_count WHERE schema_id = ? AND records > 0',
    [schemaId],
  )
  return states
    .flatMap(({ stateId }) =>
      sql.numbers('SELECT n FROM record WHERE schema_id = ? AND state_id = ? AND n > ? ORDER BY n LIMIT ?', [
        schemaId,
        stateId,
        place,
        limit,
      ]),
    )
    .sort((one, other) => one - other)
    .slice(0, limit)
}
