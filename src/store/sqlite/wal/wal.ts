// The write-ahead log of the records, for the commit loop: a commit is visible and acknowledged only when it is on the
// disk, and the log does not grow for ever.
import { statSync } from 'node:fs'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { PimletError } from '../../../kernel/errors.ts'
import type { Connection } from '../connection.ts'
import type { FromCheckpoints, ToCheckpoints } from './checkpoint.ts'
import type { ReadView } from './read-view.ts'
import { WalSync } from './sync.ts'
import { emptyWal } from './wal-file.ts'

/** Milliseconds in which room on a full disk is made once, however many writes fail. */
const ROOM_MILLISECONDS = 1000

export interface Wal {
  /**
   * Whether a sync has failed. The system may report a later sync as successful although it lost pages: so nothing is
   * written any more, and a new start reads the disk.
   */
  readonly isBroken: boolean
  /** Resolves when a transaction may begin. @throws UNAVAILABLE where the wal is broken */
  whenWritable(): Promise<void>
  /**
   * Called at once when it has resolved: a transaction begins.
   * @returns a function that reports the end of the transaction
   */
  begin(): () => void
  /**
   * Calls `write`, which commits. Resolves when the commit is durable and readers see it. One commit at a time.
   * @throws errors of `write`
   * @throws UNAVAILABLE if the commit may be lost
   */
  commit(write: () => void): Promise<void>
  /** For a full disk: the wals give back room soon. */
  makeRoom(): void
  /** The size of its file. */
  bytes(): number
  /** Moves the wal into the database, when there are no writers and readers any more. */
  close(): void
}

interface WalOptions {
  /** Writes with `synchronous=NORMAL`, and moves nothing by itself. */
  readonly writer: Connection
  /** The view through which readers on this thread see the commits of `writer`. */
  readonly view: ReadView
  /** Called with faults that no caller waits for. */
  readonly onFault: (message: string, error: unknown) => void
}

/** A wal that is synced in the thread pool, and moved into the database in another thread (`checkpoint.ts`). */
export class SyncedWal implements Wal {
  readonly #options: WalOptions
  readonly #file: string
  readonly #sync: WalSync
  /** To the thread's end of it. */
  #port: MessagePort | undefined
  /** Resolves when nothing is under way to the disk. */
  #commit: Promise<void> = Promise.resolve()
  /** Resolves when no transaction is under way. */
  #underWay: Promise<void> = Promise.resolve()
  #pause: Promise<void> = Promise.resolve()
  #endPause: () => void = () => undefined
  #isBroken = false
  #madeRoomAt = -ROOM_MILLISECONDS

  constructor(options: WalOptions) {
    this.#options = options
    this.#file = `${options.writer.name}-wal`
    this.#sync = new WalSync(this.#file)
  }

  get isBroken(): boolean {
    return this.#isBroken
  }

  /** For `Checkpoints` in a thread that starts now: the one before is gone. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    port1.on('message', (message: FromCheckpoints) => {
      if (message === 'restart') void this.#pauseWriters(port1)
      else this.#endPause()
    })
    // A thread that died is not waited for.
    port1.on('close', () => {
      if (port1 === this.#port) this.#endPause()
    })
    port1.unref()
    this.#endPause()
    this.#port = port1
    return port2
  }

  async whenWritable(): Promise<void> {
    await this.#pause
    if (this.#isBroken)
      throw new PimletError('UNAVAILABLE', 'The storage has failed: nothing is written until a new start')
  }

  begin(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#underWay = promise
    return resolve
  }

  async commit(write: () => void): Promise<void> {
    const { view } = this.#options
    view.hold()
    try {
      write()
    } catch (error) {
      view.release()
      throw error
    }
    const synced = this.#sync.sync()
    this.#commit = synced.catch(() => undefined)
    try {
      await synced
    } catch (error) {
      // Readers never see commits that may be lost, not even later.
      this.#isBroken = true
      throw error
    }
    view.release()
  }

  makeRoom(): void {
    if (performance.now() - this.#madeRoomAt < ROOM_MILLISECONDS) return
    this.#madeRoomAt = performance.now()
    this.#post('makeRoom')
  }

  bytes(): number {
    return statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0
  }

  close(): void {
    this.#port?.close()
    this.#sync.close()
    const error = emptyWal(this.#options.writer)
    if (error !== undefined)
      this.#options.onFault('The wal could not be moved into the database, and is kept for the next start', error)
  }

  /** No commit begins from now on, and the commit under way ends first. A long commit takes many turns. */
  async #pauseWriters(port: MessagePort): Promise<void> {
    this.#pause = new Promise((resolve) => (this.#endPause = resolve))
    await this.#underWay
    await this.#commit
    if (port === this.#port) this.#post('writersWait')
  }

  #post(message: ToCheckpoints): void {
    this.#port?.postMessage(message)
  }
}
