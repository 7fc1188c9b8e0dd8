// The write-ahead log of the records, for the commit loop. A commit is visible and acknowledged only when it is on the
// disk. The log does not grow without limit.
import { statSync } from 'node:fs'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { PimletError } from '../../../kernel/errors.ts'
import type { Connection } from '../connection.ts'
import type { FromCheckpoints, ToCheckpoints } from './checkpoint.ts'
import type { ReadView } from './read-view.ts'
import { WalSync } from './sync.ts'
import { emptyWal } from './wal-file.ts'

/** Milliseconds in which room on a full disk is made only once, for any number of failed writes. */
const ROOM_MILLISECONDS = 1000

export interface Wal {
  /**
   * True: a sync has failed. The system may report a later sync as successful although pages are lost. So nothing is
   * written any more, and the next start reads the disk.
   */
  readonly isBroken: boolean
  /** Resolves when a transaction may begin. @throws UNAVAILABLE if the wal is broken */
  whenWritable(): Promise<void>
  /**
   * Begins a transaction, at once after `whenWritable` has resolved. @returns a function that reports the end of the
   * transaction
   */
  begin(): () => void
  /**
   * Calls `write`, which commits. Resolves when the commit is durable and readers see it. One commit at a time.
   * @throws errors of `write`
   * @throws UNAVAILABLE if the commit may be lost
   */
  commit(write: () => void): Promise<void>
  /** Makes the wals release room soon, on a full disk. */
  makeRoom(): void
  /** Returns the size of the wal's file. */
  bytes(): number
  /** Moves the wal into the database, after all writers and readers have ended. */
  close(): void
}

interface WalOptions {
  /** The connection that writes with `synchronous=NORMAL`, and runs no checkpoints by itself. */
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
  /** The main thread's end of the channel to `Checkpoints`. */
  #port: MessagePort | undefined
  /** Resolves when no commit is under way to the disk. */
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

  /** Returns a port for `Checkpoints` in a new thread, after the previous thread has ended. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    port1.on('message', (message: FromCheckpoints) => {
      if (message === 'restart') void this.#pauseWriters(port1)
      else this.#endPause()
    })
    // Nobody waits for a dead thread.
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

  /** Lets no further commit begin, and waits for the commit under way. A long commit takes many turns of the event loop. */
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
