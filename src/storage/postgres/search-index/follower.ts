// The main thread's side of the search index: tells its thread of commits that noted something for it.
import type { Worker } from 'node:worker_threads'
import { startThread } from '../../../executable/assets.ts'
import type { PostgresLocation } from '../location.ts'
import type { FromIndexThread, PostgresIndexData, ToIndexThread } from './messages.ts'

const THREAD_MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 6 }
const RESTART_MILLISECONDS = 1000

export interface IndexFollowerOptions {
  readonly location: PostgresLocation
  readonly onFault: (message: string, error: unknown) => void
}

export class IndexFollower {
  readonly #options: IndexFollowerOptions
  #worker: Worker
  #advances = 0
  #seen = -1
  #isFailing = false
  #isClosed = false
  #restart: NodeJS.Timeout | undefined
  #waiting: { readonly target: number; readonly resolve: () => void }[] = []

  constructor(options: IndexFollowerOptions) {
    this.#options = options
    this.#worker = this.#start()
  }

  /** A commit noted something that is not indexed. */
  advance(): void {
    this.#advances += 1
    this.#post({ kind: 'advance', advances: this.#advances })
  }

  /** Resolves when everything is indexed that was noted before the call. */
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
    if (this.#worker.threadId === -1) return
    const ended = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()))
    this.#post({ kind: 'close' })
    await ended
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
    if (message.kind === 'failed') {
      if (!this.#isFailing)
        this.#options.onFault('The search index cannot be written: it is tried again', new Error(message.why))
      this.#isFailing = true
      return
    }
    this.#isFailing = false
    this.#seen = Math.max(this.#seen, message.advances)
    this.#release(this.#seen)
  }

  #release(seen: number): void {
    const done = this.#waiting.filter(({ target }) => target <= seen)
    this.#waiting = this.#waiting.filter(({ target }) => target > seen)
    for (const { resolve } of done) resolve()
  }

  #post(message: ToIndexThread): void {
    this.#worker.postMessage(message)
  }
}
