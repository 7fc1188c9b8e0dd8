// Removes the remains of deleted rows in the index: segments of the full-text index, and free pages.
import type { Connection } from '../connection.ts'
import { FreePages } from '../free-pages.ts'

/** Pages of the full-text index that one step writes. */
const PAGES = 256

export class IndexRemains {
  readonly #db: Connection
  /** Undefined: the full-text index is still being merged. */
  #pages: FreePages | undefined
  #isMerging = false

  constructor(db: Connection) {
    this.#db = db
  }

  /** @returns whether more work is left */
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

  /**
   * Merges the full-text index into one segment, which no longer mentions deleted rows.
   * @returns whether merging is complete
   */
  #mergeSome(): boolean {
    // A negative number starts a merge of all segments, and positive numbers continue the merge.
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
