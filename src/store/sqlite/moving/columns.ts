// What the tables of a workspace that is moved are in SQLite: the same, but for what is declared here.
import { type Cell, COUNTERS, DERIVED, type Kind, type MovedTable } from '../../moving/tables.ts'
import { NEWEST_SEQUENCE } from '../../rows/audit-rows.ts'

const COLUMN_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = { record: { vals: 'values' } }

/** Tables and columns that are not moved, and what becomes of them. */
export const SQLITE_NOT_MOVED: Readonly<Record<string, string>> = {
  index_pending: 'the search index is made anew',
  blank: 'zeros that an erasure writes for a moment',
  'kept_answer.n': 'a row number that nobody asks for',
}

const COUNTERS_OF_FILE = "'workspace', 'lock', 'process', 'last_record'"

export interface SqliteTable {
  readonly name: string
  readonly columns: readonly string[]
  /** Rows as they are moved, but for what is made of them in JavaScript. */
  readonly select: string
  readonly insert: string
}

export function sqliteTableOf(table: MovedTable): SqliteTable {
  const { name } = table
  if (name === COUNTERS) return COUNTER_TABLE
  const columnOf = (column: string): string => COLUMN_NAMES[name]?.[column] ?? column
  const read = table.columns.map(columnOf)
  const columns = [...read, ...Object.keys(DERIVED[name]?.columns ?? {})]
  const places = columns.map(() => '?').join(', ')
  return {
    name,
    columns,
    select: `SELECT ${quoted(read)} FROM ${name} ORDER BY ${quoted(table.order.map(columnOf))}`,
    insert: `INSERT INTO ${name} (${quoted(columns)}) VALUES (${places})`,
  }
}

/** Kept nowhere: the feed has it. */
export const SEQUENCE = 'sequence'

const COUNTER_TABLE: SqliteTable = {
  name: 'counter',
  columns: ['name', 'value'],
  select: `SELECT name, value FROM counter WHERE name NOT IN (${COUNTERS_OF_FILE}) UNION ALL SELECT '${SEQUENCE}', ${NEWEST_SEQUENCE}`,
  insert: 'INSERT INTO counter (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
}

/** What a column of this kind holds. */
export function fromSqlite(value: unknown, kind: Kind): Cell {
  return kind === 'boolean' ? value === 1 : (value as Cell)
}

export function toSqlite(cell: Cell): Exclude<Cell, boolean> {
  return typeof cell === 'boolean' ? Number(cell) : cell
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}
