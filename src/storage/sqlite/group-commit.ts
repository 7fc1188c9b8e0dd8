// Transactions, one after another on one connection, and many of them in one commit: those that wait at the same moment
// run inside one BEGIN IMMEDIATE … COMMIT, each in its own SAVEPOINT, and each promise settles only when the COMMIT is on
// the disk. One sync then serves many writers.
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
  /** Before each COMMIT. Either `onRollback` or `onDurable` follows. */
  onCommitting(): void
  /** Resolves when all that is committed survives a power cut; whoever rejects does not know whether it does. */
  makeDurable(): Promise<void>
  /** After each COMMIT that is durable, before its promises settle. */
  onDurable(transactions: number): void
}

export class GroupCommit {
  readonly #db: Connection
  readonly #events: GroupCommitEvents
  readonly #statements: Record<'begin' | 'savepoint' | 'release' | 'undo' | 'commit' | 'rollback', Statement>
  #queue: Job[] = []
  #draining: Promise<void> | undefined
  #pause: Promise<void> = Promise.resolve()
  #batch: Promise<void> = Promise.resolve()
  #isBroken = false
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

  /**
   * Whether a sync has failed. The system may say of a later one that all is well and have forgotten pages meanwhile:
   * nothing is written any more, and a new start reads what is there.
   */
  get isBroken(): boolean {
    return this.#isBroken
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

  /** No batch begins before `over`, which must not reject, is resolved. Resolves when none is under way. */
  waitFor(over: Promise<void>): Promise<void> {
    this.#pause = over
    return this.#batch
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
      this.#batch = this.#runBatch()
      await this.#batch
      await nextTurn()
    }
    this.#draining = undefined
  }

  async #runBatch(): Promise<void> {
    const jobs: Job[] = []
    let outcomes: (() => void)[]
    try {
      outcomes = await this.#commitSome(jobs)
      await this.#makeDurable()
      this.#events.onDurable(jobs.length)
    } catch (error) {
      const translated = translateError(error)
      if (translated instanceof PimletError) this.#events.onUnwritten()
      outcomes = jobs.map((job) => () => job.reject(translated))
    }
    for (const settle of outcomes) settle()
  }

  /** Takes jobs from the queue into `jobs` and commits them. @returns what settles their promises */
  async #commitSome(jobs: Job[]): Promise<(() => void)[]> {
    const outcomes: (() => void)[] = []
    const end = performance.now() + BATCH_MILLISECONDS
    try {
      jobs.push(this.#queue.shift()!)
      if (this.#isBroken)
        throw new PimletError('UNAVAILABLE', 'The storage has failed: nothing is written until a new start')
      this.#statements.begin.run()
      outcomes.push(await this.#runOne(jobs[0]!))
      while (this.#db.inTransaction && this.#queue.length > 0 && performance.now() < end) {
        const job = this.#queue.shift()!
        jobs.push(job)
        outcomes.push(await this.#runOne(job))
      }
      // After SQLITE_FULL and the like SQLite has rolled back the whole batch by itself.
      if (!this.#db.inTransaction) throw new PimletError('UNAVAILABLE', 'The storage is full or not writable')
      this.#events.onCommitting()
      this.#statements.commit.run()
      return outcomes
    } catch (error) {
      if (this.#db.inTransaction) this.#statements.rollback.run()
      this.#events.onRollback()
      throw error
    }
  }

  async #makeDurable(): Promise<void> {
    try {
      await this.#events.makeDurable()
    } catch (error) {
      this.#isBroken = true
      throw error
    }
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
