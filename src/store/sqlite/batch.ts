// Transactions in one commit. Waiting transactions run one after another inside one BEGIN IMMEDIATE … COMMIT, each in
// its own SAVEPOINT. So a transaction that throws does not undo its neighbours, and one sync serves many writers.
import { PimletError } from '../../kernel/errors.ts'
import { type Connection, type Statement, translateError } from './connection.ts'
import { type Job, TransactionGuard } from '../transactions.ts'

/** Milliseconds that a batch writes. Transactions that come later wait for the next batch. */
const BATCH_MILLISECONDS = 3
/** Milliseconds that a batch writes without a break. Readers share the main thread, and wait for at most two such turns. */
const TURN_MILLISECONDS = 0.5
/** The number of callers that are answered in one turn, because each then builds its response. */
const TOLD_AT_ONCE = 4

/** The extra methods of a long transaction. */
export interface LongSteps {
  pause(): Promise<void>
  attempt<Result>(step: () => Promise<Result>): Promise<Result>
  readAhead(): Promise<void>
}

export class BatchStatements {
  readonly db: Connection
  readonly begin: Statement
  readonly savepoint: Statement
  readonly release: Statement
  readonly undo: Statement
  readonly commit: Statement
  readonly rollback: Statement
  readonly beginStep: Statement
  readonly endStep: Statement
  readonly undoStep: Statement

  constructor(db: Connection) {
    this.db = db
    this.begin = db.prepare('BEGIN IMMEDIATE')
    this.savepoint = db.prepare('SAVEPOINT one')
    this.release = db.prepare('RELEASE one')
    this.undo = db.prepare('ROLLBACK TO one')
    this.commit = db.prepare('COMMIT')
    this.rollback = db.prepare('ROLLBACK')
    this.beginStep = db.prepare('SAVEPOINT step')
    this.endStep = db.prepare('RELEASE step')
    this.undoStep = db.prepare('ROLLBACK TO step')
  }
}

/** The state in memory that transactions change. */
export interface BatchMemory {
  /** Called before each transaction. */
  mark(): void
  /** Forgets changes in memory, after a rollback of one transaction or of the whole batch. */
  undo(what: { isWhole: boolean }): void
  /** Returns a function that restores the present state, for a step that is undone. */
  keep(): () => void
}

export class Batch {
  readonly #sql: BatchStatements
  readonly #memory: BatchMemory
  readonly #jobs: Job<LongSteps>[] = []
  /** Functions that settle the promises of the jobs, when all writes are durable. */
  readonly #outcomes: (() => void)[] = []

  constructor(sql: BatchStatements, memory: BatchMemory) {
    this.#sql = sql
    this.#memory = memory
  }

  /** The number of transactions. */
  get size(): number {
    return this.#jobs.length
  }

  /**
   * Takes jobs from `queue`, which has at least one job, and runs them in a few turns of the event loop. A long job runs
   * alone.
   * @throws a fault that fails all jobs
   */
  async run(queue: Job<LongSteps>[]): Promise<void> {
    const { db, begin } = this.#sql
    let left = BATCH_MILLISECONDS
    let began = performance.now()
    let job: Job<LongSteps>
    do {
      const time = performance.now() - began
      if (time > TURN_MILLISECONDS) {
        left -= time
        await nextTurn()
        began = performance.now()
      }
      job = queue.shift()!
      this.#jobs.push(job)
      if (this.size === 1) begin.run()
      this.#outcomes.push(await this.#runOne(job))
    } while (db.inTransaction && !job.isLong && queue[0]?.isLong === false && performance.now() - began < left)
    // After errors such as SQLITE_FULL, SQLite has already rolled back the whole batch.
    if (!db.inTransaction) throw new PimletError('UNAVAILABLE', 'The storage is full or not writable')
  }

  commit(): void {
    this.#sql.commit.run()
  }

  /** Settles the promises of the jobs, a few in each turn. */
  async settle(): Promise<void> {
    for (const [index, tell] of this.#outcomes.entries()) {
      if (index > 0 && index % TOLD_AT_ONCE === 0) await nextTurn()
      tell()
    }
  }

  /** Nothing was written, or the outcome is unknown: rejects every job. */
  fail(error: unknown): void {
    if (this.#sql.db.inTransaction) this.#sql.rollback.run()
    for (const { reject } of this.#jobs) reject(error)
  }

  /** Resolves to a function that settles the job's promise. */
  async #runOne(job: Job<LongSteps>): Promise<() => void> {
    const { db, savepoint, release, undo } = this.#sql
    savepoint.run()
    this.#memory.mark()
    try {
      const guard = new TransactionGuard(TURN_MILLISECONDS)
      const steps: LongSteps = {
        pause: () => guard.pause(),
        attempt: (step) => this.#attempt(step),
        readAhead: async () => undefined,
      }
      const result = await guard.run(() => job.run(steps))
      release.run()
      return () => job.resolve(result)
    } catch (error) {
      if (db.inTransaction) {
        undo.run()
        release.run()
      }
      this.#memory.undo({ isWhole: !db.inTransaction })
      return () => job.reject(translateError(error))
    } finally {
      job.end()
    }
  }

  async #attempt<Result>(step: () => Promise<Result>): Promise<Result> {
    const { db, beginStep, endStep, undoStep } = this.#sql
    // A later write would be a separate transaction.
    if (!db.inTransaction) throw new PimletError('UNAVAILABLE', 'The storage is full or not writable')
    const putBack = this.#memory.keep()
    beginStep.run()
    try {
      const result = await step()
      endStep.run()
      return result
    } catch (error) {
      if (db.inTransaction) {
        undoStep.run()
        endStep.run()
      }
      putBack()
      throw translateError(error)
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
