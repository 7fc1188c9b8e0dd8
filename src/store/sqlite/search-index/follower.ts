// The main thread's side of the search index: tells its thread of commits, knows how far it has come, and lets writers go
// at its pace when it falls behind (a search looks through what is not indexed yet).
import path from 'node:path'
import type { MessagePort, Worker } from 'node:worker_threads'
import { startThread } from '../../../kernel/executable/assets.ts'
import { WriterThrottle } from '../writer-throttle.ts'
import type { FromIndexThread, IndexThreadData, ToIndexThread } from './messages.ts'

/** With a limit in sight Node collects garbage sooner; it is many times what the largest records take. */
const THREAD_MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 6 }
/** Work that can wait does so while more changes than this are not indexed: nobody else is let in more slowly because of it. */
const CALM_BEHIND = 1500
/** From a fault to the next try; twice as long after each that follows at once, up to the second. */
const RESTART_MILLISECONDS = 1000
const MAX_RESTART_MILLISECONDS = 60_000
/** The same where there is no index yet, and searches wait for it. */
const MAX_REOPEN_MILLISECONDS = 8000

export interface IndexFollowerOptions {
  readonly databaseFile: string
  /** The thread sees to the wals as well: its end of what it says to `Wal` about them. */
  readonly connectWal: () => MessagePort
  readonly onFault: (message: string, error: unknown) => void
  /** The index has everything up to `sequence` and makes nothing anew. */
  readonly onIndexed: (sequence: number) => void
  /** The index file is there: a new one each time the thread had to make one. */
  readonly onReady: () => void
  /** The index file could not be opened or made, as on a full disk. It is tried again. */
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

  /** Changes that are committed and not indexed. */
  get behind(): number {
    return Math.max(0, this.#committed - this.#indexed)
  }

  /** Transactions that wait for the index. */
  get waiting(): number {
    return this.#throttle.waiting
  }

  /** `sequence`: the newest change that is committed. */
  advance(sequence: number): void {
    if (sequence === this.#committed) return
    this.#throttle.noteChanges(sequence - this.#committed)
    this.#committed = sequence
    if (!this.#isIdle) return
    this.#isIdle = false
    this.#throttle.noteBusy()
    this.#post({ kind: 'advance' })
  }

  /** Resolves when the next transaction may be made, in the order of the calls; undefined: at once. */
  turn(): Promise<void> | undefined {
    return this.#throttle.turn()
  }

  /** Resolves while the index is near enough for a write that can wait. */
  async whenCalm(): Promise<void> {
    const isCalm = (): boolean => this.behind <= CALM_BEHIND || this.#isRebuilding || !this.#isRunning
    if (!isCalm()) await this.#when(isCalm)
  }

  /** Resolves when the index holds everything that is committed now. */
  async whenIndexed(): Promise<void> {
    const target = this.#committed
    await this.#when(() => this.#indexed >= target && !this.#isRebuilding)
  }

  /** Overwrites what deleted rows have left in the index and in the wals; resolves to whether no reader prevented it. */
  async overwrite(): Promise<boolean> {
    // One that goes on may have passed what was deleted since: those that come meanwhile share the next one.
    const after = this.#overwriting?.catch(() => false)
    this.#nextOverwriting ??= (async () => {
      await after
      this.#overwriting = this.#nextOverwriting
      this.#nextOverwriting = undefined
      return this.#overwriteNow()
    })()
    return this.#nextOverwriting
  }

  /** A search found damage: an index that is damaged is made anew. */
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

  /** Writers do not wait for an index that cannot be written. */
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
