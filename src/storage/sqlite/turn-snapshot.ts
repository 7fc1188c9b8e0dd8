// One read transaction for all point reads of one turn of the event loop: to begin and end one takes SQLite as long as
// the read itself (3 of 7 µs). While a commit is on its way to the disk the snapshot is held: nobody is shown what a power
// cut could still take back.
import type { Connection, Statement } from './connection.ts'

export class TurnSnapshot {
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
   * Before a read: what is read until the turn ends comes from one snapshot, unless it is released before.
   * @returns a number that this snapshot alone has
   */
  enter(): number {
    if (this.#isOpen) return this.#ended
    this.#begin.run()
    this.#isOpen = true
    setImmediate(() => this.#end())
    return this.#ended
  }

  /** Before a commit: all that is read on this connection, by whatever way, is from before it, until `release`. */
  hold(): void {
    this.enter()
    // A transaction sees what was committed before its first statement.
    this.#look.get()
    this.#isHeld = true
  }

  /** The next read sees what is committed now. */
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
