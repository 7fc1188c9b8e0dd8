// The snapshot that readers on the main thread see: one read transaction for all point reads of one turn of the event loop.
// A read transaction costs SQLite as much as the read itself. While a commit is on its way to the disk the view is held:
// readers see no commit that is not on the disk yet.
import type { Connection, Statement } from '../connection.ts'

export class ReadView {
  readonly #db: Connection
  readonly #begin: Statement
  readonly #commit: Statement
  readonly #look: Statement
  #isOpen = false
  #isHeld = false
  #ended = 0

  constructor(db: Connection) {
    this.#db = db
    this.#begin = db.prepare('BEGIN')
    this.#commit = db.prepare('COMMIT')
    this.#look = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1')
  }

  /**
   * Called before a read: all reads of this turn come from one snapshot, unless it is released before. @returns the
   * number of the snapshot
   */
  enter(): number {
    if (this.#isOpen) return this.#ended
    this.#begin.run()
    this.#isOpen = true
    setImmediate(() => this.#end())
    return this.#ended
  }

  /** Before a commit: all reads on this connection show the state before it, until `release`. */
  hold(): void {
    this.enter()
    // A transaction sees the commits before its first statement.
    this.#look.get()
    this.#isHeld = true
  }

  /** The next read sees the newest commit. */
  release(): void {
    this.#isHeld = false
    this.#end()
  }

  #end(): void {
    if (!this.#isOpen || this.#isHeld) return
    this.#isOpen = false
    this.#ended += 1
    if (this.#db.open) this.#commit.run()
  }
}
