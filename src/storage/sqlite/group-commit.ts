// Transactions, one after another on one connection, and many of them in one commit: those that wait at the same moment
// run inside one BEGIN IMMEDIATE … COMMIT, each in its own SAVEPOINT, and each promise settles only after the COMMIT.
// One fsync then serves many writers.
import { PimletError } from '../../domain/errors.ts'
import { type Connection, type Statement, translateError } from './connection.ts'

/** Readers share the main thread: a batch gives way after this time. */
const BATCH_MILLISECONDS = 3

interface Job {
  readonly run: () => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export interface GroupCommitEvents {
  /** After each transaction that threw: whatever it changed in memory must be read again. */
  onRollback(): void
  /** After a batch that found no room on the disk, or could not be written for another reason that may pass. */
  onUnwritten(): void
  /** After each COMMIT, before its promises settle. */
  onCommit(transactions: number): void
}

export class GroupCommit {
  readonly #db: Connection
  readonly #events: GroupCommitEvents
  readonly #statements: Record<'begin' | 'savepoint' | 'release' | 'undo' | 'commit' | 'rollback', Statement>
  #queue: Job[] = []
  #draining: Promise<void> | undefined
  #pause: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(db: Connection, events: GroupCommitEvents) {
    this.#db = db
    this.#events = events
    this.#statements = {
      begin: db.prepare('BEGIN IMMEDIATE'),
      savepoint: db.prepare('SAVEPOINT one'),
      release: db.prepare('RELEASE one'),
      undo: db.prepare('ROLLBACK TO one'),
      commit: db.prepare('COMMIT'),
      rollback: db.prepare('ROLLBACK'),
    }
  }

  get waiting(): number {
    return this.#queue.length
  }

  /** Runs `work` alone; resolves when its writes are durable. */
  submit<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (this.#isClosed) {
        reject(new PimletError('UNAVAILABLE', 'The server is shutting down'))
        return
      }
      this.#queue.push({ run: work, resolve: resolve as (value: unknown) => void, reject })
      this.#draining ??= this.#drain()
    })
  }

  /** No batch begins before `over`, which must not reject, is resolved. A batch runs within one turn, so none is under way. */
  waitFor(over: Promise<void>): void {
    this.#pause = over
  }

  /** Waits for what was submitted; refuses what comes later. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#draining
  }

  async #drain(): Promise<void> {
    // A turn of the event loop before each batch: requests that have arrived meanwhile join it, and reads get their turn.
    await nextTurn()
    while (this.#queue.length > 0) {
      await this.#pause
      await this.#runBatch()
      await nextTurn()
    }
    this.#draining = undefined
  }

  async #runBatch(): Promise<void> {
    let outcomes: (() => void)[] = []
    try {
      this.#statements.begin.run()
    } catch (error) {
      this.#queue.shift()!.reject(translateError(error))
      return
    }
    const end = performance.now() + BATCH_MILLISECONDS
    const jobs: Job[] = []
    try {
      do {
        const job = this.#queue.shift()!
        jobs.push(job)
        outcomes.push(await this.#runOne(job))
      } while (this.#db.inTransaction && this.#queue.length > 0 && performance.now() < end)
      // After SQLITE_FULL and the like SQLite has rolled back the whole batch by itself.
      if (!this.#db.inTransaction) throw new PimletError('UNAVAILABLE', 'The storage is full or not writable')
      this.#statements.commit.run()
      this.#events.onCommit(outcomes.length)
    } catch (error) {
      if (this.#db.inTransaction) this.#statements.rollback.run()
      this.#events.onRollback()
      const translated = translateError(error)
      if (translated instanceof PimletError) this.#events.onUnwritten()
      outcomes = jobs.map((job) => () => job.reject(translated))
    }
    for (const settle of outcomes) settle()
  }

  /** Resolves to what settles the job's promise once the batch is committed. */
  async #runOne(job: Job): Promise<() => void> {
    this.#statements.savepoint.run()
    try {
      const result = await withinThisTurn(job.run)
      this.#statements.release.run()
      return () => job.resolve(result)
    } catch (error) {
      if (this.#db.inTransaction) {
        this.#statements.undo.run()
        this.#statements.release.run()
      }
      this.#events.onRollback()
      return () => job.reject(translateError(error))
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** SQLite answers synchronously, so work that awaits nothing else ends before the event loop turns. Other work would hold the database. */
function withinThisTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const guard = setImmediate(() => {
      reject(new Error('A transaction awaited something other than its own methods'))
    })
    work()
      .then(resolve, reject)
      .finally(() => clearImmediate(guard))
  })
}
