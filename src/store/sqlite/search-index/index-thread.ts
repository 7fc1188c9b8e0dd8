// Runs the search index in a thread: follows the records while the main thread serves requests, and maintains the WAL
// files. The thread waits while the disk is full. Other faults end the thread, and the main thread starts another.
import { parentPort, workerData } from 'node:worker_threads'
import { PimletError } from '../../../kernel/errors.ts'
import { type Connection, isDamage, isPassing, openReader, translateError } from '../connection.ts'
import { findDamageIn } from '../integrity.ts'
import { removeIndex } from './index-tables.ts'
import { Indexer } from './indexer.ts'
import { Checkpoints } from '../wal/checkpoint.ts'
import type { FromIndexThread, IndexThreadData, ToIndexThread } from './messages.ts'

/** Milliseconds between checks. If something other than the index is damaged, frequent checks would be useless. */
const CHECK_INTERVAL = 60_000
/**
 * Milliseconds from a write without space to the next attempt. Each further failure doubles the delay, up to the second
 * constant.
 */
const RETRY_MILLISECONDS = 500
const MAX_RETRY_MILLISECONDS = 5000

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
    // A fault ends the thread with its error, and the main thread starts another.
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

  /** Resolves to whether more work may be left. */
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

  /** Resolves to whether more remains must be overwritten. */
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
