// The parsed documents of one table of the model, kept in memory: a change parses only the changed one of thousands
// again.
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
  /** Only where it is compared. */
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

  /** @param make the kept form of a document */
  constructor(db: Connection, table: string, make: (item: Item) => Kept) {
    this.#sql = new StatementCache(db)
    this.#table = table
    this.#make = make
  }

  /** In the order of creation. The same map as long as nothing changes. */
  read(): ReadonlyMap<string, Kept> {
    if (!this.#isWhole) this.#readAll(false)
    else if (this.#stale.size > 0) this.#readStale()
    return this.#byId
  }

  /** The document may have changed: the next reading of the table parses it again. */
  forget(id: string): void {
    this.#stale.add(id)
  }

  /** Reads all texts, and parses those that have changed: for readers that do not know which have. */
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

  /** By their numbers: a rollback may bring back a document between others. */
  #collect(): void {
    const rows = [...this.#rows].sort(([, one], [, other]) => one.n - other.n)
    this.#byId = new Map(rows.map(([id, { kept }]) => [id, kept]))
  }
}
