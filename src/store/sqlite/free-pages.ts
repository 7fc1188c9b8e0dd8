// Free pages of a database still contain deleted data. This file fills them with zeros, some at a time, and frees them
// again.
import type { Connection } from './connection.ts'
import { StatementCache } from './statements.ts'

/** The number of pages that one step writes. */
const AT_ONCE = 128
/** Bytes of a page that link the parts of a large value. */
const BYTES_OF_LINK = 4

export class FreePages {
  readonly #db: Connection
  readonly #sql: StatementCache
  readonly #pageSize: number
  #isFilling = true

  /** @param db a database with a table `blank`, which contains only rows of an interrupted run */
  constructor(db: Connection) {
    this.#db = db
    this.#sql = new StatementCache(db)
    this.#pageSize = db.pragma('page_size', { simple: true }) as number
  }

  /** Must be called in a transaction, which may be undone. @returns whether more work is left */
  overwriteSome(): boolean {
    const free = this.#db.pragma('freelist_count', { simple: true }) as number
    if (this.#isFilling && free > 0) {
      const bytes = Math.min(free, AT_ONCE) * (this.#pageSize - BYTES_OF_LINK)
      this.#sql.run('INSERT INTO blank (content) VALUES (zeroblob(?))', [bytes])
      return true
    }
    this.#isFilling = false
    const isMore = this.#sql.run('DELETE FROM blank WHERE n = (SELECT max(n) FROM blank)', []) > 0
    if (!isMore) this.#isFilling = true
    return isMore
  }
}
