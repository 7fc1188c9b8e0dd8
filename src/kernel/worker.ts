// Threads and their messages: the main thread begins a task and asks for each of its steps, so a thread never works ahead.
// Several tasks of one thread take turns.
import { parentPort, type ResourceLimits, type Transferable, type Worker } from 'node:worker_threads'
import { type ErrorCode, PimletError } from './errors.ts'
import { startThread } from './executable/assets.ts'

/** One step of a task. */
export interface Step<Part> {
  readonly part?: Part
  /** Whether this part is the last of its task. */
  readonly isLast: boolean
}

/** An error, in a form that a message can carry. */
interface Failure {
  readonly code: ErrorCode
  readonly message: string
  /** The task met a damaged page. */
  readonly isDamage?: boolean
}

type ToTasks<Task> =
  | { readonly kind: 'start'; readonly id: number; readonly task: Task }
  | { readonly kind: 'next' | 'stop'; readonly id: number }
  | { readonly kind: 'close' }

type FromTasks<Part, News> =
  | { readonly kind: 'step'; readonly id: number; readonly step: Step<Part> }
  | { readonly kind: 'news'; readonly id: number; readonly news: News }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure }

interface ThreadOptions {
  /** `role` says which code it loads (`src/thread.ts`). */
  readonly data: { readonly role: string }
  readonly limits: ResourceLimits
  /** Messages for tasks of a thread that ended; `outOfMemory`: it exceeded its memory limit. */
  readonly interrupted: string
  readonly outOfMemory?: string
  /** An error ends the thread. */
  readonly onFault: (error: unknown, isOutOfMemory: boolean) => void
  readonly onEnd?: () => void
  readonly onDamage?: () => void
  /** Ends the thread with its tasks. */
  readonly signal?: AbortSignal
  /** Milliseconds for the thread to end by itself; default: no limit. */
  readonly grace?: number
  /** Schedules the work that messages cause, for example one part in each turn of the event loop. */
  readonly spread?: (work: () => void) => void
}

interface OpenTask<Part, News> {
  readonly onNews: ((news: News) => void) | undefined
  readonly close: () => void
  waiting: PromiseWithResolvers<Step<Part>> | undefined
}

interface TaskSettings<News> {
  /** Stops the task and rejects open requests with its reason; default: the signal of the thread. */
  readonly signal?: AbortSignal | undefined
  readonly onNews?: ((news: News) => void) | undefined
}

export interface ThreadTask<Part> {
  /** @throws errors of the task, UNAVAILABLE if the thread ends, and the signal's reason */
  next(): Promise<Step<Part>>
  /** Call this when no more steps are wanted. */
  readonly stop: () => void
}

/** A thread that runs `serveTasks`. */
export class TaskThread<Task, Part, News = never> {
  /** Resolves when the thread is gone. */
  readonly ended: Promise<void>
  readonly #options: ThreadOptions
  readonly #worker: Worker
  readonly #tasks = new Map<number, OpenTask<Part, News>>()
  #newestId = 0
  #isOver = false
  #why: string
  #grace: NodeJS.Timeout | undefined

  constructor(options: ThreadOptions) {
    const { data, limits, interrupted, signal, spread = (work) => work() } = options
    this.#options = options
    this.#why = interrupted
    this.#worker = startThread(data, limits)
    this.#worker.on('message', (message: FromTasks<Part, News>) => spread(() => this.#hear(message)))
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      const isOutOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      if (isOutOfMemory) this.#why = options.outOfMemory ?? interrupted
      options.onFault(error, isOutOfMemory)
    })
    const abort = (): void => void this.end()
    const exited = Promise.withResolvers<void>()
    this.ended = exited.promise
    this.#worker.once('exit', () => {
      this.#isOver = true
      clearTimeout(this.#grace)
      signal?.removeEventListener('abort', abort)
      options.onEnd?.()
      spread(() => this.fail(this.#interrupted()))
      exited.resolve()
    })
    signal?.addEventListener('abort', abort, { once: true })
  }

  /** Tasks that are neither over nor stopped. */
  get tasks(): number {
    return this.#tasks.size
  }

  begin(task: Task, { signal = this.#options.signal, onNews }: TaskSettings<News> = {}): ThreadTask<Part> {
    const id = (this.#newestId += 1)
    let message: ToTasks<Task> = { kind: 'start', id, task }
    const stop = (): void => {
      const open = this.#close(id)
      if (open === undefined) return
      this.#post({ kind: 'stop', id })
      open.waiting?.reject(signal?.reason as Error)
    }
    signal?.addEventListener('abort', stop, { once: true })
    this.#tasks.set(id, { onNews, waiting: undefined, close: () => signal?.removeEventListener('abort', stop) })
    const next = async (): Promise<Step<Part>> => {
      signal?.throwIfAborted()
      const open = this.#tasks.get(id)
      if (this.#isOver || open === undefined) throw this.#interrupted()
      open.waiting = Promise.withResolvers()
      this.#post(message)
      message = { kind: 'next', id }
      return open.waiting.promise
    }
    return { next, stop }
  }

  /** The only step of the task. Throws the same as `next`. */
  async ask(task: Task, settings?: TaskSettings<News>): Promise<Part> {
    const running = this.begin(task, settings)
    const { part } = await running.next()
    running.stop()
    return part as Part
  }

  /** Ends the thread. Resolves when the thread and its tasks have ended. */
  readonly end = (): Promise<void> => {
    const { grace = Infinity } = this.#options
    this.#isOver = true
    this.#post({ kind: 'close' })
    if (grace !== Infinity) this.#grace ??= setTimeout(() => void this.#worker.terminate(), grace)
    return this.ended
  }

  /** Rejects the open request with `error`. */
  fail(error: Error): void {
    for (const id of this.#tasks.keys()) this.#close(id)?.waiting?.reject(error)
  }

  #hear(message: FromTasks<Part, News>): void {
    if (message.kind === 'news') {
      this.#tasks.get(message.id)?.onNews?.(message.news)
    } else if (message.kind === 'step') {
      const { id, step } = message
      const open = step.isLast ? this.#close(id) : this.#tasks.get(id)
      open?.waiting?.resolve(step)
    } else {
      const { id, failure } = message
      if (failure.isDamage === true) this.#options.onDamage?.()
      this.#close(id)?.waiting?.reject(errorOf(failure))
    }
  }

  #close(id: number): OpenTask<Part, News> | undefined {
    const open = this.#tasks.get(id)
    this.#tasks.delete(id)
    open?.close()
    return open
  }

  #interrupted(): PimletError {
    return new PimletError('UNAVAILABLE', this.#why)
  }

  #post(message: ToTasks<Task>): void {
    this.#worker.postMessage(message)
  }
}

/** A task in its thread. */
export interface Steps<Part> {
  next(): Step<Part> | Promise<Step<Part>>
  /** The main thread wants no more steps. */
  stop?(): void
  /** Called once at the end: after the last step, after a fault, or after `stop`. */
  close(): unknown
}

interface Serving<Part> {
  readonly describe?: (error: unknown) => Failure
  /** Objects of a part that are transferred, not copied. */
  readonly transfer?: (part: Part) => readonly Transferable[]
  /** Called when no more tasks come, before the thread ends. */
  readonly close?: () => unknown
}

/** The thread's side: `begin` makes the steps of a task, and may send news meanwhile. */
export function serveTasks<Task, Part, News = never>(
  begin: (task: Task, tell: (news: News) => void) => Steps<Part>,
  { describe = failureOf, transfer, close }: Serving<Part> = {},
): void {
  const port = parentPort!
  const running = new Map<number, Steps<Part>>()
  const post = (message: FromTasks<Part, News>, gifts: readonly Transferable[] = []): void =>
    port.postMessage(message, [...gifts])
  const end = async (id: number): Promise<void> => {
    const steps = running.get(id)
    running.delete(id)
    await steps?.close()
  }
  // The failing step informs the main thread.
  const quit = (id: number): Promise<void> => end(id).catch(() => undefined)
  const stop = (id: number): Promise<void> => {
    running.get(id)?.stop?.()
    return quit(id)
  }
  const advance = async (id: number): Promise<void> => {
    const step = await running.get(id)?.next()
    if (step === undefined) return
    if (step.isLast) await end(id)
    post({ kind: 'step', id, step }, step.part === undefined ? [] : transfer?.(step.part))
  }
  const receive = async (message: Exclude<ToTasks<Task>, { kind: 'close' }>): Promise<void> => {
    const { id } = message
    try {
      if (message.kind === 'stop') return await stop(id)
      if (message.kind === 'start')
        running.set(
          id,
          begin(message.task, (news) => post({ kind: 'news', id, news })),
        )
      await advance(id)
    } catch (error) {
      await quit(id)
      post({ kind: 'failed', id, failure: describe(error) })
    }
  }
  port.on('message', (message: ToTasks<Task>) => {
    if (message.kind !== 'close') return void receive(message)
    void Promise.all([...running.keys()].map(stop))
      .then(() => close?.())
      .finally(() => port.close())
  })
}

/** Each part of the generator is a step, made when it is asked for. */
export function stepsOf<Part>(parts: AsyncGenerator<Part, void>): Steps<Part> {
  return {
    next: async () => {
      const next = await parts.next()
      return next.done === true ? { isLast: true } : { part: next.value, isLast: false }
    },
    close: () => parts.return(),
  }
}

/** A task of one step. */
export function onlyStep<Part>(work: (signal: AbortSignal) => Promise<Part>): Steps<Part> {
  const stopping = new AbortController()
  let working: Promise<Part> | undefined
  return {
    next: async () => {
      working = work(stopping.signal)
      return { part: await working, isLast: true }
    },
    stop: () => stopping.abort(),
    close: () => working,
  }
}

/** The serialisable part of `error`. */
export function failureOf(error: unknown): Failure {
  if (error instanceof PimletError) return { code: error.code, message: error.message }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: 'INTERNAL_ERROR', message }
}

function errorOf({ code, message }: Failure): Error {
  return code === 'INTERNAL_ERROR' ? new Error(message) : new PimletError(code, message)
}

/** The parts of a task from `step` on, each made when it is asked for. `end` is called when no more are wanted. */
export async function* partsOf<Part>(
  task: ThreadTask<Part>,
  step: Step<Part>,
  end: () => unknown,
): AsyncGenerator<Part, void> {
  try {
    for (; ; step = await task.next()) {
      if (step.part !== undefined) yield step.part
      if (step.isLast) return
    }
  } finally {
    void end()
  }
}

export class Works {
  readonly #closing = new AbortController()
  readonly #running = new Set<Promise<unknown>>()

  /** `work` gets a signal that aborts with `signal` or with `close`. */
  run<Result>(signal: AbortSignal, work: (either: AbortSignal) => Promise<Result>): Promise<Result> {
    const result = work(AbortSignal.any([signal, this.#closing.signal]))
    const settled = result.catch(() => undefined)
    this.#running.add(settled)
    void settled.finally(() => this.#running.delete(settled))
    return result
  }

  /** Ends open work, which rejects with UNAVAILABLE, and refuses new work. */
  async close(): Promise<void> {
    this.#closing.abort(new PimletError('UNAVAILABLE', 'The server is shutting down'))
    await Promise.all(this.#running)
  }
}
