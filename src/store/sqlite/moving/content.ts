// The rows of a workspace in SQLite as they are moved, read and written. What differs by more than names is made here: a bulk job is a
// document elsewhere, and of a unique value others keep the digest alone.
import type { BulkJob } from '../../../core/jobs/rules/bulk-job.ts'
import { canonicalJson } from '../../../kernel/text.ts'
import type { MovedContent } from '../../moving-port.ts'
import { toSlices } from '../../moving/slices.ts'
import { COUNTERS, type MovedRow, type MovedTable, UNIQUE_VALUES } from '../../moving/tables.ts'
import { digestOfKey } from '../../moving/unique-digest.ts'
import { type BulkJobRow, SELECTED_COLUMNS, toJob, valuesOf } from '../bulk-job-rows.ts'
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
    yield* toSlices(table.name === 'bulk_job' ? this.#bulkJobs() : this.#rows(table))
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

  *#bulkJobs(): Generator<MovedRow, void> {
    const sql = `SELECT n, task, samples, ${SELECTED_COLUMNS} FROM bulk_job ORDER BY n`
    const rows = this.db.prepare<[], BulkJobRow & { n: number; task: string; samples: string }>(sql)
    for (const { n, task, samples, ...row } of rows.iterate())
      yield [n, row.id, canonicalJson(toJob(row)), task, samples]
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

  #valuesOf({ name, columns }: MovedTable, row: MovedRow): unknown[] {
    if (name === 'bulk_job') return valuesOfBulkJob(row)
    if (name !== UNIQUE_VALUES) return row.map(toSqlite)
    this.#keys ??= new UniqueKeyFinder(this.#db)
    const [schemaId, alias, scope, digest, recordId] = row as [string, string, string, Buffer, string]
    const key = this.#keys.find(recordId, { schemaId, alias, scope, digest })
    return row.map((cell, index) => (columns[index] === 'key' ? key : toSqlite(cell)))
  }
}

function valuesOfBulkJob(row: MovedRow): unknown[] {
  const [n, , document, task, samples] = row as [number, string, string, string, string]
  const values = valuesOf(JSON.parse(document) as BulkJob)
  return [n, ...values.map((value) => value ?? null), task, samples]
}
