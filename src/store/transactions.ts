// The queue of waiting transactions, and two guards of a transaction, for the commit loops of both engines. The work of a
// transaction awaits only the transaction, and nobody uses the transaction after its end.
import { PimletError } from '../kernel/errors.ts'
import type { Transaction } from './port.ts'

/** A waiting transaction. An engine may run it more than once, with what `Given` names. */
export interface Job<Given> {
  readonly run: (given: Given) => Promise<unknown>
  /** Committed by itself, so that earlier transactions are not delayed. */
  readonly isLong: boolean
  /**
   * Called when the job is over, even if its work continues: later writes of this work must not get into another
   * transaction.
   */
  readonly end: () => void
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

interface SubmitOptions {
  /** The work may pause. */
  readonly isLong?: boolean
  readonly end?: () => void
}

export class CommitQueue<Given> {
  readonly jobs: Job<Given>[] = []
  readonly #assertOpen: () => void
  #isClosed = false
  #wake: () => void = () => undefined

  /** @param assertOpen throws while transactions are refused at once */
  constructor(assertOpen: () => void = () => undefined) {
    this.#assertOpen = assertOpen
  }

  /** Resolves when the writes of `work` are durable. */
  submit<Result>(
    work: (given: Given) => Promise<Result>,
    { isLong = false, end = () => undefined }: SubmitOptions = {},
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (this.#isClosed) throw new PimletError('UNAVAILABLE', 'The server is shutting down')
      this.#assertOpen()
      this.jobs.push({ run: work, isLong, end, resolve: resolve as (value: unknown) => void, reject })
      this.#wake()
    })
  }

  /**
   * Waits for a transaction. Resolves in a later turn of the event loop: requests that arrive meanwhile join the batch,
   * and reads can run.
   * @returns false: the queue is closed, and no transaction waits
   */
  async hasWaiting(): Promise<boolean> {
    while (this.jobs.length === 0 && !this.#isClosed) await new Promise<void>((resolve) => (this.#wake = resolve))
    if (this.jobs.length > 0) await new Promise((resolve) => setImmediate(resolve))
    return this.jobs.length > 0
  }

  /** Rejects the waiting transactions. */
  refuse(error: unknown): void {
    for (const { reject } of this.jobs.splice(0)) reject(error)
  }

  /** Refuses later transactions. */
  close(): void {
    this.#isClosed = true
    this.#wake()
  }
}

/**
 * The turns of the event loop that the work of a transaction takes. Work that awaits anything else would hold the
 * database, so it is refused.
 */
export class TransactionGuard {
  readonly #turnMilliseconds: number
  #waiting = 0
  #check: NodeJS.Immediate | undefined
  #began = performance.now()
  #fail: (error: Error) => void = () => undefined

  /** @param turnMilliseconds milliseconds that the work may run before `pause` lets other work run */
  constructor(turnMilliseconds: number) {
    this.#turnMilliseconds = turnMilliseconds
  }

  /** Runs `work`, which awaits only promises of `wait` and `pause`, and promises that resolve in the same turn. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#fail = reject
      this.#checkAfterTurn()
      work()
        .then(resolve, reject)
        .finally(() => clearImmediate(this.#check))
    })
  }

  async wait<Result>(asked: Promise<Result>): Promise<Result> {
    this.#waiting += 1
    clearImmediate(this.#check)
    try {
      return await asked
    } finally {
      this.#waiting -= 1
      if (this.#waiting === 0) this.#checkAfterTurn()
    }
  }

  /** Resolves in a later turn of the event loop if this turn has taken long enough. */
  async pause(): Promise<void> {
    if (performance.now() - this.#began < this.#turnMilliseconds) return
    await this.wait(new Promise((resolve) => setImmediate(resolve)))
    this.#began = performance.now()
  }

  /** Fails work that continues after this turn without a request to the transaction. */
  #checkAfterTurn(): void {
    clearImmediate(this.#check)
    this.#check = setImmediate(() =>
      this.#fail(new Error('A transaction awaited something other than its own methods')),
    )
  }
}

/** Replaces the repositories when the transaction is over. */
const NOTHING = new Proxy(
  {},
  {
    get() {
      throw new Error('A transaction was used after its end')
    },
  },
)

/** Returns the repositories of one transaction. After `end`, every use of them throws. */
export function openTransaction<Own extends Transaction>(repositories: Own): { tx: Own; end: () => void } {
  const tx = Object.create(repositories) as Own
  return { tx, end: () => void Object.setPrototypeOf(tx, NOTHING) }
}
