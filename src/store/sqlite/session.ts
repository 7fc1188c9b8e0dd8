// What repositories ask of a connection to SQLite, which answers at once: nothing is held back, nor has to be kept to be found.
import type { Dialect, Load, RowCounter, SqlSession, SqlWriter } from '../rows/session.ts'
import type { Connection } from './connection.ts'
import { type Parameters, StatementCache } from './statements.ts'

const DIALECT: Dialect = {
  among: (expression, parameter) => `${expression} IN (SELECT value FROM json_each($${parameter}))`,
  given: (name, columns) => {
    const values = Object.keys(columns).map((column, index) => `$${index + 1} AS ${column}`)
    return `(SELECT ${values.join(', ')}) AS ${name}`
  },
  isOneOf: (table, key, which) => `(${key}) IN (SELECT ${key} FROM ${table} ${which})`,
  textOf: (document, member) => `${document} ->> '$.${member}'`,
  // Nobody else has the workspace.
  living: 'SELECT holder FROM (SELECT NULL AS holder, NULL AS until) WHERE false',
}

export class SqliteSession implements SqlSession, SqlWriter {
  readonly dialect = DIALECT
  readonly writer: SqlWriter = this
  readonly #sql: StatementCache

  constructor(db: Connection) {
    this.#sql = new StatementCache(db)
  }

  async rows<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.#sql.all<Row>(sql, asNumbered(parameters))
  }

  async look<Value>(_kind: string, ids: readonly string[], load: Load<Value>): Promise<ReadonlyMap<string, Value>> {
    return ids.length === 0 ? new Map() : load(ids, this)
  }

  async counter(counter: RowCounter): Promise<number> {
    if (counter !== 'keptAnswerBytes') return 0
    return this.#sql.get<{ value: number }>("SELECT value FROM counter WHERE name = 'kept_answers'", [])!.value
  }

  hold(sql: string, ...parameters: unknown[]): void {
    this.#sql.run(sql, asNumbered(parameters))
  }

  holdRow(sql: string, ...row: unknown[]): void {
    this.#sql.run(sql, asNumbered(row))
  }

  async run(sql: string, ...parameters: unknown[]): Promise<number> {
    return this.#sql.run(sql, asNumbered(parameters))
  }

  /** It is found where it was written. */
  put(): void {}

  nextN(): null {
    return null
  }

  nextFeed(): number {
    const sql = "UPDATE counter SET value = value + 1 WHERE name = 'export_feeds' RETURNING value"
    return this.#sql.get<{ value: number }>(sql, [])!.value
  }

  /** Those of which other servers have to learn are of no use to one that is alone. */
  add(counter: RowCounter, by: number): void {
    if (counter === 'keptAnswerBytes')
      this.#sql.run("UPDATE counter SET value = value + ? WHERE name = 'kept_answers'", [by])
  }
}

/** `$1` is a name to better-sqlite3, and booleans and arrays are nothing to SQLite. */
function asNumbered(parameters: readonly unknown[]): Parameters {
  const numbered: Record<number, unknown> = {}
  for (const [index, value] of parameters.entries()) numbered[index + 1] = asBound(value)
  return numbered
}

function asBound(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  return Array.isArray(value) ? JSON.stringify(value) : value
}
