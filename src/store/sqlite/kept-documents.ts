// The parsed documents of one table of the model, cached in memory: a change parses only the changed document of
// thousands.
import type { Connection } from './connection.ts'
import { StatementCache } from './statements.ts'

interface Row {
  readonly n: number
  readonly id: string
  readonly document: string
}

interface KeptRow<Kept> {
  readonly n: number
  readonly kept: Kept
  /** Undefined: nothing compares the text. */
  readonly text: string | undefined
}

export class KeptDocuments<Item extends { readonly id: string }, Kept> {
  readonly #sql: StatementCache
  readonly #table: string
  readonly #make: (item: Item) => Kept
  readonly #rows = new Map<string, KeptRow<Kept>>()
  readonly #stale = new Set<string>()
  #isWhole = false
  #byId: ReadonlyMap<string, Kept> = new Map()

  /** @param make makes the cached form of a document */
  constructor(db: Connection, table: string, make: (item: Item) => Kept) {
    this.#sql = new StatementCache(db)
    this.#table = table
    this.#make = make
  }

  /** Returns the documents in the order of creation: the same map until one of them changes. */
  read(): ReadonlyMap<string, Kept> {
    if (!this.#isWhole) this.#readAll(false)
    else if (this.#stale.size > 0) this.#readStale()
    return this.#byId
  }

  /** Notes that the document may have changed: the next `read` parses it again. */
  forget(id: string): void {
    this.#stale.add(id)
  }

  /** Reads all texts, and parses the changed ones, for readers that do not know the changes. */
  compare(): void {
    this.#readAll(true)
  }

  #readAll(isCompared: boolean): void {
    const before = new Map(this.#rows)
    let isSame = this.#isWhole
    this.#rows.clear()
    const rows = this.#sql.iterate<Row>(`SELECT n, id, document FROM ${this.#table} ORDER BY n`, [])
    for (const row of rows) {
      const known = before.get(row.id)
      before.delete(row.id)
      const isKnown = known !== undefined && known.text === row.document && known.n === row.n
      isSame &&= isKnown
      this.#rows.set(row.id, isKnown ? known : this.#keep(row, isCompared))
    }
    this.#isWhole = true
    this.#stale.clear()
    if (!isSame || before.size > 0) this.#collect()
  }

  #readStale(): void {
    const sql = `SELECT n, id, document FROM ${this.#table} WHERE id = ?`
    for (const id of this.#stale) {
      const row = this.#sql.get<Row>(sql, [id])
      if (row === undefined) this.#rows.delete(id)
      else this.#rows.set(id, this.#keep(row, false))
    }
    this.#stale.clear()
    this.#collect()
  }

  #keep({ n, document }: Row, isCompared: boolean): KeptRow<Kept> {
    return { n, kept: this.#make(JSON.parse(document) as Item), text: isCompared ? document : undefined }
  }

  /** Sorts documents by number, because a rollback may bring back a document between others. */
  #collect(): void {
    const rows = [...this.#rows].sort(([, one], [, other]) => one.n - other.n)
    this.#byId = new Map(rows.map(([id, { kept }]) => [id, kept]))
  }
}
