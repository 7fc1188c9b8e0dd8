// The server's side of one picture process: it takes one question at a time. A process that takes too long is killed.
import type { ChildProcess } from 'node:child_process'
import { PimletError } from '../../kernel/errors.ts'
import { startProcess } from '../../kernel/executable/assets.ts'
import { PICTURE_PROCESS } from '../../kernel/executable/process-roles.ts'
import {
  type Answer,
  type FromProcess,
  MAX_MEMORY,
  MAX_TIME,
  type Question,
  TOO_MUCH_MEMORY,
  TOO_MUCH_TIME,
  type ToProcess,
} from './questions.ts'

/** Milliseconds for a process to start, also on a busy machine. */
const START_TIME = 30_000
/** A process on a busy machine gets a third of a processor at least. A process that hangs does not stop itself. */
const PATIENCE = 3

/** The process ended before it answered. `message` follows "it": why, as far as is known. */
export class Ended extends Error {}

function notStarted(cause: unknown): never {
  const message = 'Pictures cannot be processed: their process does not start'
  throw new PimletError('UNAVAILABLE', message, { cause, retryAfter: 5 })
}

interface WorkerOptions {
  /** The executable puts native code there. */
  readonly dataDir: string
  /** Milliseconds of work for a question. */
  readonly maxTime?: number
  /** Called once where the process has no library for pictures. */
  readonly onFault: (message: string) => void
}

export class PictureWorker {
  readonly #process: ChildProcess
  readonly #maxTime: number
  readonly #ready = Promise.withResolvers<void>()
  readonly #ended = Promise.withResolvers<void>()
  #waiting: PromiseWithResolvers<Answer> | undefined
  #isOver = false
  #why: string | undefined

  constructor({ dataDir, maxTime = MAX_TIME, onFault }: WorkerOptions) {
    this.#maxTime = maxTime
    this.#process = startProcess(PICTURE_PROCESS, [dataDir])
    // Who asks waits for the answer; nobody waits for the start of an unused process.
    this.#ready.promise.catch(() => undefined)
    const over = (why: string): void => this.#end(this.#why ?? why)
    this.#process.on('message', (message: FromProcess) => {
      if (message.kind !== 'ready') return this.#waiting?.resolve(message)
      if (message.fault !== undefined) onFault(message.fault)
      this.#ready.resolve()
    })
    this.#process.once('error', (error) => over(`cannot be looked at: ${error.message}`))
    this.#process.once('exit', (code, signal) =>
      over(this.#reasonOf(code) ?? `ended its process (${signal ?? `status ${code}`})`),
    )
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** @throws Ended; UNAVAILABLE where the process does not start, which says nothing of the file */
  async ask(question: Question): Promise<Answer> {
    await this.#within(START_TIME, this.#ready.promise).catch(notStarted)
    this.#waiting = Promise.withResolvers()
    try {
      if (this.#isOver) throw new Ended(this.#why)
      const message: ToProcess = { ...question, maxTime: this.#maxTime }
      this.#process.send(message)
      return await this.#within(this.#maxTime * PATIENCE, this.#waiting.promise)
    } finally {
      this.#waiting = undefined
    }
  }

  /** Resolves when the process is gone. */
  async kill(why = 'was given up'): Promise<void> {
    this.#why ??= why
    this.#process.kill('SIGKILL')
    if (this.#process.pid === undefined) this.#end(why)
    await this.#ended.promise
  }

  async #within<Result>(milliseconds: number, promise: Promise<Result>): Promise<Result> {
    const timer = setTimeout(() => void this.kill(this.#reasonOf(TOO_MUCH_TIME)), milliseconds)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
    }
  }

  #reasonOf(status: number | null): string | undefined {
    if (status === TOO_MUCH_MEMORY) return `takes more than ${MAX_MEMORY / 1e6} MB of memory`
    return status === TOO_MUCH_TIME ? `takes longer than ${this.#maxTime / 1000} s` : undefined
  }

  #end(why: string): void {
    this.#isOver = true
    this.#why ??= why
    const error = new Ended(why)
    this.#ready.reject(error)
    this.#waiting?.reject(error)
    this.#ended.resolve()
  }
}
