// The snapshot that readers on the main thread see. One read transaction serves all point reads of one turn of the
// event loop: beginning one takes as long as a read. While a commit is under way to the disk, the view is held: readers
// see no commit that is not on the disk.
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
   * Must be called before a read. All reads of this turn use one snapshot, unless the view is released between them.
   * @returns the number of the snapshot
   */
  enter(): number {
    if (this.#isOpen) return this.#ended
    this.#begin.run()
    this.#isOpen = true
    setImmediate(() => this.#end())
    return this.#ended
  }

  /** Must be called before a commit: until `release`, all reads on this connection show the state before the commit. */
  hold(): void {
    this.enter()
    // The snapshot of a transaction begins with its first statement.
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
