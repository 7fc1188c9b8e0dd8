// Moves wals into their databases, in the index thread, so that no request waits. The indexer shares the loop of this
// thread. In another thread, checkpoints would make throttled writers also wait for a batch of the index.
import type { MessagePort } from 'node:worker_threads'
import { type Connection, isPassing, openWriter } from '../connection.ts'
import { beginWal, hasRoomToMoveWal, moveWal, restartWal, sizeOfWal } from './wal-file.ts'

/** Used bytes at which the wal of the records starts again from its beginning. */
const RESTART_BYTES = 16 * 1024 * 1024
/** Further bytes until the next try, after a reader of an old snapshot has prevented the restart. */
const RETRY_BYTES = 4 * 1024 * 1024
/** Bytes of the index's wal that may be missing in its database; many of its pages change repeatedly meanwhile. */
const INDEX_BYTES = 64 * 1024 * 1024

/** `restart`: the database contains nearly all of the wal, which can start again while no commit begins. */
export type FromCheckpoints = 'restart' | 'restarted'
/** `writersWait`: no commit begins before `restarted`. `makeRoom`: a commit found no room on the disk. */
export type ToCheckpoints = 'writersWait' | 'makeRoom'

interface CheckpointOptions {
  readonly databaseFile: string
  /** To the main thread's `Wal`. */
  readonly port: MessagePort
  /** The wal of the search index. */
  readonly index: {
    readonly unmovedWal: number
    moveWal(): void
    /** Shrinks the wal. @returns false: a reader prevented it */
    shrinkWal(): boolean
  }
  /** Called when work is due that must not wait for the next change. */
  readonly onNeed: () => void
}

export class Checkpoints {
  readonly #db: Connection
  readonly #port: MessagePort
  readonly #index: CheckpointOptions['index']
  #restartAt = RESTART_BYTES
  #needsRoom = false
  #isClosing = false
  #onWritersWait: () => void = () => undefined

  constructor({ databaseFile, port, index, onNeed }: CheckpointOptions) {
    this.#db = openWriter(databaseFile, { durable: true })
    this.#port = port
    this.#index = index
    port.on('message', (message: ToCheckpoints) => {
      if (message === 'writersWait') {
        this.#onWritersWait()
      } else {
        this.needRoom()
        onNeed()
      }
    })
  }

  /** True: the disk has too little room. */
  get isRoomNeeded(): boolean {
    return this.#needsRoom
  }

  /** Notes that the disk is full. */
  needRoom(): void {
    this.#needsRoom = true
  }

  /**
   * Frees room on a full disk, as far as possible. The wal of the index shrinks. The wal of the records restarts, so
   * that the next commits find room in it. Pages that cannot be moved stay in the wals: room that the disk gets
   * meanwhile is for commits.
   */
  async makeRoom(): Promise<void> {
    this.#needsRoom = false
    const db = this.#db
    await orPass(() => this.#index.shrinkWal())
    await orPass(() => (sizeOfWal(db).used > 0 && hasRoomToMoveWal(db) ? this.#restart() : undefined))
  }

  /**
   * Moves each wal that has become large.
   * @throws the storage's error
   */
  async moveLarge(): Promise<void> {
    const { used } = sizeOfWal(this.#db)
    if (used > this.#restartAt) {
      const isRestarted = await this.#restart()
      this.#restartAt = isRestarted ? RESTART_BYTES : used + RETRY_BYTES
    }
    if (this.#index.unmovedWal > INDEX_BYTES) this.#index.moveWal()
  }

  /**
   * Moves both wals and shrinks them, so that their old contents are deleted. Resolves to false if a reader prevented
   * it.
   */
  async empty(): Promise<boolean> {
    const isIndexEmpty = this.#index.shrinkWal()
    return (await this.#restart({ shrink: true })) && isIndexEmpty
  }

  /** Ends the wait for writers. */
  end(): void {
    this.#isClosing = true
    this.#onWritersWait()
  }

  close(): void {
    this.#db.close()
    this.#port.close()
  }

  /** Resolves to whether the wal starts again. */
  async #restart({ shrink = false } = {}): Promise<boolean> {
    // Most of the wal moves while writers continue, so that they wait for the small rest only.
    moveWal(this.#db)
    this.#post('restart')
    if (!this.#isClosing) await new Promise<void>((resolve) => (this.#onWritersWait = resolve))
    try {
      const isRestarted = restartWal(this.#db, { shrink })
      // Otherwise the main thread, and so every request, would wait for the disk.
      if (isRestarted) beginWal(this.#db)
      return isRestarted
    } finally {
      this.#post('restarted')
    }
  }

  #post(message: FromCheckpoints): void {
    this.#port.postMessage(message)
  }
}

async function orPass(work: () => unknown): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isPassing(error)) throw error
  }
}
