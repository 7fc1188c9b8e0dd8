// Reads and writes the rows of a moved workspace in SQLite. Other storages keep only the digest of a unique value.
import type { MovedContent } from '../../moving-port.ts'
import { toSlices } from '../../slices.ts'
import {
  type Cell,
  COUNTERS,
  DERIVED,
  type Kind,
  MOVED_SLICE,
  type MovedRow,
  type MovedTable,
  UNIQUE_VALUES,
  withDerived,
} from '../../moving/tables.ts'
import { digestOfKey } from '../../moving/digests.ts'
import type { Connection, Statement } from '../connection.ts'
import { type ModelChange, notesOfBoth } from '../../../core/model/rules/model-change.ts'
import { type Model, Schema } from '../../../core/model/rules/model.ts'
import type { Values } from '../../../core/records/rules/record.ts'
import { type UniqueKey, uniqueKeys } from '../../../core/values/values.ts'
import { KeptDocuments } from '../kept-documents.ts'
import { ModelTables } from '../stored-model.ts'
import { NEWEST_SEQUENCE } from '../../rows/audit-rows.ts'

export class SqliteContent implements MovedContent {
  protected readonly db: Connection

  constructor(db: Connection) {
    this.db = db
  }

  async count(table: MovedTable): Promise<number> {
    return this.db
      .prepare<[], number>(`SELECT count(*) FROM (${sqliteTableOf(table).select})`)
      .pluck()
      .get()!
  }

  async *rows(table: MovedTable): AsyncGenerator<MovedRow[], void> {
    yield* toSlices(this.#rows(table), MOVED_SLICE, sizeOf)
  }

  async close(): Promise<void> {
    this.db.close()
  }

  *#rows(table: MovedTable): Generator<MovedRow, void> {
    const { name, columns, kinds } = table
    const key = name === UNIQUE_VALUES ? columns.indexOf('key') : -1
    for (const values of this.db.prepare<[], unknown[]>(sqliteTableOf(table).select).raw().iterate())
      yield values.map((value, index) =>
        index === key ? digestOfKey(value as string) : fromSqlite(value, kinds[index]!),
      )
  }
}

/** Writes rows into empty tables, in the order in which rows are moved. */
export class SqliteRowWriter {
  readonly #db: Connection
  #keys: UniqueKeyFinder | undefined

  constructor(db: Connection) {
    this.#db = db
  }

  write(table: MovedTable, rows: readonly MovedRow[]): void {
    const statement = this.#db.prepare(sqliteTableOf(table).insert)
    for (const row of rows)
      if (table.name !== COUNTERS || row[0] !== SEQUENCE) statement.run(...this.#valuesOf(table, row))
  }

  #valuesOf(table: MovedTable, row: MovedRow): unknown[] {
    if (table.name !== UNIQUE_VALUES) return withDerived(table, row, DERIVED).map(toSqlite)
    this.#keys ??= new UniqueKeyFinder(this.#db)
    const [schemaId, alias, scope, digest, recordId] = row as [string, string, string, Buffer, string]
    const key = this.#keys.find(recordId, { schemaId, alias, scope, digest })
    return row.map((cell, index) => (table.columns[index] === 'key' ? key : toSqlite(cell)))
  }
}

interface NotedValue {
  readonly schemaId: string
  readonly alias: string
  readonly scope: string
  readonly digest: Buffer
}

class UniqueKeyFinder {
  readonly #model: Model
  readonly #changes: readonly ModelChange[]
  readonly #values: Statement<string>
  /** The keys of the last record: values of one record come one after another. */
  #last: { readonly recordId: string; readonly keys: ReadonlyMap<string, string> } | undefined

  /** @param db a workspace that already contains its model and records */
  constructor(db: Connection) {
    this.#model = new ModelTables(db).modelOfSnapshot()
    const changes = new KeptDocuments(db, 'model_change', (change: ModelChange) => change)
    this.#changes = [...changes.read().values()]
    this.#values = db.prepare<unknown[], string>('SELECT "values" FROM record WHERE id = ?').pluck()
  }

  /** @throws Error if the record has no such value */
  find(recordId: string, { schemaId, alias, scope, digest }: NotedValue): string {
    if (this.#last?.recordId !== recordId) this.#last = { recordId, keys: this.#keysOf(recordId, schemaId) }
    const key = this.#last.keys.get(nameOf(alias, scope, digest))
    if (key !== undefined) return key
    throw new Error(
      `the unique value that is noted for ${recordId} at ${alias} is none of its values: see pimlet doctor`,
    )
  }

  #keysOf(recordId: string, schemaId: string): Map<string, string> {
    const json = this.#values.get(recordId)
    const schema = this.#model.schemas.get(schemaId)
    if (json === undefined || schema === undefined) return new Map()
    const values = JSON.parse(json) as Values
    const keys: UniqueKey[] = uniqueKeys(values, schema)
    for (const change of this.#changes)
      if (change.kind === 'schema' && change.before.id === schemaId)
        keys.push(...notesOfBoth(uniqueKeys, values, new Schema(change.before), new Schema(change.after)))
    return new Map(keys.map(({ alias, scope, key }) => [nameOf(alias, scope, digestOfKey(key)), key]))
  }
}

function nameOf(alias: string, scope: string, digest: Buffer): string {
  return `${alias}\n${scope}\n${digest.toString('base64')}`
}

const COLUMN_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = { record: { vals: 'values' } }

/** Tables and columns that are not moved, with reasons. */
export const SQLITE_NOT_MOVED: Readonly<Record<string, string>> = {
  index_pending: 'the search index is rebuilt',
  blank: 'zeros that an erasure writes for a moment',
  'kept_answer.n': 'a row number that nobody asks for',
}

const COUNTERS_OF_FILE = "'workspace', 'lock', 'process', 'last_record'"

interface SqliteTable {
  readonly name: string
  readonly columns: readonly string[]
  /** Selects the rows as they move, except for conversions in JavaScript. */
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

/** No table contains this counter: it follows from the feed. */
const SEQUENCE = 'sequence'

const COUNTER_TABLE: SqliteTable = {
  name: 'counter',
  columns: ['name', 'value'],
  select: `SELECT name, value FROM counter WHERE name NOT IN (${COUNTERS_OF_FILE}) UNION ALL SELECT '${SEQUENCE}', ${NEWEST_SEQUENCE}`,
  insert: 'INSERT INTO counter (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
}

/** Converts a stored value to a cell of this kind. */
function fromSqlite(value: unknown, kind: Kind): Cell {
  return kind === 'boolean' ? value === 1 : (value as Cell)
}

function toSqlite(cell: Cell): Exclude<Cell, boolean> {
  return typeof cell === 'boolean' ? Number(cell) : cell
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}

function sizeOf(row: MovedRow): number {
  let size = 0
  for (const cell of row) if (typeof cell === 'string' || Buffer.isBuffer(cell)) size += cell.length
  return size
}
