// The thread that keeps the search index: follows the records while the main thread answers requests, and sees to the
// wals. A full disk it sits out; other faults end it, and the main thread starts another.
import { parentPort, workerData } from 'node:worker_threads'
import { PimletError } from '../../../kernel/errors.ts'
import { type Connection, isDamage, isPassing, openReader, translateError } from '../connection.ts'
import { findDamageIn } from '../integrity.ts'
import { removeIndex } from './index-tables.ts'
import { Indexer } from './indexer.ts'
import { Checkpoints } from '../wal/checkpoint.ts'
import type { FromIndexThread, IndexThreadData, ToIndexThread } from './messages.ts'

/** Milliseconds between checks: where it is not the index that is damaged, one is as good as many. */
const CHECK_INTERVAL = 60_000
/** From a write that found no room to the next try; twice as long after each that follows at once, up to the second. */
const RETRY_MILLISECONDS = 500
const MAX_RETRY_MILLISECONDS = 5000
/** For the records, each of which is read once: the index has a cache of its own. */
const KIBIBYTES_OF_CACHE = 2048

export function runIndexThread(): void {
  const thread = new IndexThread(workerData as IndexThreadData)
  parentPort!.on('message', (message: ToIndexThread) => thread.receive(message))
  thread.start()
}

class IndexThread {
  readonly #indexFile: string
  readonly #reader: Connection
  readonly #indexer: Indexer
  readonly #checkpoints: Checkpoints
  #isWorking = false
  #isClosing = false
  #isClosed = false
  #isOverwriting = false
  #retryAfter = RETRY_MILLISECONDS
  #checkedAt = -CHECK_INTERVAL
  #wake: () => void = () => undefined

  constructor({ databaseFile, indexFile, isDamaged, wal }: IndexThreadData) {
    this.#indexFile = indexFile
    this.#reader = openReader(databaseFile)
    this.#reader.pragma(`cache_size = -${KIBIBYTES_OF_CACHE}`)
    const indexer = new Indexer(this.#reader, indexFile, isDamaged)
    this.#indexer = indexer
    this.#checkpoints = new Checkpoints({ databaseFile, port: wal, index: indexer, onNeed: () => this.#run() })
  }

  start(): void {
    this.#postProgress()
    this.#run()
  }

  receive(message: ToIndexThread): void {
    if (message.kind === 'check') {
      this.#check()
    } else {
      if (message.kind === 'overwrite') this.#isOverwriting = true
      if (message.kind === 'close') {
        this.#isClosing = true
        this.#checkpoints.end()
        this.#wake()
      }
      this.#run()
    }
  }

  #run(): void {
    // A fault ends the thread with its error; the main thread starts another.
    this.#work().catch((error: unknown) => {
      if (!isDamage(error) && !(translateError(error) instanceof PimletError)) post({ kind: 'damaged' })
      setImmediate(() => {
        if (isDamage(error)) this.#removeDamagedIndex()
        throw error
      })
    })
  }

  async #work(): Promise<void> {
    if (this.#isWorking || this.#isClosed) return
    this.#isWorking = true
    try {
      while (!this.#isClosing && ((await this.#step()) || this.#checkpoints.isRoomNeeded))
        await new Promise((resolve) => setImmediate(resolve))
      if (!this.#isClosing) {
        this.#postProgress()
        post({ kind: 'idle' })
      }
    } finally {
      this.#isWorking = false
    }
    if (this.#isClosing) this.#close()
  }

  /** Resolves to whether there may be more to do. */
  async #step(): Promise<boolean> {
    try {
      if (this.#checkpoints.isRoomNeeded) await this.#checkpoints.makeRoom()
      const isMore = this.#indexer.step()
      if (isMore) this.#postProgress()
      await this.#checkpoints.moveLarge()
      if (this.#isOverwriting) return (await this.#overwrite()) || isMore
      this.#retryAfter = RETRY_MILLISECONDS
      return isMore
    } catch (error) {
      if (!isPassing(error)) throw error
      post({ kind: 'stalled', why: (error as Error).message })
      await this.#waitForRoom()
      return true
    }
  }

  /** Resolves to whether there is more to overwrite. */
  async #overwrite(): Promise<boolean> {
    if (this.#indexer.overwriteSome()) return true
    const isWhole = await this.#checkpoints.empty()
    this.#isOverwriting = false
    post({ kind: 'overwritten', isWhole })
    return false
  }

  async #waitForRoom(): Promise<void> {
    this.#checkpoints.needRoom()
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#retryAfter)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#retryAfter = Math.min(this.#retryAfter * 2, MAX_RETRY_MILLISECONDS)
  }

  #close(): void {
    this.#isClosed = true
    this.#indexer.close()
    this.#reader.close()
    this.#checkpoints.close()
    parentPort!.close()
  }

  #check(): void {
    if (this.#isClosed || performance.now() - this.#checkedAt < CHECK_INTERVAL) return
    this.#removeDamagedIndex()
    this.#checkedAt = performance.now()
    post({ kind: 'sound' })
  }

  #removeDamagedIndex(): void {
    const [damage] = findDamageIn(this.#indexFile)
    if (damage === undefined) return
    this.#isClosed = true
    this.#indexer.abandon()
    removeIndex(this.#indexFile)
    throw new Error(`The search index is damaged and is being rebuilt: ${damage}`)
  }

  #postProgress(): void {
    post({ kind: 'progress', ...this.#indexer.progress })
  }
}

function post(message: FromIndexThread): void {
  parentPort!.postMessage(message)
}
