// The rows of a workspace in SQLite as they are moved, read and written. Of a unique value others keep the digest alone.
import type { MovedContent } from '../../moving-port.ts'
import { toSlices } from '../../moving/slices.ts'
import { COUNTERS, DERIVED, type MovedRow, type MovedTable, UNIQUE_VALUES, withDerived } from '../../moving/tables.ts'
import { digestOfKey } from '../../moving/unique-digest.ts'
import type { Connection } from '../connection.ts'
import { fromSqlite, SEQUENCE, sqliteTableOf, toSqlite } from './columns.ts'
import { UniqueKeyFinder } from './unique-keys.ts'

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
    yield* toSlices(this.#rows(table))
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

/** Puts rows into tables that are empty, in the order in which they are moved. */
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
