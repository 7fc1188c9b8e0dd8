// The only writer of a server: a loop that takes waiting transactions in order and commits them together. The loop
// settles them when the database has committed.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommitQueue } from '../store/transactions.ts'
import { Batch, type CommitMark, wasCommitted } from './batch.ts'
import type { ModelCache } from './committed-model.ts'
import type { Connection } from './connection.ts'
import { isWorthAgain, translateError } from './postgres-errors.ts'
import type { Availability } from './availability.ts'
import type { FlushIndex } from './search-index/flush-index.ts'
import type { Transacting } from './transacting.ts'

interface CommitLoopParts {
  /** Opens a connection for writing, when the previous connection is unusable. */
  readonly connect: () => Promise<Connection>
  /** The first connection, which is open already; the loop closes it. */
  readonly first?: Connection | undefined
  readonly models: ModelCache
  readonly index: FlushIndex
  /** While the database is away, transactions are refused at once. */
  readonly availability: Availability
  /** Called after each commit with the number of its transactions, and its name in the database. */
  readonly onCommit?: ((transactions: number, name: string) => void) | undefined
}

/** The most runs of a batch that conflicts with another transaction. */
const MOST_TRIES = 5
/**
 * Time to ask about a COMMIT without an answer. A database that restarts after a fault can then report whether the
 * COMMIT succeeded.
 */
const MILLISECONDS_TO_LEARN = 10_000
const MILLISECONDS_BETWEEN_TRIES = 200
/** Also forgets the marks of servers that died long ago. */
const FORGET = `DELETE FROM commit_mark WHERE server = $1 OR at < clock_timestamp() - interval '1 day'`

export class CommitLoop {
  /** Its transactions run as if no other transaction ran, once or more often. */
  readonly queue: CommitQueue<Transacting>
  readonly #parts: CommitLoopParts
  readonly #ended: Promise<void>
  /** The mark of the last batch. */
  #mark: CommitMark = { server: randomUUID(), batch: 0 }
  #connection: Connection | undefined
  #tries = 0
  /** The number of transactions that still get a separate batch, because one of them makes the common batch fail. */
  #apart = 0

  constructor(parts: CommitLoopParts) {
    this.#parts = parts
    this.queue = new CommitQueue(() => parts.availability.assertThere())
    this.#connection = parts.first
    this.#ended = this.#run()
  }

  /** Waits for submitted transactions; refuses later ones. */
  async close(): Promise<void> {
    this.queue.close()
    await this.#ended
    if (this.#mark.batch > 0) await this.#connection?.run(FORGET, [this.#mark.server]).catch(() => undefined)
    await this.#connection?.close()
  }

  async #run(): Promise<void> {
    while (await this.queue.hasWaiting()) {
      const connection = await this.#connect()
      if (connection === undefined) continue
      const most = this.#apart > 0 ? 1 : undefined
      this.#apart = Math.max(0, this.#apart - 1)
      this.#mark = { ...this.#mark, batch: this.#mark.batch + 1 }
      await this.#commitBatch(new Batch(connection, { ...this.#parts, mark: this.#mark }, most))
    }
  }

  /** Resolves to undefined if no connection can be opened: then every waiting transaction is rejected. */
  async #connect(): Promise<Connection | undefined> {
    try {
      if (this.#connection?.closed.aborted !== false) this.#connection = await this.#parts.connect()
      return this.#connection
    } catch (error) {
      this.queue.refuse(translateError(error))
      return undefined
    }
  }

  async #commitBatch(batch: Batch): Promise<void> {
    let isCommitting = false
    try {
      await batch.run(this.queue.jobs)
      isCommitting = true
      await batch.commit()
      this.#settle(batch)
    } catch (error) {
      if (isCommitting && batch.connection.closed.aborted) await this.#learnOf(batch, error)
      else await this.#undo(batch, error)
    }
  }

  #settle(batch: Batch): void {
    this.#tries = 0
    this.#parts.onCommit?.(batch.size, batch.transaction)
    batch.settle()
  }

  /** If no transaction has begun yet, the waiting transactions are tried again on another connection. */
  async #undo(batch: Batch, error: unknown): Promise<void> {
    const isLost = batch.connection.closed.aborted
    if (!isLost) await batch.connection.run('ROLLBACK').catch(() => undefined)
    const mayTryAgain = (isWorthAgain(error) || (isLost && batch.size === 0)) && this.#tries < MOST_TRIES
    this.#tries = mayTryAgain ? this.#tries + 1 : 0
    if (mayTryAgain) {
      batch.giveBack(this.queue.jobs)
      return
    }
    if (!isLost && batch.size > 1) {
      // One transaction of the batch wrote something that was refused: the others run again, each alone.
      this.#apart = batch.size
      batch.giveBack(this.queue.jobs)
      return
    }
    batch.fail(translateError(error))
    if (batch.size === 0) this.queue.refuse(translateError(error))
  }

  /** The answer to COMMIT was lost: no committed transaction may be reported as failed, and none may run twice. */
  async #learnOf(batch: Batch, error: unknown): Promise<void> {
    const end = performance.now() + MILLISECONDS_TO_LEARN
    for (let isKnown = false; !isKnown && performance.now() < end;) {
      try {
        this.#connection = await this.#parts.connect()
        if (await wasCommitted(this.#connection, this.#mark)) {
          this.#settle(batch)
          return
        }
        isKnown = true
      } catch (fault) {
        // The outcome is still unknown. Later transactions need not wait for the outcome.
        this.queue.refuse(translateError(fault))
        await this.#connection?.close()
        await sleep(MILLISECONDS_BETWEEN_TRIES)
      }
    }
    batch.fail(translateError(error))
  }
}
