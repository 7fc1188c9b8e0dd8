// Syncs the wal to the disk, off the main thread. With `synchronous=FULL` SQLite would call fsync in each COMMIT, and every
// request would wait for it: tens of milliseconds on a busy disk. So SQLite writes the wal with `synchronous=NORMAL`, and a
// commit is acknowledged only when the wal is on the disk. The promise is the same. Commits follow one another in the wal,
// and a sync takes all of them. SQLite finds torn pages after a power cut by checksums.
import fs from 'node:fs'
import { PimletError } from '../../../kernel/errors.ts'

export class WalSync {
  readonly #handle: number

  /**
   * @param walFile the wal of a database that has an open connection in WAL mode until `close`: so it stays the same
   * file
   */
  constructor(walFile: string) {
    // Locks are on the database's other files: to close this handle takes none from SQLite. Windows syncs writable ones only.
    this.#handle = fs.openSync(walFile, 'r+')
  }

  /**
   * Resolves when everything that was committed before the call survives a power cut.
   * @throws UNAVAILABLE where the system says that it may not have kept it
   */
  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fs.fdatasync(this.#handle, (error) => {
        if (error === null) resolve()
        else reject(new PimletError('UNAVAILABLE', 'The storage did not keep what was written', { cause: error }))
      })
    })
  }

  /** After the last `sync` is over. */
  close(): void {
    fs.closeSync(this.#handle)
  }
}
