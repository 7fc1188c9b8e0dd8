// One read transaction for all point reads of one turn of the event loop: to begin and end one takes SQLite as long as
// the read itself (3 of 7 µs).
import type { Connection, Statement } from './connection.ts'

export class TurnSnapshot {
  readonly #db: Connection
  readonly #begin: Statement
  readonly #commit: Statement
  #isOpen = false

  constructor(db: Connection) {
    this.#db = db
    this.#begin = db.prepare('BEGIN')
    this.#commit = db.prepare('COMMIT')
  }

  /** Before a read: what is read until the turn ends comes from one snapshot, unless `end` is called. */
  enter(): void {
    if (this.#isOpen) return
    this.#begin.run()
    this.#isOpen = true
    setImmediate(() => this.end())
  }

  /** After each commit: the next read sees it. */
  end(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    if (this.#db.open) this.#commit.run()
  }
}
