// What the repositories of every engine ask: SQL with numbered parameters, which may be used more than once. A parameter may be an
// array of texts, for `Dialect`. Each engine has a session of its own, and says what its SQL has in other words than the others'.
export interface Asked {
  rows<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>
}

/** Reads what there is of some IDs. */
export type Load<Value> = (ids: readonly string[], from: Asked) => Promise<ReadonlyMap<string, Value>>

/** Committed state, or a transaction. */
export interface SqlSession extends Asked {
  readonly dialect: Dialect
  /**
   * Things that are read one by one, by their IDs: those that there are. What a transaction puts in their place it finds by `look`
   * alone, until it asks for `rows`.
   */
  look<Value>(kind: string, ids: readonly string[], load: Load<Value>): Promise<ReadonlyMap<string, Value>>
  /** As it is committed, with what the transaction has added. */
  counter(counter: RowCounter): Promise<number>
  /** Of a transaction. */
  readonly writer: SqlWriter
}

/** Numbers of the workspace that repositories add to; an engine may have no use for one. */
export type RowCounter = 'keptAnswerBytes' | 'credentials' | 'jobs'

export interface SqlWriter {
  /** Writes now or with others later, in this order. */
  hold(sql: string, ...parameters: unknown[]): void
  /** The same for one row of many: a statement by `Dialect.given` or `update`, which may be sent for all of them together. */
  holdRow(sql: string, ...row: unknown[]): void
  /** Writes what is held back, then this; resolves to how many rows changed. */
  run(sql: string, ...parameters: unknown[]): Promise<number>
  /** What `look` finds from now on. */
  put(kind: string, id: string, value: unknown): void
  /** A place in the order of creation; null: the table gives it. */
  nextN(): number | null
  nextFeed(): number
  add(counter: RowCounter, by: number): void
  /** What searches find a record and its variants by has changed. */
  index(change: { readonly family: string }): void
}

export type SqlType = 'text' | 'integer' | 'real'
type Columns = Readonly<Record<string, SqlType>>

export interface Dialect {
  /** That a text contains a parameter. */
  contains(text: string, parameter: number): string
  /** A text that is a member of JSON. */
  member(json: string, name: string): string
  /** That an expression is one of the texts of a parameter. */
  among(expression: string, parameter: number): string
  /** The texts of a parameter, as a table with the column `value`. */
  each(parameter: number): string
  /** What `holdRow` is given, as a table with a row: its parameters are these columns, in their order. */
  given(name: string, columns: Columns): string
  /** What `holdRow` takes to change a row by its key: its parameters are the key, then what is set. `also`: what is set besides. */
  update(table: string, key: Columns, set: Columns, also: string): string
  /** That a row of the table is one of those that `which` selects. `key`: the columns that tell its rows apart. */
  isOneOf(table: string, key: string, which: string): string
}

/** Who has the workspace: this server, and perhaps others. */
export interface Servers {
  /** There are none, nor were there any while this one has had it. */
  readonly isAlone: boolean
  /** Names this one among all that have ever had it. */
  readonly own: string
  /** Those that live, by the column `holder`: a SELECT whose last part is a condition. */
  readonly living: string
  /** Names the data directory of a server; empty: what is in it is here. */
  homeOf(server: string): string
}
