// The session of a connection to SQLite, which answers synchronously. It holds no write back, and caches no value for
// later reads.
import type { Dialect, Load, RowCounter, Servers, SqlSession, SqlWriter } from '../rows/session.ts'
import type { Connection } from './connection.ts'
import { StatementCache } from './statements.ts'

export const SQLITE: Dialect = {
  contains: (text, parameter) => `instr(${text}, $${parameter}) > 0`,
  member: (json, name) => `${json} ->> '$.${name}'`,
  among: (expression, parameter) => `${expression} IN (SELECT value FROM json_each($${parameter}))`,
  each: (parameter) => `json_each($${parameter})`,
  given: (name, columns) => {
    const values = Object.keys(columns).map((column, index) => `$${index + 1} AS ${column}`)
    return `(SELECT ${values.join(', ')}) AS ${name}`
  },
  update: (table, key, set, also) => {
    const keys = Object.keys(key).map((column, index) => `${column} = $${index + 1}`)
    const sets = Object.keys(set).map((column, index) => `${column} = $${index + keys.length + 1}`)
    return `UPDATE ${table} SET ${[...sets, also].join(', ')} WHERE ${keys.join(' AND ')}`
  },
  remove: (table, key) => {
    const keys = Object.keys(key).map((column, index) => `${column} = $${index + 1}`)
    return `DELETE FROM ${table} WHERE ${keys.join(' AND ')}`
  },
  isOneOf: (table, key, which) => `(${key}) IN (SELECT ${key} FROM ${table} ${which})`,
}

/** Returns the servers of a workspace that this server alone has. */
export function alone(own: string): Servers {
  const living = 'SELECT holder FROM (SELECT NULL AS holder, NULL AS until) WHERE false'
  return { isAlone: true, own, living, homeOf: () => '' }
}

export class SqliteSession implements SqlSession, SqlWriter {
  readonly dialect = SQLITE
  readonly writer: SqlWriter = this
  readonly #sql: StatementCache
  readonly #texts = new Map<string, SqliteText>()
  /** Prepared texts for lists that do not contain exactly one text. */
  readonly #textsOfMany = new Map<string, SqliteText>()
  readonly #onPut: ((kind: string, id: string) => void) | undefined

  /** @param onPut called with each value that `put` sets */
  constructor(db: Connection, onPut?: (kind: string, id: string) => void) {
    this.#sql = new StatementCache(db)
    this.#onPut = onPut
  }

  async rows<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    const text = this.#textOf(sql, parameters)
    return this.#sql.all<Row>(text.sql, text.valuesOf(parameters))
  }

  /** Yields rows one by one; the connection can write nothing meanwhile. */
  iterate<Row>(sql: string, parameters: readonly unknown[] = []): IterableIterator<Row> {
    const text = this.#textOf(sql, parameters)
    return this.#sql.iterate<Row>(text.sql, text.valuesOf(parameters))
  }

  async look<Value>(_kind: string, ids: readonly string[], load: Load<Value>): Promise<ReadonlyMap<string, Value>> {
    return ids.length === 0 ? new Map() : load(ids, this)
  }

  async counter(counter: RowCounter): Promise<number> {
    if (counter !== 'keptAnswerBytes') return 0
    return this.#sql.get<{ value: number }>("SELECT value FROM counter WHERE name = 'kept_answers'", [])!.value
  }

  hold(sql: string, ...parameters: unknown[]): void {
    this.#run(sql, parameters)
  }

  holdRow(sql: string, ...row: unknown[]): void {
    this.#run(sql, row)
  }

  async run(sql: string, ...parameters: unknown[]): Promise<number> {
    return this.#run(sql, parameters)
  }

  /** Only reports the value: reads find it in the table. */
  put(kind: string, id: string): void {
    this.#onPut?.(kind, id)
  }

  nextN(): null {
    return null
  }

  nextFeed(): number {
    const sql = "UPDATE counter SET value = value + 1 WHERE name = 'export_feeds' RETURNING value"
    return this.#sql.get<{ value: number }>(sql, [])!.value
  }

  /** Other counters inform other servers of changes; here, no other server exists. */
  add(counter: RowCounter, by: number): void {
    if (counter === 'keptAnswerBytes')
      this.#sql.run("UPDATE counter SET value = value + ? WHERE name = 'kept_answers'", [by])
  }

  index({ family }: { readonly family: string }): void {
    this.hold('INSERT INTO index_pending (record_n) SELECT n FROM record WHERE id = $1 OR parent_id = $1', family)
  }

  #run(sql: string, parameters: readonly unknown[]): number {
    const text = this.#textOf(sql, parameters)
    return this.#sql.run(text.sql, text.valuesOf(parameters))
  }

  #textOf(sql: string, parameters: readonly unknown[]): SqliteText {
    const isOfMany = parameters.some((value) => Array.isArray(value) && value.length !== 1)
    const texts = isOfMany ? this.#textsOfMany : this.#texts
    let text = texts.get(sql)
    if (text === undefined) {
      text = new SqliteText(sql, isOfMany)
      texts.set(sql, text)
    }
    return text
  }
}

/** A list that tests membership of the texts of a parameter, or a parameter. */
const PARAMETERS = /\(SELECT value FROM json_each\(\$(\d+)\)\)|\$(\d+)/g

/**
 * Prepared SQL. Its parameters are known by position only: better-sqlite3 takes `$1` for a name, and binds names more
 * slowly. Most lists contain one text, which is compared directly: json_each would take longer than the look-up.
 */
class SqliteText {
  readonly sql: string
  /** The index of the parameter at each position. */
  readonly #indexes: number[] = []
  /** Whether the parameter at each position is a text of a list. */
  readonly #isInList: boolean[] = []

  constructor(sql: string, isOfMany: boolean) {
    this.sql = sql.replaceAll(PARAMETERS, (found: string, list?: string, single?: string) => {
      const isInList = list !== undefined && !isOfMany
      this.#indexes.push(Number(list ?? single) - 1)
      this.#isInList.push(isInList)
      return isInList ? '(?)' : found.replace(/\$\d+/, '?')
    })
  }

  valuesOf(parameters: readonly unknown[]): unknown[] {
    return this.#indexes.map((index, place) => {
      const value = parameters[index]
      return this.#isInList[place] === true ? (value as unknown[])[0] : toBound(value)
    })
  }
}

function toBound(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  return Array.isArray(value) ? JSON.stringify(value) : value
}
