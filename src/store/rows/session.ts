// The session that the repositories of every engine use: SQL with numbered parameters, which may occur more than once.
// A parameter may be an array of texts, for `Dialect`. Each engine has a session, and a dialect for its differences.
export interface Asked {
  rows<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>
}

/** Reads what there is of some IDs. */
export type Load<Value> = (ids: readonly string[], from: Asked) => Promise<ReadonlyMap<string, Value>>

/** Committed state, or a transaction. */
export interface SqlSession extends Asked {
  readonly dialect: Dialect
  /**
   * Reads things one by one, by their IDs; missing ones are left out. Values that a transaction `put` are found by
   * `look` alone, until it asks for `rows`.
   */
  look<Value>(kind: string, ids: readonly string[], load: Load<Value>): Promise<ReadonlyMap<string, Value>>
  /** The committed number, plus the additions of the transaction. */
  counter(counter: RowCounter): Promise<number>
  /** Only in a transaction. */
  readonly writer: SqlWriter
}

/** Numbers of the workspace that repositories add to; an engine may have no use for one. */
export type RowCounter = 'keptAnswerBytes' | 'credentials' | 'jobs'

export interface SqlWriter {
  /** Writes now, or later together with other writes, in this order. */
  hold(sql: string, ...parameters: unknown[]): void
  /** The same for one row of many: a statement by `Dialect.given` or `update`, which may be sent for all of them together. */
  holdRow(sql: string, ...row: unknown[]): void
  /** Sends the held writes, then this one; resolves to how many rows changed. */
  run(sql: string, ...parameters: unknown[]): Promise<number>
  /** Sets the value that `look` finds from now on. */
  put(kind: string, id: string, value: unknown): void
  /** A place in the order of creation; null: the table gives it. */
  nextN(): number | null
  nextFeed(): number
  add(counter: RowCounter, by: number): void
  /** The rows of the index for a record and its variants have to change. */
  index(change: { readonly family: string }): void
}

export type SqlType = 'text' | 'integer' | 'real'
type Columns = Readonly<Record<string, SqlType>>

export interface Dialect {
  /** A condition: the expression is one of the texts of a parameter. */
  among(expression: string, parameter: number): string
  /** The texts of a parameter, as a table with the column `value`. */
  each(parameter: number): string
  /** The values given to `holdRow`, as a table with one row: its parameters are these columns, in their order. */
  given(name: string, columns: Columns): string
  /**
   * A statement for `holdRow` that changes a row by its key: its parameters are the key, then the columns of `set`.
   * `also` sets more.
   */
  update(table: string, key: Columns, set: Columns, also: string): string
  /** A condition: a row of the table is one of those that `which` selects. `key`: the columns of its primary key. */
  isOneOf(table: string, key: string, which: string): string
}

/** The servers of the workspace: this one, and perhaps others. */
export interface Servers {
  /** There are none, nor were there any while this one has had it. */
  readonly isAlone: boolean
  /** Names this one among all that have ever had it. */
  readonly own: string
  /** Living servers, by the column `holder`: a SELECT whose last part is a condition. */
  readonly living: string
  /** Names the data directory of a server; empty: its files are here. */
  homeOf(server: string): string
}
