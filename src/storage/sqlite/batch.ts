// Transactions in one commit: those that wait at the same moment run one after another inside one BEGIN IMMEDIATE … COMMIT,
// each in its own SAVEPOINT, so that one that throws takes no neighbour with it. One sync then serves many writers.
import { PimletError } from '../../domain/errors.ts'
import { type Connection, type Statement, translateError } from './connection.ts'

/** Readers share the main thread: a batch gives way after this time. */
const BATCH_MILLISECONDS = 3

/** A transaction that somebody waits for. */
export interface Job {
  readonly run: () => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export class BatchStatements {
  readonly db: Connection
  readonly begin: Statement
  readonly savepoint: Statement
  readonly release: Statement
  readonly undo: Statement
  readonly commit: Statement
  readonly rollback: Statement

  constructor(db: Connection) {
    this.db = db
    this.begin = db.prepare('BEGIN IMMEDIATE')
    this.savepoint = db.prepare('SAVEPOINT one')
    this.release = db.prepare('RELEASE one')
    this.undo = db.prepare('ROLLBACK TO one')
    this.commit = db.prepare('COMMIT')
    this.rollback = db.prepare('ROLLBACK')
  }
}

/** What is kept in memory of what transactions write. */
export interface BatchMemory {
  /** Before each transaction. */
  mark(): void
  /** After one was rolled back, or with it all before it in the batch: what it changed in memory holds no more. */
  undo(what: { isWhole: boolean }): void
}

export class Batch {
  readonly #sql: BatchStatements
  readonly #memory: BatchMemory
  readonly #jobs: Job[] = []
  /** What tells each job how it ended, once all is durable. */
  readonly #outcomes: (() => void)[] = []

  constructor(sql: BatchStatements, memory: BatchMemory) {
    this.#sql = sql
    this.#memory = memory
  }

  /** How many transactions it has. */
  get size(): number {
    return this.#jobs.length
  }

  /** Takes jobs from `queue`, which has one at least, and runs them within this turn of the event loop. @throws what fails all of them */
  async run(queue: Job[]): Promise<void> {
    const { db, begin } = this.#sql
    const end = performance.now() + BATCH_MILLISECONDS
    do {
      const job = queue.shift()!
      this.#jobs.push(job)
      if (this.size === 1) begin.run()
      this.#outcomes.push(await this.#runOne(job))
    } while (db.inTransaction && queue.length > 0 && performance.now() < end)
    // After SQLITE_FULL and the like SQLite has rolled back the whole batch by itself.
    if (!db.inTransaction) throw new PimletError('UNAVAILABLE', 'The storage is full or not writable')
  }

  commit(): void {
    this.#sql.commit.run()
  }

  /** Tells each job how it ended. */
  settle(): void {
    for (const tell of this.#outcomes) tell()
  }

  /** Nothing of it was written, or nobody knows: each job is told so. */
  fail(error: unknown): void {
    if (this.#sql.db.inTransaction) this.#sql.rollback.run()
    for (const { reject } of this.#jobs) reject(error)
  }

  /** Resolves to what settles the job's promise. */
  async #runOne(job: Job): Promise<() => void> {
    const { db, savepoint, release, undo } = this.#sql
    savepoint.run()
    this.#memory.mark()
    try {
      const result = await withinThisTurn(job.run)
      release.run()
      return () => job.resolve(result)
    } catch (error) {
      if (db.inTransaction) {
        undo.run()
        release.run()
      }
      this.#memory.undo({ isWhole: !db.inTransaction })
      return () => job.reject(translateError(error))
    }
  }
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
