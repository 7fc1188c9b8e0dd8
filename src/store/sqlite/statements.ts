// Caches prepared statements by their text: SQL is written where it is used, and is compiled once.
import type { Connection, Statement } from './connection.ts'

/** For `?` an array, for `@name` an object. */
export type Parameters = readonly unknown[] | Readonly<Record<string, unknown>>

/** The most prepared statements: searches compile to many texts. */
const KEPT = 500

export class StatementCache {
  readonly #db: Connection
  readonly #statements = new Map<string, Statement>()

  constructor(db: Connection) {
    this.#db = db
  }

  get<Row>(sql: string, parameters: Parameters): Row | undefined {
    return this.#prepared(sql).get(...asArguments(parameters)) as Row | undefined
  }

  all<Row>(sql: string, parameters: Parameters): Row[] {
    return this.#prepared(sql).all(...asArguments(parameters)) as Row[]
  }

  /** Returns the numbers of a SELECT of one column. */
  numbers(sql: string, parameters: Parameters): number[] {
    return this.#prepared(sql, 'values').all(...asArguments(parameters)) as number[]
  }

  /** Returns rows as lists of columns, which are faster to make than objects. */
  tuples<Row extends readonly unknown[]>(sql: string, parameters: Parameters): Row[] {
    return this.#prepared(sql, 'tuples').all(...asArguments(parameters)) as Row[]
  }

  /** Yields rows one by one; the connection can do nothing else meanwhile. */
  iterate<Row>(sql: string, parameters: Parameters): IterableIterator<Row> {
    return this.#prepared(sql).iterate(...asArguments(parameters)) as IterableIterator<Row>
  }

  /** Runs a statement, and returns the number of changed rows. */
  run(sql: string, parameters: Parameters): number {
    return this.#prepared(sql).run(...asArguments(parameters)).changes
  }

  /**
   * Prepares a statement. `values`: rows are the values of the first column. A text must always be prepared for the
   * same form of rows.
   */
  #prepared(sql: string, rows: 'objects' | 'values' | 'tuples' = 'objects'): Statement {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const fresh = this.#db.prepare<unknown[], unknown>(sql)
    if (rows === 'values') fresh.pluck()
    if (rows === 'tuples') fresh.raw()
    if (this.#statements.size >= KEPT) this.#statements.clear()
    this.#statements.set(sql, fresh)
    return fresh
  }
}

function asArguments(parameters: Parameters): readonly unknown[] {
  return Array.isArray(parameters) ? parameters : [parameters]
}
