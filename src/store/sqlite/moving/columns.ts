// What the tables of a workspace that is moved are in SQLite: the same, but for what is declared here.
import { type Cell, COUNTERS, type Kind, type MovedTable } from '../../moving/tables.ts'
import { BULK_JOB_COLUMNS } from '../bulk-job-rows.ts'
import { NEWEST_SEQUENCE } from '../newest-sequence.ts'

const NAMES: Readonly<Record<string, string>> = { account: 'user' }
const COLUMN_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = { record: { vals: 'values' } }

/** What rows refer to by number is moved by ID. */
interface Reference {
  readonly column: string
  readonly table: string
}
const OF_JOB: Readonly<Record<string, Reference>> = { job_id: { column: 'job_n', table: 'bulk_job' } }
const REFERENCES: Readonly<Record<string, Readonly<Record<string, Reference>>>> = {
  bulk_item: OF_JOB,
  bulk_error: OF_JOB,
  bulk_sample: OF_JOB,
  bulk_waiting: OF_JOB,
  subscription_delivery: { subscription_id: { column: 'subscription_n', table: 'subscription' } },
}

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
  if (name === 'bulk_job') return asTable(name, ['n', ...BULK_JOB_COLUMNS, 'task', 'samples'])
  const references = REFERENCES[name] ?? {}
  const columnOf = (column: string): string => references[column]?.column ?? COLUMN_NAMES[name]?.[column] ?? column
  const read = (column: string): string => {
    const reference = references[column]
    return reference === undefined
      ? quoted(columnOf(column))
      : `(SELECT id FROM ${reference.table} WHERE n = ${reference.column})`
  }
  const written = (column: string): string => {
    const reference = references[column]
    return reference === undefined ? '?' : `(SELECT n FROM ${reference.table} WHERE id = ?)`
  }
  return asTable(NAMES[name] ?? name, table.columns.map(columnOf), {
    read: table.columns.map(read),
    written: table.columns.map(written),
    order: table.order.map((column) => quoted(columnOf(column))),
  })
}

interface Sql {
  readonly read: readonly string[]
  readonly written: readonly string[]
  readonly order: readonly string[]
}

function asTable(name: string, columns: readonly string[], sql?: Sql): SqliteTable {
  const { read = columns.map(quoted), written = columns.map(() => '?'), order = ['n'] } = sql ?? {}
  return {
    name,
    columns,
    select: `SELECT ${read.join(', ')} FROM ${quoted(name)} ORDER BY ${order.join(', ')}`,
    insert: `INSERT INTO ${quoted(name)} (${columns.map(quoted).join(', ')}) VALUES (${written.join(', ')})`,
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

function quoted(name: string): string {
  return `"${name}"`
}
