// The only writer of records: a loop that takes waiting transactions in order and commits them together. The loop
// settles them when the commit is on the disk.
import { PimletError } from '../../kernel/errors.ts'
import { Batch, type BatchMemory, BatchStatements, type Job, type LongSteps } from './batch.ts'
import { type Connection, translateError } from './connection.ts'
import type { PendingChanges } from './pending-changes.ts'
import type { WriterNumbers } from './writer-numbers.ts'
import type { WrittenModel } from './written-model.ts'
import type { Wal } from './wal/wal.ts'

interface CommitLoopParts {
  readonly writer: Connection
  readonly wal: Wal
  readonly model: WrittenModel
  readonly numbers: WriterNumbers
  readonly changes: PendingChanges
  /** Receives the newest durable change. */
  readonly index: { advance(sequence: number): void }
  /** Called after each commit, when it is on the disk, with the number of its transactions. */
  readonly onCommit: readonly ((transactions: number) => void)[]
}

export class CommitLoop {
  readonly #parts: CommitLoopParts
  readonly #sql: BatchStatements
  readonly #queue: Job[] = []
  readonly #ended: Promise<void>
  #isClosed = false
  #wake: () => void = () => undefined

  constructor(parts: CommitLoopParts) {
    this.#parts = parts
    this.#sql = new BatchStatements(parts.writer)
    this.#ended = this.#run()
  }

  /** The number of transactions that wait for a batch. */
  get waiting(): number {
    return this.#queue.length
  }

  /**
   * Runs `work` alone; resolves when its writes are durable. `isLong`: the work may pause. `end` is called when the
   * work is over.
   */
  submit<Result>(
    work: (steps: LongSteps) => Promise<Result>,
    { isLong = false, end = (): void => undefined } = {},
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (this.#isClosed) {
        reject(new PimletError('UNAVAILABLE', 'The server is shutting down'))
        return
      }
      this.#queue.push({ run: work, isLong, end, resolve: resolve as (value: unknown) => void, reject })
      this.#wake()
    })
  }

  /** Waits for submitted transactions; refuses later ones. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#wake()
    await this.#ended
  }

  async #run(): Promise<void> {
    const { wal, model, numbers, changes, index, onCommit } = this.#parts
    const memory: BatchMemory = {
      mark: () => numbers.mark(),
      undo: (what) => {
        model.undo()
        numbers.undo(what)
      },
      keep: () => {
        const putBack = numbers.keep()
        return () => {
          model.undo()
          putBack()
        }
      },
    }
    while (await this.#hasWaiting()) {
      const batch = new Batch(this.#sql, memory)
      let end = (): void => undefined
      try {
        await wal.whenWritable()
        end = wal.begin()
        await batch.run(this.#queue)
        const newest = changes.newest()
        await wal.commit(() => batch.commit())
        for (const tell of onCommit) tell(batch.size)
        model.publish()
        index.advance(newest)
        await batch.settle()
      } catch (error) {
        this.#fail(batch, translateError(error))
      } finally {
        end()
      }
    }
  }

  /**
   * Waits for a transaction. Resolves in a later turn of the event loop: requests that arrive meanwhile join the batch,
   * and reads can run.
   * @returns false: the loop is closed, and no transaction waits
   */
  async #hasWaiting(): Promise<boolean> {
    while (this.#queue.length === 0 && !this.#isClosed) await new Promise<void>((resolve) => (this.#wake = resolve))
    if (this.#queue.length > 0) await new Promise((resolve) => setImmediate(resolve))
    return this.#queue.length > 0
  }

  #fail(batch: Batch, error: unknown): void {
    const { wal, model, numbers } = this.#parts
    batch.fail(error)
    model.abandon()
    numbers.undo({ isWhole: true })
    // No transaction could begin, so every waiting transaction is rejected.
    if (batch.size === 0) for (const { reject } of this.#queue.splice(0)) reject(error)
    if (error instanceof PimletError) wal.makeRoom()
  }
}
