// Manages the index thread from the main thread: announces commits that noted changes.
import type { Worker } from 'node:worker_threads'
import { PimletError } from '../../kernel/errors.ts'
import { startThread } from '../../kernel/executable/assets.ts'
import type { PostgresLocation } from '../location.ts'
import type { FromIndexThread, PostgresIndexData, ToIndexThread } from './messages.ts'

const THREAD_MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 6 }
const RESTART_MILLISECONDS = 1000
/** A connection may be lost at times, so only this many failures in a row are reported. */
const TOLD_FAILURES = 3

interface IndexFollowerOptions {
  readonly location: PostgresLocation
  readonly onFault: (message: string, error: unknown) => void
  /** Called when all noted changes are indexed; new attributes may have numbers now. */
  readonly onIdle: () => Promise<void>
}

/** Milliseconds from the start to the first check for changes left by other servers, unless a change is noted before. */
const LOOK_AFTER_MILLISECONDS = 10_000

export class IndexFollower {
  readonly #options: IndexFollowerOptions
  #worker: Worker | undefined
  #advances = 0
  #seen = -1
  #failures = 0
  #behind = 0
  #isClosed = false
  #restart: NodeJS.Timeout | undefined
  #waiting: { readonly target: number; readonly resolve: () => void }[] = []

  constructor(options: IndexFollowerOptions) {
    this.#options = options
    this.#restart = setTimeout(() => this.#begin(), LOOK_AFTER_MILLISECONDS).unref()
  }

  /** Number of noted changes that are not indexed, by the thread's last count. */
  get behind(): number {
    return this.#behind
  }

  /** Announces a commit that noted a change. */
  advance(): void {
    this.#advances += 1
    this.#begin()
    this.#post({ kind: 'advance', advances: this.#advances })
  }

  /** Resolves when all changes noted before the call are indexed. */
  async whenIndexed(): Promise<void> {
    this.advance()
    const target = this.#advances
    if (this.#isClosed) return
    await new Promise<void>((resolve) => this.#waiting.push({ target, resolve }))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#restart)
    this.#release(Infinity)
    const worker = this.#worker
    if (worker === undefined || worker.threadId === -1) return
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    this.#post({ kind: 'close' })
    await ended
  }

  #begin(): void {
    if (this.#isClosed || this.#worker !== undefined) return
    clearTimeout(this.#restart)
    this.#worker = this.#start()
  }

  #start(): Worker {
    const { location, onFault } = this.#options
    const data: PostgresIndexData = { role: 'databaseIndex', location }
    const worker = startThread(data, THREAD_MEMORY)
    worker.on('message', (message: FromIndexThread) => this.#receive(message))
    worker.on('error', (error) => onFault('The search index stopped and will be started again', error))
    worker.on('exit', () => {
      if (this.#isClosed) return
      this.#restart = setTimeout(() => {
        this.#worker = this.#start()
        this.#post({ kind: 'advance', advances: this.#advances })
      }, RESTART_MILLISECONDS)
    })
    return worker
  }

  #receive(message: FromIndexThread): void {
    if (message.kind === 'behind') {
      this.#behind = message.changes
      return
    }
    if (message.kind === 'failed') {
      this.#failures += 1
      if (this.#failures === TOLD_FAILURES)
        this.#options.onFault('The search index cannot be written: it is tried again', new Error(message.why))
      return
    }
    this.#failures = 0
    this.#behind = 0
    this.#seen = Math.max(this.#seen, message.advances)
    this.#release(this.#seen)
    const { onIdle, onFault } = this.#options
    // If the database does not answer, the next call tries again.
    onIdle().catch((error: unknown) => {
      if (!(error instanceof PimletError)) onFault('The search index could not be looked into', error)
    })
  }

  #release(seen: number): void {
    const done = this.#waiting.filter(({ target }) => target <= seen)
    this.#waiting = this.#waiting.filter(({ target }) => target > seen)
    for (const { resolve } of done) resolve()
  }

  #post(message: ToIndexThread): void {
    this.#worker?.postMessage(message)
  }
}
