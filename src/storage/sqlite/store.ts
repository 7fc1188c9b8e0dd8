// The SQLite store: one connection that writes, one that reads committed state on the main thread, and the thread that
// keeps the search index.
import { statSync } from 'node:fs'
import { PimletError } from '../../domain/errors.ts'
import type { CommittedReads, Store, StoreStatus, Transaction } from '../port.ts'
import { type Connection, isPassing, openReader, openWriter, translateError } from './connection.ts'
import { DurableLog } from './durable-log.ts'
import { assertNobodyElse, noteOf } from './data-directory-lock.ts'
import { assertFit } from './fitness.ts'
import { GroupCommit } from './group-commit.ts'
import { migrate } from './migrate.ts'
import type { WrittenDocument } from './model.ts'
import { ReaderPool } from './readers/reader-pool.ts'
import { IndexFollower, indexFileOf } from './search-index/follower.ts'
import { StatementCache } from './statements.ts'
import { CommittedTableReads, Tables, TableTransaction } from './tables.ts'
import { TurnSnapshot } from './turn-snapshot.ts'

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

/** Changes that are trimmed from index_pending in one transaction. */
const TRIM_AT = 1000

/**
 * Opens, makes or upgrades the database.
 * @throws DatabaseVersionError for one that this version cannot use, DatabaseUnfit for one that is lost or damaged,
 * DataDirectoryLocked for one that somebody has open although this process holds the directory's lock
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  assertFit(options.file, indexFileOf(options.file))
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
  readonly #index: IndexFollower
  readonly #readers: ReaderPool
  readonly #log: DurableLog
  readonly #commits: GroupCommit
  readonly #written: Tables
  readonly #sql: StatementCache
  readonly #onFault: SqliteStoreOptions['onFault']
  /** What the present batch of transactions has written of the model. */
  readonly #modelChanges = new Map<string, WrittenDocument>()
  #trimmed = 0
  #isTrimming = false
  #isClosed = false

  constructor(
    writer: Connection,
    reader: Connection,
    { file, onFault, onCommit, queryTimeout = 30_000 }: SqliteStoreOptions,
  ) {
    this.#writer = writer
    this.#reader = reader
    this.#onFault = onFault
    this.#sql = new StatementCache(writer)
    const committed = new Tables(reader)
    const files = { databaseFile: file, indexFile: indexFileOf(file) }
    this.#readers = new ReaderPool({ ...files, timeout: queryTimeout, onFault, onDamage: () => this.#index.check() })
    const snapshot = new TurnSnapshot(reader)
    this.read = new CommittedTableReads(committed, reader, { readers: this.#readers, snapshot })
    this.#written = new Tables(writer, (change) => {
      this.#modelChanges.set(`${change.table} ${change.id}`, change)
      this.#sql.run("UPDATE counter SET value = value + 1 WHERE name = 'model'", [])
    })
    this.#log = new DurableLog(file)
    this.#commits = new GroupCommit(writer, {
      onRollback: () => {
        snapshot.release()
        this.#written.numbers.undo({ isWhole: !writer.inTransaction })
        this.#forgetModelChanges()
      },
      onUnwritten: () => this.#index.makeRoom(),
      onCommitting: () => snapshot.hold(),
      makeDurable: () => this.#log.sync(),
      onDurable: (transactions) => {
        onCommit?.(transactions)
        snapshot.release()
        for (const change of this.#modelChanges.values()) committed.modelTables.forget(change)
        this.#modelChanges.clear()
        this.#index.advance(this.#newestChange())
      },
    })
    this.#index = new IndexFollower({
      databaseFile: file,
      onFault,
      onIndexed: (sequence) => {
        this.#trimPending(sequence).catch((error: unknown) => onFault('Forgetting indexed changes failed', error))
      },
      onReady: () => this.#readers.renew(),
      onMissing: () => this.#readers.refuse(),
      onWait: (over) => this.#commits.waitFor(over),
    })
    this.#index.advance(this.#newestChange())
    const oldest = 'SELECT coalesce(min(sequence), 1) AS oldest FROM index_pending'
    this.#trimmed = this.#sql.get<{ oldest: number }>(oldest, [])!.oldest - 1
  }

  async transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const turn = this.#index.turn()
    if (turn !== undefined) await turn
    return this.#commits.submit(async () => {
      const tx = new TableTransaction(this.#written)
      this.#written.numbers.mark()
      try {
        const result = await work(tx)
        this.#written.numbers.mark()
        return result
      } finally {
        tx.end()
      }
    })
  }

  whenCalm(): Promise<void> {
    return this.#index.whenCalm()
  }

  async ping(): Promise<void> {
    if (this.#isClosed) throw new PimletError('UNAVAILABLE', 'The server is shutting down')
    if (this.#commits.isBroken) throw new PimletError('UNAVAILABLE', 'The storage has failed: see the log')
    try {
      this.#reader.pragma('schema_version')
    } catch (error) {
      throw translateError(error)
    }
  }

  status(): StoreStatus {
    return {
      waitingTransactions: this.#commits.waiting + this.#index.waiting,
      unindexedChanges: this.#index.behind,
      busyReaders: this.#readers.busy,
      logSize: statSync(`${this.#writer.name}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    }
  }

  /** Writes down which lock this process holds, for whoever holds another one. Without room the next start looks more closely. */
  async noteLock(): Promise<void> {
    const sql =
      'INSERT INTO counter (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value'
    try {
      await this.#commits.submit(async () => {
        for (const row of noteOf(this.#writer.name)) this.#sql.run(sql, [...row])
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
    await this.#commits.close()
    await Promise.all([this.#index.close(), this.#readers.close()])
    this.#reader.close()
    this.#log.close()
    this.#moveLog()
    this.#writer.close()
  }

  /** On a full disk what was committed stays in the log: the next start reads it. */
  #moveLog(): void {
    try {
      this.#writer.pragma('wal_checkpoint(TRUNCATE)')
    } catch (error) {
      if (!isPassing(error)) throw error
      this.#onFault('The log could not be moved into the database, and is kept for the next start', error)
    }
  }

  /** After a rollback the model of transactions is not what they read: of the changed parts nothing is known. */
  #forgetModelChanges(): void {
    for (const change of this.#modelChanges.values()) this.#written.modelTables.forget(change)
    if (!this.#writer.inTransaction) this.#modelChanges.clear()
  }

  #newestChange(): number {
    return this.#sql.get<{ newest: number }>('SELECT coalesce(max(sequence), 0) AS newest FROM index_pending', [])!
      .newest
  }

  /** Forgets changes that are indexed, some at a time; the newest one stays, so that sequences never start again. */
  async #trimPending(indexed: number): Promise<void> {
    if (this.#isTrimming || this.#isClosed || indexed - this.#trimmed < TRIM_AT) return
    this.#isTrimming = true
    try {
      while (this.#trimmed < indexed && !this.#isClosed) {
        const end = Math.min(indexed, this.#trimmed + TRIM_AT)
        await this.#commits.submit(async () => {
          const sql =
            'DELETE FROM index_pending WHERE sequence <= ? AND sequence < (SELECT max(sequence) FROM index_pending)'
          this.#sql.run(sql, [end])
        })
        this.#trimmed = end
      }
    } finally {
      this.#isTrimming = false
    }
  }
}
