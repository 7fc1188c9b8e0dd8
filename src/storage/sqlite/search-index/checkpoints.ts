// Moves the write-ahead logs into their databases, in the index thread, so that no request waits for that.
import {
  beginLog,
  type Connection,
  hasRoomToMoveLog,
  isPassing,
  moveLog,
  restartLog,
  sizeOfLog,
} from '../connection.ts'
import type { Indexer } from './indexer.ts'
import type { FromIndexThread } from './messages.ts'

/** Bytes in use at which the log of the records starts again. */
const CHECKPOINT_BYTES = 16 * 1024 * 1024
/** More bytes until that is tried again, where a reader of an old snapshot prevented it. */
const RETRY_BYTES = 4 * 1024 * 1024
/** Bytes of the index's log that are not in its database yet; its pages change again and again meanwhile. */
const INDEX_CHECKPOINT_BYTES = 64 * 1024 * 1024

export interface CheckpointDeps {
  /** To the database of the records, and to nothing else. */
  readonly db: Connection
  readonly indexer: Indexer
  readonly post: (message: FromIndexThread) => void
}

export class Checkpoints {
  readonly #deps: CheckpointDeps
  #restartAt = CHECKPOINT_BYTES
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
    const { db, indexer } = this.#deps
    const { used } = sizeOfLog(db)
    if (used > this.#restartAt) {
      const isRestarted = await this.#restartLog()
      this.#restartAt = isRestarted ? CHECKPOINT_BYTES : used + RETRY_BYTES
    }
    if (indexer.unmovedLog > INDEX_CHECKPOINT_BYTES) indexer.moveLog()
  }

  /**
   * For a full disk, as far as that goes: the log of the index gives its room back, and that of the records begins anew,
   * so that the next commits find room in it. What cannot be moved stays in the logs: whoever had taken the room may have gone
   * meanwhile, and what there is now is for commits.
   */
  async makeRoom(): Promise<void> {
    const { db, indexer } = this.#deps
    await orPass(() => indexer.shrinkLog())
    await orPass(() => (sizeOfLog(db).used > 0 && hasRoomToMoveLog(db) ? this.#restartLog() : undefined))
  }

  /** Resolves to whether the log starts again. */
  async #restartLog(): Promise<boolean> {
    const { db, post } = this.#deps
    // Most of it while others write, so that they wait for the small rest only.
    moveLog(db)
    post({ kind: 'restartLog' })
    await new Promise<void>((resolve) => (this.#onWritersWait = resolve))
    try {
      const isRestarted = restartLog(db)
      // Else the main thread would wait for the disk, and every request with it.
      if (isRestarted) beginLog(db)
      return isRestarted
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
