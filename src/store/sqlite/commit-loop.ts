// The only writer of records: a loop that takes waiting transactions in order and commits them together. The loop
// settles them when the commit is on the disk.
import { PimletError } from '../../kernel/errors.ts'
import { CommitQueue } from '../transactions.ts'
import { Batch, type BatchMemory, BatchStatements, type LongSteps } from './batch.ts'
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
  readonly queue = new CommitQueue<LongSteps>()
  readonly #parts: CommitLoopParts
  readonly #sql: BatchStatements
  readonly #ended: Promise<void>

  constructor(parts: CommitLoopParts) {
    this.#parts = parts
    this.#sql = new BatchStatements(parts.writer)
    this.#ended = this.#run()
  }

  /** Waits for submitted transactions; refuses later ones. */
  async close(): Promise<void> {
    this.queue.close()
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
    while (await this.queue.hasWaiting()) {
      const batch = new Batch(this.#sql, memory)
      let end = (): void => undefined
      try {
        await wal.whenWritable()
        end = wal.begin()
        await batch.run(this.queue.jobs)
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

  #fail(batch: Batch, error: unknown): void {
    const { wal, model, numbers } = this.#parts
    batch.fail(error)
    model.abandon()
    numbers.undo({ isWhole: true })
    // No transaction could begin, so every waiting transaction is rejected.
    if (batch.size === 0) this.queue.refuse(error)
    if (error instanceof PimletError) wal.makeRoom()
  }
}
