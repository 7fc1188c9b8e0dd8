// The stored list of changed records that the search index follows (`index_pending`). This file reads its newest entry
// and keeps the list short.
import type { Connection } from './connection.ts'
import { StatementCache } from './statements.ts'

/** The number of changes that one transaction deletes. */
const FORGOTTEN_AT_ONCE = 1000

export class PendingChanges {
  readonly #sql: StatementCache
  /** Every change up to this one is deleted. */
  #forgotten: number
  #isForgetting = false

  constructor(writer: Connection) {
    this.#sql = new StatementCache(writer)
    const oldest = 'SELECT coalesce(min(sequence), 1) AS oldest FROM index_pending'
    this.#forgotten = this.#sql.get<{ oldest: number }>(oldest, [])!.oldest - 1
  }

  /** Returns the sequence of the newest change; 0: no change has ever been stored. */
  newest(): number {
    const newest = 'SELECT coalesce(max(sequence), 0) AS newest FROM index_pending'
    return this.#sql.get<{ newest: number }>(newest, [])!.newest
  }

  /**
   * Deletes indexed changes when they are many, in small transactions that `submit` runs. The newest change stays, so
   * that sequences never start again.
   */
  async forget(indexed: number, submit: (work: () => Promise<void>) => Promise<void>): Promise<void> {
    if (this.#isForgetting || indexed - this.#forgotten < FORGOTTEN_AT_ONCE) return
    this.#isForgetting = true
    try {
      while (this.#forgotten < indexed) {
        const end = Math.min(indexed, this.#forgotten + FORGOTTEN_AT_ONCE)
        await submit(async () => {
          const sql =
            'DELETE FROM index_pending WHERE sequence <= ? AND sequence < (SELECT max(sequence) FROM index_pending)'
          this.#sql.run(sql, [end])
        })
        this.#forgotten = end
      }
    } finally {
      this.#isForgetting = false
    }
  }
}
