// The SQLite store: one connection that writes, one that reads committed state on the main thread, and the thread that
// keeps the search index.
import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { PimletError } from '../../domain/errors.ts'
import type { CommittedReads, Gauge, Reads, Store, StoreOptions, Transaction } from '../port.ts'
import { type Connection, isPassing, openReader, openWriter, translateError } from './connection.ts'
import { DurableLog } from './durable-log.ts'
import { assertNobodyElse, noteOf } from './data-directory-lock.ts'
import { assertFit } from './fitness.ts'
import { GroupCommit } from './group-commit.ts'
import { migrate } from './migrate.ts'
import type { WrittenDocument } from './model.ts'
import { ReaderPool } from './readers/reader-pool.ts'
import { IndexFollower, indexFileOf } from './search-index/follower.ts'
import { LocalLeases } from './leases.ts'
import { type SqliteLocation, sqliteLocation } from './location.ts'
import { StatementCache } from './statements.ts'
import { CommittedTableReads, TableReads, Tables, TableTransaction } from './tables.ts'
import { TurnSnapshot } from './turn-snapshot.ts'

export interface SqliteStoreOptions extends StoreOptions {
  /** Of the database; the search index lies beside it. */
  readonly file: string
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

/** Runs of short reads that did not agree; more: they await something else. */
const MAX_SNAPSHOTS = 10

export class SqliteStore implements Store {
  readonly location: SqliteLocation
  readonly leases = new LocalLeases()
  readonly read: CommittedReads
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #index: IndexFollower
  readonly #readers: ReaderPool
  readonly #log: DurableLog
  readonly #commits: GroupCommit
  readonly #written: Tables
  readonly #snapshot: TurnSnapshot
  readonly #snapshotReads: Reads
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
    this.location = sqliteLocation(file)
    this.#writer = writer
    this.#reader = reader
    this.#onFault = onFault
    this.#sql = new StatementCache(writer)
    const owner = randomUUID()
    const committed = new Tables(reader, owner)
    const files = { databaseFile: file, indexFile: indexFileOf(file) }
    this.#readers = new ReaderPool({ ...files, timeout: queryTimeout, onFault, onDamage: () => this.#index.check() })
    const snapshot = new TurnSnapshot(reader)
    this.#snapshot = snapshot
    this.#snapshotReads = new TableReads(committed)
    this.read = new CommittedTableReads(committed, reader, { readers: this.#readers, snapshot })
    this.#written = new Tables(writer, owner, (change) => {
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

  async snapshot<Result>(work: (reads: Reads) => Promise<Result>): Promise<Result> {
    for (let tries = 0; tries < MAX_SNAPSHOTS; tries += 1) {
      const snapshot = this.#snapshot.enter()
      const isWhole = (): boolean => this.#snapshot.enter() === snapshot
      try {
        const result = await work(this.#snapshotReads)
        if (isWhole()) return result
      } catch (error) {
        if (isWhole()) throw error
      }
    }
    throw new Error('A snapshot awaited something other than its own methods')
  }

  /** The caches are of this process alone. */
  fresh(): undefined {
    return undefined
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

  gauges(): readonly Gauge[] {
    const gauge = (name: string, help: string, value: number): Gauge => ({ name, help, value })
    const waiting = this.#commits.waiting + this.#index.waiting
    const logSize = statSync(`${this.#writer.name}-wal`, { throwIfNoEntry: false })?.size ?? 0
    return [
      gauge('pimlet_writer_queue_transactions', 'Transactions that wait for the writer', waiting),
      gauge('pimlet_search_index_behind_changes', 'Changes that are not in the search index yet', this.#index.behind),
      gauge('pimlet_reader_tasks', 'Searches and long lists under way in the reader threads', this.#readers.busy),
      gauge('pimlet_wal_bytes', 'Size of the write-ahead log', logSize),
    ]
  }

  /** Writes down which lock this process holds, for whoever holds another one. Without room the next start looks more closely. */
  async noteHolder(): Promise<void> {
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
    this.leases.close()
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
