// The interface of an engine's session for repositories: SQL with numbered parameters, which may be used repeatedly. A
// parameter may be an array of texts, for `Dialect`. Each engine has its own session and dialect.
export interface Asked {
  rows<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>
}

/** Loads the existing values of some IDs. */
export type Load<Value> = (ids: readonly string[], from: Asked) => Promise<ReadonlyMap<string, Value>>

/** A session on the committed state, or within a transaction. */
export interface SqlSession extends Asked {
  readonly dialect: Dialect
  /**
   * Returns the existing values with these IDs. Values that a transaction has `put` are visible to `look` only, until
   * `rows` is called.
   */
  look<Value>(kind: string, ids: readonly string[], load: Load<Value>): Promise<ReadonlyMap<string, Value>>
  /** Returns the committed value plus the additions of the transaction. */
  counter(counter: RowCounter): Promise<number>
  /** The writer of a transaction. */
  readonly writer: SqlWriter
}

/** Counters of the workspace that repositories increase. An engine may ignore a counter. */
export type RowCounter = 'keptAnswerBytes' | 'credentials' | 'jobs'

export interface SqlWriter {
  /** Writes now or later, in the order of the calls. */
  hold(sql: string, ...parameters: unknown[]): void
  /** Holds one row for a statement by `Dialect.given` or `update`; such rows may be sent together. */
  holdRow(sql: string, ...row: unknown[]): void
  /** Writes everything held back, then runs the statement; resolves to the number of changed rows. */
  run(sql: string, ...parameters: unknown[]): Promise<number>
  /** Sets the value that `look` returns from now on. */
  put(kind: string, id: string, value: unknown): void
  /** Returns a place in the order of creation; null: the table assigns the place. */
  nextN(): number | null
  nextFeed(): number
  add(counter: RowCounter, by: number): void
  /** Notes that searches must find a record and its variants by changed data. */
  index(change: { readonly family: string }): void
}

export type SqlType = 'text' | 'integer' | 'real'
type Columns = Readonly<Record<string, SqlType>>

export interface Dialect {
  /** Writes the condition that a text contains a parameter. */
  contains(text: string, parameter: number): string
  /** Writes a member of JSON as text. */
  member(json: string, name: string): string
  /** Writes the condition that an expression is one of the texts of a parameter. */
  among(expression: string, parameter: number): string
  /** Writes the texts of a parameter as a table with the column `value`. */
  each(parameter: number): string
  /** Writes a row of `holdRow` as a table; the parameters are its columns, in order. */
  given(name: string, columns: Columns): string
  /**
   * Writes an update by key for `holdRow`; the parameters are the key, then the columns of `set`.
   * @param also further assignments
   */
  update(table: string, key: Columns, set: Columns, also: string): string
  /** Writes a removal by key for `holdRow`; the parameters are the key. */
  remove(table: string, key: Columns): string
  /**
   * Writes the condition that a row of the table is one of the rows selected by `which`.
   * @param key columns that identify a row
   */
  isOneOf(table: string, key: string, which: string): string
}

/** The servers of the workspace: this one, and perhaps more. */
export interface Servers {
  /** True if no other server has had the workspace since this server opened it. */
  readonly isAlone: boolean
  /** Identifies this server among all servers that the workspace has ever had. */
  readonly own: string
  /** Selects the living servers by the column `holder`; the SELECT ends with a condition. */
  readonly living: string
  /** Returns the identity of a server's data directory; empty: its files are here. */
  homeOf(server: string): string
}

/** The base class of repositories with the same SQL in every engine. */
export abstract class RowRepository {
  protected readonly session: SqlSession

  constructor(session: SqlSession) {
    this.session = session
  }
}
