// Transactions that wait for the only writer of a server, in order: for the commit loop of each engine.
import { PimletError } from '../kernel/errors.ts'

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
  async submit<Result>(
    work: (given: Given) => Promise<Result>,
    { isLong = false, end = () => undefined }: SubmitOptions = {},
  ): Promise<Result> {
    if (this.#isClosed) throw new PimletError('UNAVAILABLE', 'The server is shutting down')
    this.#assertOpen()
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    this.jobs.push({ run: work, isLong, end, resolve: resolve as (value: unknown) => void, reject })
    this.#wake()
    return promise
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
