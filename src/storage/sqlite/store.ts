// The SQLite store: one connection that writes, one that reads committed state on the main thread, and the thread that
// keeps the search index.
import { PimletError } from '../../domain/errors.ts'
import type { CommittedReads, Store, StoreStatus, Transaction } from '../port.ts'
import { CommitLoop } from './commit-loop.ts'
import { type Connection, openReader, openWriter, translateError } from './connection.ts'
import { assertNobodyElse, noteOf } from './data-directory-lock.ts'
import { assertIntact } from './integrity.ts'
import { migrate } from './migrate.ts'
import { ModelTables } from './model.ts'
import { PendingChanges } from './pending-changes.ts'
import { ReaderPool } from './readers/reader-pool.ts'
import { createCommittedReads, createRepositories, withTransaction } from './repositories.ts'
import { IndexFollower, indexFileOf } from './search-index/follower.ts'
import { ReadView } from './wal/read-view.ts'
import { SyncedWal } from './wal/wal.ts'
import { WrittenModel } from './written-model.ts'

export interface SqliteStoreOptions {
  /** Of the database; the search index lies beside it. */
  readonly file: string
  /** Milliseconds of work that one search may take; 30,000 unless told. */
  readonly queryTimeout?: number | undefined
  /** Called after each commit, when it is on the disk, with the number of its transactions. */
  readonly onCommit?: ((transactions: number) => void) | undefined
  /** Called with faults that no caller can be told of. */
  readonly onFault: (message: string, error: unknown) => void
}

/**
 * Opens, makes or upgrades the database.
 * @throws DatabaseVersionError for one that this version cannot use, DatabaseDamaged for one that is lost or damaged,
 * DataDirectoryLocked for one that somebody has open although this process holds the directory's lock
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  assertIntact(options.file, indexFileOf(options.file))
  assertNobodyElse(options.file)
  const writer = openWriter(options.file, { durable: false })
  try {
    migrate(writer)
    return new SqliteStore(writer, openReader(options.file), options)
  } catch (error) {
    writer.close()
    throw error
  }
}

export class SqliteStore implements Store {
  readonly read: CommittedReads
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #wal: SyncedWal
  readonly #index: IndexFollower
  readonly #readers: ReaderPool
  readonly #loop: CommitLoop
  readonly #written: Transaction
  #isClosed = false

  constructor(writer: Connection, reader: Connection, options: SqliteStoreOptions) {
    const { file, onFault, onCommit, queryTimeout = 30_000 } = options
    this.#writer = writer
    this.#reader = reader
    const onDamage = (): void => this.#index.check()
    const files = { databaseFile: file, indexFile: indexFileOf(file) }
    this.#readers = new ReaderPool({ ...files, timeout: queryTimeout, onFault, onDamage })
    const committed = new ModelTables(reader)
    const model = new WrittenModel(writer, committed)
    const view = new ReadView(reader)
    this.read = createCommittedReads(reader, { model: committed, readers: this.#readers, view })
    this.#written = createRepositories(writer, model.tables)
    const changes = new PendingChanges(writer)
    this.#wal = new SyncedWal({ writer, view, onFault })
    this.#index = new IndexFollower({
      databaseFile: file,
      connectWal: () => this.#wal.connect(),
      onFault,
      onIndexed: (sequence) => this.#forget(changes, sequence, onFault),
      onReady: () => this.#readers.renew(),
      onMissing: () => this.#readers.refuse(),
    })
    this.#index.advance(changes.newest())
    this.#loop = new CommitLoop({ writer, wal: this.#wal, model, changes, index: this.#index, onCommit })
  }

  async transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const turn = this.#index.turn()
    if (turn !== undefined) await turn
    return this.#loop.submit(() => withTransaction(this.#written, work))
  }

  whenCalm(): Promise<void> {
    return this.#index.whenCalm()
  }

  async ping(): Promise<void> {
    if (this.#isClosed) throw new PimletError('UNAVAILABLE', 'The server is shutting down')
    if (this.#wal.isBroken) throw new PimletError('UNAVAILABLE', 'The storage has failed: see the log')
    try {
      this.#reader.pragma('schema_version')
    } catch (error) {
      throw translateError(error)
    }
  }

  status(): StoreStatus {
    return {
      waitingTransactions: this.#loop.waiting + this.#index.waiting,
      unindexedChanges: this.#index.behind,
      busyReaders: this.#readers.busy,
      logSize: this.#wal.bytes(),
    }
  }

  /** Writes down which lock this process holds, for whoever holds another one. Without room the next start looks more closely. */
  async noteLock(): Promise<void> {
    const sql =
      'INSERT INTO counter (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value'
    try {
      const note = this.#writer.prepare(sql)
      await this.#loop.submit(async () => {
        for (const row of noteOf(this.#writer.name)) note.run(...row)
      })
    } catch (error) {
      if (!(error instanceof PimletError) || error.code !== 'UNAVAILABLE') throw error
    }
  }

  /** Resolves when the search index has seen everything that was committed before the call. */
  whenIndexed(): Promise<void> {
    return this.#index.whenIndexed()
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#loop.close()
    await Promise.all([this.#index.close(), this.#readers.close()])
    this.#reader.close()
    this.#wal.close()
    this.#writer.close()
  }

  /** Of changes that are indexed. */
  #forget(changes: PendingChanges, indexed: number, onFault: SqliteStoreOptions['onFault']): void {
    changes
      .forget(indexed, (work) => this.#loop.submit(work))
      .catch((error: unknown) => {
        if (!this.#isClosed) onFault('Forgetting indexed changes failed', error)
      })
  }
}
