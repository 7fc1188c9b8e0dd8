// Manages the index thread from the main thread: announces commits, tracks the progress, and slows writers down when
// the index falls behind. A search judges records that are not indexed yet, so these must be few.
import path from 'node:path'
import type { MessagePort, Worker } from 'node:worker_threads'
import { startThread } from '../../../kernel/executable/assets.ts'
import { WriterThrottle } from '../writer-throttle.ts'
import type { FromIndexThread, IndexThreadData, ToIndexThread } from './messages.ts'

/** A limit makes Node collect garbage sooner. The largest records need far less memory. */
const THREAD_MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 6 }
/** Deferrable work waits while more changes than this are not indexed, so that it does not slow down other writers. */
const CALM_BEHIND = 1500
/**
 * Milliseconds from a fault to the next attempt. Each further fault in a row doubles the delay, up to the second
 * constant.
 */
const RESTART_MILLISECONDS = 1000
const MAX_RESTART_MILLISECONDS = 60_000
/** The longest delay while no index exists and searches wait. */
const MAX_REOPEN_MILLISECONDS = 8000

interface IndexFollowerOptions {
  readonly databaseFile: string
  /** Connects the thread, which also maintains the WAL files, to the main thread's `Wal`. */
  readonly connectWal: () => MessagePort
  readonly onFault: (message: string, error: unknown) => void
  /** Called when the index contains everything up to `sequence`, and rebuilds nothing. */
  readonly onIndexed: (sequence: number) => void
  /** Called when the index file is ready, and again after each new file. */
  readonly onReady: () => void
  /** Called when the index file could not be opened or made, for example on a full disk. The thread tries again. */
  readonly onMissing: () => void
}

export function indexFileOf(databaseFile: string): string {
  return path.join(path.dirname(databaseFile), 'search-index.db')
}

export class IndexFollower {
  readonly #options: IndexFollowerOptions
  readonly #throttle = new WriterThrottle({
    behind: () => this.behind,
    isFree: () => this.#isRebuilding || !this.#isRunning,
    now: () => performance.now(),
  })
  #worker: Worker
  #committed = 0
  #indexed = -1
  #isRebuilding = true
  #isIdle = false
  #isClosed = false
  #isRunning = false
  #isDamaged = false
  #isStalled = false
  #restartAfter = RESTART_MILLISECONDS
  #waiting: { readonly isOver: () => boolean; readonly resolve: () => void }[] = []
  #restart: NodeJS.Timeout | undefined
  #onOverwritten: (isWhole: boolean) => void = () => undefined
  #overwriting: Promise<boolean> | undefined
  #nextOverwriting: Promise<boolean> | undefined

  constructor(options: IndexFollowerOptions) {
    this.#options = options
    this.#worker = this.#start()
  }

  /** Number of changes that are committed but not indexed. */
  get behind(): number {
    return Math.max(0, this.#committed - this.#indexed)
  }

  /** Number of transactions that wait for the index. */
  get waiting(): number {
    return this.#throttle.waiting
  }

  /** @param sequence the newest committed change */
  advance(sequence: number): void {
    if (sequence === this.#committed) return
    this.#throttle.noteChanges(sequence - this.#committed)
    this.#committed = sequence
    if (!this.#isIdle) return
    this.#isIdle = false
    this.#throttle.noteBusy()
    this.#post({ kind: 'advance' })
  }

  /** Resolves when the next transaction may begin, in the order of the calls; undefined: at once. */
  turn(): Promise<void> | undefined {
    return this.#throttle.turn()
  }

  /** Resolves when the index is close enough for a deferrable write. */
  async whenCalm(): Promise<void> {
    const isCalm = (): boolean => this.behind <= CALM_BEHIND || this.#isRebuilding || !this.#isRunning
    if (!isCalm()) await this.#when(isCalm)
  }

  /** Resolves when the index contains everything that is committed now. */
  async whenIndexed(): Promise<void> {
    const target = this.#committed
    await this.#when(() => this.#indexed >= target && !this.#isRebuilding)
  }

  /** Overwrites remains of deleted rows in the index and the WAL files. Resolves to false if a reader prevented this. */
  async overwrite(): Promise<boolean> {
    // A running overwrite may have passed rows deleted since. Calls during a running overwrite share the next one.
    const after = this.#overwriting?.catch(() => false)
    this.#nextOverwriting ??= (async () => {
      await after
      this.#overwriting = this.#nextOverwriting
      this.#nextOverwriting = undefined
      return this.#overwriteNow()
    })()
    return this.#nextOverwriting
  }

  /** Checks the index after a search found damage; a damaged index is rebuilt. */
  check(): void {
    this.#post({ kind: 'check' })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#restart)
    this.#throttle.close()
    this.#release()
    const ended = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()))
    if (this.#worker.threadId === -1) return
    this.#post({ kind: 'close' })
    await ended
  }

  #start(): Worker {
    const { databaseFile, connectWal } = this.#options
    const indexFile = indexFileOf(databaseFile)
    const wal = connectWal()
    const workerData: IndexThreadData = { role: 'index', databaseFile, indexFile, isDamaged: this.#isDamaged, wal }
    const worker = startThread(workerData, THREAD_MEMORY, [wal])
    let isReady = false
    worker.once('message', () => {
      isReady = true
      this.#options.onReady()
    })
    worker.on('message', (message: FromIndexThread) => this.#receive(message))
    worker.on('error', (error) => this.#options.onFault('The search index stopped and will be started again', error))
    worker.on('exit', () => {
      this.#onOverwritten(false)
      if (this.#isClosed) return
      if (!isReady) this.#options.onMissing()
      this.#isIdle = false
      this.#isRunning = false
      this.#release()
      this.#restart = setTimeout(() => (this.#worker = this.#start()), this.#restartAfter)
      const longest = isReady ? MAX_RESTART_MILLISECONDS : MAX_REOPEN_MILLISECONDS
      this.#restartAfter = Math.min(this.#restartAfter * 2, longest)
    })
    return worker
  }

  #receive(message: FromIndexThread): void {
    if (message.kind === 'damaged') {
      this.#isDamaged = true
    } else if (message.kind === 'stalled') {
      this.#stall(message.why)
    } else if (message.kind === 'overwritten') {
      this.#onOverwritten(message.isWhole)
    } else if (message.kind === 'sound') {
      const error = new Error('A search met damage, and the index has none: check the database with pimlet doctor')
      this.#options.onFault(error.message, error)
    } else if (message.kind === 'progress') {
      this.#isRunning = true
      const indexed = this.#indexed < 0 ? 0 : message.sequence - this.#indexed
      this.#indexed = message.sequence
      this.#committed = Math.max(this.#committed, message.sequence)
      this.#isRebuilding = message.rebuilds.length > 0
      this.#options.onIndexed(message.sequence)
      this.#throttle.noteIndexed(indexed)
      this.#release()
    } else if (this.#indexed < this.#committed) {
      this.#post({ kind: 'advance' })
    } else {
      this.#isIdle = true
      this.#throttle.noteIdle()
      this.#isStalled = false
      this.#isDamaged = false
      this.#restartAfter = RESTART_MILLISECONDS
    }
  }

  async #overwriteNow(): Promise<boolean> {
    await this.whenIndexed()
    if (this.#isClosed || !this.#isRunning) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#onOverwritten = resolve
    this.#post({ kind: 'overwrite' })
    return promise
  }

  /** Lets writers continue, because an index that cannot be written would block them. */
  #stall(why: string): void {
    if (!this.#isStalled) this.#options.onFault('The search index cannot be written: it is tried again', new Error(why))
    this.#isStalled = true
    this.#isRunning = false
    this.#release()
  }

  #when(isOver: () => boolean): Promise<void> {
    if (isOver() || this.#isClosed) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push({ isOver, resolve }))
  }

  #release(): void {
    this.#throttle.release()
    const isFree = ({ isOver }: { isOver: () => boolean }): boolean => this.#isClosed || isOver()
    const freed = this.#waiting.filter(isFree)
    this.#waiting = this.#waiting.filter((waiting) => !freed.includes(waiting))
    for (const { resolve } of freed) resolve()
  }

  #post(message: ToIndexThread): void {
    this.#worker.postMessage(message)
  }
}
