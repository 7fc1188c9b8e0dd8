// Syncs the wal to the disk, outside of the main thread. With `synchronous=FULL`, SQLite would call fsync in each
// COMMIT. Every request would wait for the disk, for tens of milliseconds if it is busy. So SQLite writes the wal with
// `synchronous=NORMAL`, and a commit is acknowledged only when the wal is on the disk. The guarantee is the same.
// Commits follow one another in the wal, and a sync stores all of them. After a power cut, SQLite finds incomplete
// pages by checksums.
import fs from 'node:fs'
import { PimletError } from '../../../kernel/errors.ts'

export class WalSync {
  readonly #handle: number

  /** @param walFile the wal of a database with an open connection in WAL mode until `close`: the file stays the same */
  constructor(walFile: string) {
    // SQLite locks the database's other files, so closing this handle releases no lock of SQLite. Windows syncs only
    // writable handles.
    this.#handle = fs.openSync(walFile, 'r+')
  }

  /**
   * Resolves when everything that was committed before the call survives a power cut. @throws UNAVAILABLE if the system
   * reports a possible loss
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
