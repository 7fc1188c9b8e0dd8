// What deleted rows have left in the index: parts of the full-text index that name them, and pages that are free.
import type { Connection } from '../connection.ts'
import { FreePages } from '../free-pages.ts'

/** Pages of the full-text index that one step writes. */
const PAGES = 256

export class IndexRemains {
  readonly #db: Connection
  /** Undefined: the full-text index is being merged. */
  #pages: FreePages | undefined
  #isMerging = false

  constructor(db: Connection) {
    this.#db = db
  }

  /** @returns whether there is more to do */
  overwriteSome(): boolean {
    if (this.#pages === undefined) {
      if (!this.#mergeSome()) return true
      this.#isMerging = false
      this.#db.exec('CREATE TABLE IF NOT EXISTS blank (n INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT')
      this.#pages = new FreePages(this.#db)
    }
    if (this.#pages.overwriteSome()) return true
    this.#pages = undefined
    this.#db.exec('DROP TABLE blank')
    return false
  }

  /** Merged into one part, the full-text index names deleted rows no more. @returns whether it is so now */
  #mergeSome(): boolean {
    // A negative number takes all parts together, those that follow go on with it.
    const sql = `INSERT INTO text (text, rank) VALUES ('merge', ${this.#isMerging ? PAGES : -PAGES})`
    const before = this.#changes()
    this.#db.exec(sql)
    this.#isMerging = true
    return this.#changes() - before < 2
  }

  #changes(): number {
    return this.#db.prepare<[], number>('SELECT total_changes()').pluck().get()!
  }
}
