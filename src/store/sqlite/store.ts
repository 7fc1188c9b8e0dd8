// The SQLite store. One connection writes, another reads committed state on the main thread, and a thread updates the
// search index.
import { randomUUID } from 'node:crypto'
import { PimletError } from '../../kernel/errors.ts'
import type { CommittedReads, LongTransaction, Reads, Store, StoreOptions, Transaction } from '../port.ts'
import type { GaugeValue } from '../../kernel/observing/metrics.ts'
import { openTransaction } from '../transactions.ts'
import { CommitLoop } from './commit-loop.ts'
import { type Connection, openSharedReader, openWriter, translateError } from './connection.ts'
import { assertNobodyElse, noteOf } from './data-directory-lock.ts'
import { assertIntact } from './integrity.ts'
import { LocalLeases } from '../local-leases.ts'
import { type SqliteLocation, sqliteLocation } from './location.ts'
import { migrate } from './migrate.ts'
import { ModelTables } from './stored-model.ts'
import { PendingChanges } from './pending-changes.ts'
import { ReaderPool } from '../reading/reader-pool.ts'
import type { SqliteReaderData } from './readers/reader-thread.ts'
import { createCommittedReads, createReads, createTransaction } from './repositories.ts'
import { indexFileOf, IndexFollower } from './search-index/follower.ts'
import { FreePages } from './free-pages.ts'
import { ShortSearches } from './search/short-search.ts'
import { ReadView } from './wal/read-view.ts'
import { SyncedWal } from './wal/wal.ts'
import { WriterNumbers } from './writer-numbers.ts'
import { WrittenModel } from './written-model.ts'

export interface SqliteStoreOptions extends StoreOptions {
  /** The file of the database; the search index lies beside it. */
  readonly file: string
}

/**
 * Opens, creates or upgrades the database.
 * @throws DatabaseVersionError for a database that this version cannot use
 * @throws DatabaseDamaged for a database that is lost or damaged
 * @throws DataDirectoryLocked if another process has the database open although this process holds the directory's lock
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  assertIntact(options.file, indexFileOf(options.file))
  assertNobodyElse(options.file)
  const writer = openWriter(options.file, { durable: false })
  try {
    migrate(writer, undefined, options.onUpgrade)
    return new SqliteStore(writer, openSharedReader(options.file), options)
  } catch (error) {
    writer.close()
    throw error
  }
}

/** The most runs of short reads that did not share one snapshot. More runs mean that they await something else. */
const MAX_SNAPSHOTS = 10

export class SqliteStore implements Store {
  readonly location: SqliteLocation
  readonly leases = new LocalLeases()
  readonly read: CommittedReads
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #wal: SyncedWal
  readonly #index: IndexFollower
  readonly #freePages: FreePages
  readonly #readers: ReaderPool
  readonly #short: ShortSearches
  readonly #loop: CommitLoop
  readonly #written: Transaction
  readonly #numbers: WriterNumbers
  readonly #view: ReadView
  readonly #viewed: Reads
  #isClosed = false

  constructor(writer: Connection, reader: Connection, options: SqliteStoreOptions) {
    const { file, onFault, onCommit = [], queryTimeout = 30_000 } = options
    this.location = sqliteLocation(file)
    this.#writer = writer
    this.#reader = reader
    const onDamage = (): void => this.#index.check()
    const thread: SqliteReaderData = {
      role: 'reader',
      databaseFile: file,
      indexFile: indexFileOf(file),
      timeout: queryTimeout,
    }
    this.#readers = new ReaderPool({ thread, onFault, onDamage })
    const owner = randomUUID()
    const committed = new ModelTables(reader)
    const model = new WrittenModel(writer, committed)
    const view = new ReadView(reader)
    this.#view = view
    this.#short = new ShortSearches(thread, view)
    this.#viewed = createReads(reader, { model: committed, owner })
    const short = this.#short
    this.read = createCommittedReads(reader, { model: committed, owner, readers: this.#readers, short, view })
    this.#numbers = new WriterNumbers(writer)
    this.#written = createTransaction(writer, { model: model.tables, owner, numbers: this.#numbers })
    const changes = new PendingChanges(writer)
    this.#wal = new SyncedWal({ writer, view, onFault })
    this.#index = new IndexFollower({
      databaseFile: file,
      connectWal: () => this.#wal.connect(),
      onFault,
      onIndexed: (sequence) => this.#forget(changes, sequence, onFault),
      onReady: () => {
        this.#readers.renew()
        this.#short.renew()
      },
      onMissing: () => this.#readers.refuse(),
    })
    this.#index.advance(changes.newest())
    this.#freePages = new FreePages(writer)
    this.#loop = new CommitLoop({
      writer,
      wal: this.#wal,
      model,
      numbers: this.#numbers,
      changes,
      index: this.#index,
      onCommit,
    })
  }

  async snapshot<Result>(work: (reads: Reads) => Promise<Result>): Promise<Result> {
    for (let tries = 0; tries < MAX_SNAPSHOTS; tries += 1) {
      const snapshot = this.#view.enter()
      const isWhole = (): boolean => this.#view.enter() === snapshot
      try {
        const result = await work(this.#viewed)
        if (isWhole()) return result
      } catch (error) {
        if (isWhole()) throw error
      }
    }
    throw new Error('A snapshot awaited something other than its own methods')
  }

  async transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const turn = this.#index.turn()
    if (turn !== undefined) await turn
    const { tx, end } = openTransaction(this.#written)
    return this.#loop.queue.submit(() => work(tx), { end })
  }

  async longTransaction<Result>(work: (tx: LongTransaction) => Promise<Result>): Promise<Result> {
    const turn = this.#index.turn()
    if (turn !== undefined) await turn
    let over = (): void => undefined
    return this.#loop.queue.submit(
      async (steps) => {
        const { tx, end } = openTransaction({ ...this.#written, ...steps })
        over = end
        return work(tx)
      },
      { isLong: true, end: () => over() },
    )
  }

  whenCalm(): Promise<void> {
    return this.#index.whenCalm()
  }

  async overwriteRemains(): Promise<boolean> {
    while (await this.#loop.queue.submit(async () => this.#freePages.overwriteSome())) await this.whenCalm()
    return this.#index.overwrite()
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

  gauges(): readonly GaugeValue[] {
    const gauge = (name: string, help: string, value: number): GaugeValue => ({ name, help, value })
    const waiting = this.#loop.queue.jobs.length + this.#index.waiting
    return [
      gauge('pimlet_writer_queue_transactions', 'Transactions that wait for the writer', waiting),
      gauge('pimlet_search_index_behind_changes', 'Changes that are not in the search index yet', this.#index.behind),
      gauge('pimlet_reader_tasks', 'Searches and long lists under way in the reader threads', this.#readers.busy),
      gauge('pimlet_wal_bytes', 'Size of the write-ahead log', this.#wal.bytes()),
    ]
  }

  /** Accepts the keys: they are beside the database, and a backup contains both. */
  async agreeOnKeys(print: string): Promise<string> {
    return print
  }

  /**
   * Notes which lock this process holds, for a process with another lock. If the note finds no room, the next start
   * checks more.
   */
  async noteHolder(): Promise<void> {
    const sql =
      'INSERT INTO counter (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value'
    try {
      const note = this.#writer.prepare(sql)
      await this.#loop.queue.submit(async () => {
        for (const row of noteOf(this.#writer.name)) note.run(...row)
      })
    } catch (error) {
      if (!(error instanceof PimletError) || error.code !== 'UNAVAILABLE') throw error
    }
  }

  /** Resolves when the search index contains everything that was committed before the call. */
  whenIndexed(): Promise<void> {
    return this.#index.whenIndexed()
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.leases.close()
    await this.#loop.close()
    await Promise.all([this.#index.close(), this.#readers.close()])
    this.#short.close()
    this.#reader.close()
    this.#wal.close()
    this.#writer.close()
  }

  /** Forgets indexed changes. */
  #forget(changes: PendingChanges, indexed: number, onFault: SqliteStoreOptions['onFault']): void {
    changes
      .forget(indexed, (work) => this.#loop.queue.submit(work))
      .catch((error: unknown) => {
        if (!this.#isClosed) onFault('Forgetting indexed changes failed', error)
      })
  }
}
