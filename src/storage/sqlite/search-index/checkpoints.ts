// Moves the write-ahead logs into their databases, in the index thread, so that no request waits for that.
import { statSync } from 'node:fs'
import { type Connection, isPassing, restartLog } from '../connection.ts'
import type { Indexer } from './indexer.ts'
import type { FromIndexThread, IndexThreadData } from './messages.ts'

/** Logs are moved at this size; pages of the index change again and again meanwhile. */
const CHECKPOINT_BYTES = 16 * 1024 * 1024
const INDEX_CHECKPOINT_BYTES = 64 * 1024 * 1024

export interface CheckpointDeps extends Pick<IndexThreadData, 'databaseFile' | 'indexFile'> {
  /** To the database of the records, and to nothing else. */
  readonly db: Connection
  readonly indexer: Indexer
  readonly post: (message: FromIndexThread) => void
}

export class Checkpoints {
  readonly #deps: CheckpointDeps
  #onWritersWait: (() => void) | undefined

  constructor(deps: CheckpointDeps) {
    this.#deps = deps
  }

  /** The main thread begins no commit, or does not care any more. */
  writersWait(): void {
    this.#onWritersWait?.()
  }

  /** What has become large. @throws the storage's error */
  async moveLarge(): Promise<void> {
    const { databaseFile, indexFile, indexer } = this.#deps
    if (sizeOfLog(databaseFile) > CHECKPOINT_BYTES) await this.#restartLog()
    if (sizeOfLog(indexFile) > INDEX_CHECKPOINT_BYTES) indexer.checkpoint()
  }

  /**
   * For a full disk, as far as that goes: the log of the index gives its room back, and that of the records begins anew,
   * so that the next commits find room in it. What cannot be moved stays in the logs.
   */
  async makeRoom(): Promise<void> {
    const { databaseFile, indexFile, indexer } = this.#deps
    await orPass(() => sizeOfLog(indexFile) > 0 && indexer.shrinkLog())
    await orPass(() => (sizeOfLog(databaseFile) > 0 ? this.#restartLog() : undefined))
  }

  async #restartLog(): Promise<void> {
    const { db, post } = this.#deps
    // Most of it while others write, so that they wait for the small rest only.
    db.pragma('wal_checkpoint(PASSIVE)')
    post({ kind: 'restartLog' })
    await new Promise<void>((resolve) => (this.#onWritersWait = resolve))
    try {
      restartLog(db)
    } finally {
      post({ kind: 'logRestarted' })
    }
  }
}

async function orPass(work: () => unknown): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isPassing(error)) throw error
  }
}

function sizeOfLog(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
}
