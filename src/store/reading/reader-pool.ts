// The main thread's side of the reader threads.
import { availableParallelism } from 'node:os'
import type { SearchPosition } from '../../core/search/rules/sorting.ts'
import type { Worker } from 'node:worker_threads'
import { startThread } from '../../kernel/executable/assets.ts'
import { PimletError } from '../../kernel/errors.ts'
import { Gate, type Leave } from '../../kernel/gate.ts'
import type {
  FromReaderThread,
  ReaderTask,
  ReaderThreadData,
  TaskItem,
  TaskItems,
  ToReaderThread,
} from './reader-messages.ts'
import { TurnSlices } from './turn-slices.ts'

/** With a limit in sight Node collects garbage sooner; it is many times what a step of a search takes. */
const THREAD_MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 6 }

/** More tasks at once wait for nothing but memory; a client that gets this may try again. */
const MAX_TASKS = 200
const MAX_TASKS_PER_CALLER = MAX_TASKS / 4
const MAX_WAITING_PER_CALLER = 150
/** Milliseconds that a caller's next task waits for one before it: most searches are over by then. */
const PATIENCE = 1000

const INTERRUPTED = 'The search was interrupted'

export interface ReaderPoolOptions {
  readonly thread: ReaderThreadData
  readonly onFault: (message: string, error: unknown) => void
  /** A search met a damaged page, of the index or of the database. */
  readonly onDamage: () => void
}

/** Who asks, and for how long. */
export interface Asker {
  /** One caller may take a share of the slots. */
  readonly callerId?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ReadResult<Item> {
  readonly total: number | null
  readonly next: SearchPosition | null
  readonly batches: AsyncGenerator<Item[], void>
}

type Step = Extract<FromReaderThread, { kind: 'step' }>

interface Waiting {
  readonly resolve: (step: Step) => void
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly worker: Worker
  readonly waiting: Map<number, Waiting>
  tasks: number
  /** It answers no more: it has ended, or was told to. */
  isOver: boolean
}

export class ReaderPool {
  readonly #options: ReaderPoolOptions
  readonly #threads: (Thread | undefined)[]
  /** Rejects while there is no index to be opened. */
  #ready = Promise.withResolvers<void>()
  readonly #gate = new Gate({ size: MAX_TASKS })
  /** Who came at the same moment gives up at the same moment: each is told so, and has a line in the log. */
  readonly #refusals = new TurnSlices()
  readonly #shares = new Gate({
    size: Infinity,
    perCaller: MAX_TASKS_PER_CALLER,
    maxWaiting: MAX_WAITING_PER_CALLER,
    refuse: () => tooMany(`one caller may run ${MAX_TASKS_PER_CALLER}`),
    spread: (refusal) => this.#refusals.add(refusal),
  })
  /** What the threads bring is rendered and sent at once, which takes much longer than to take it. */
  readonly #slices = new TurnSlices()
  #nextId = 1
  #isClosed = false

  constructor(options: ReaderPoolOptions) {
    this.#options = options
    // The main thread and the index thread have work to do as well.
    this.#threads = Array.from({ length: Math.max(1, Math.min(4, availableParallelism() - 1)) })
  }

  /** Resolves when there is an index to be opened. @throws UNAVAILABLE */
  async whenReady(): Promise<void> {
    await this.#ready.promise
  }

  /** Tasks that have begun and not ended. */
  get busy(): number {
    return this.#gate.taken
  }

  /** Begins a task. Its snapshot and its slot are held until `batches` has ended: by its end, by `return`, or by the signal. */
  async run<Kind extends ReaderTask['kind']>(
    task: Extract<ReaderTask, { kind: Kind }>,
    { callerId, signal }: Asker = {},
  ): Promise<ReadResult<TaskItems[Kind]>> {
    await this.#ready.promise
    const leave = await this.#enter(callerId, signal)
    let thread: Thread
    try {
      signal?.throwIfAborted()
      thread = this.#leastBusy()
    } catch (error) {
      leave()
      throw error
    }
    const id = this.#nextId++
    thread.tasks += 1
    let isOver = false
    const end = (): void => {
      if (isOver) return
      isOver = true
      thread.tasks -= 1
      leave()
      signal?.removeEventListener('abort', stop)
    }
    const stop = (): void => {
      end()
      this.#post(thread, { kind: 'stop', id })
      thread.waiting.get(id)?.reject(signal?.reason)
      thread.waiting.delete(id)
    }
    signal?.addEventListener('abort', stop, { once: true })
    try {
      let first = await this.#ask(thread, { kind: 'start', id, task, callerId })
      const items: TaskItem[] = first.items
      while (first.total === undefined && !first.isLast) {
        first = await this.#ask(thread, { kind: 'next', id })
        items.push(...first.items)
      }
      const batches = this.#batches(thread, id, { ...first, items }, end)
      return {
        total: first.total ?? null,
        next: first.next ?? null,
        batches: batches as AsyncGenerator<TaskItems[Kind][], void>,
      }
    } catch (error) {
      end()
      throw error
    }
  }

  /** The index file could not be opened: who waits for it, and who comes before it is there, is told so. */
  refuse(): void {
    this.#ready.reject(new PimletError('UNAVAILABLE', 'The search index cannot be opened now. It is tried again.'))
    this.#ready.promise.catch(() => undefined)
  }

  /** The index file is there. Threads that know an older one end with their tasks. */
  renew(): void {
    for (const [index, thread] of this.#threads.entries()) {
      if (thread !== undefined) this.#end(thread)
      this.#threads[index] = undefined
    }
    this.#ready.resolve()
    this.#ready = Promise.withResolvers<void>()
    this.#ready.resolve()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#ready.resolve()
    await Promise.all(
      this.#threads.map(async (thread) => {
        if (thread === undefined) return
        const ended = new Promise((resolve) => thread.worker.once('exit', resolve))
        this.#end(thread)
        this.#fail(thread, new PimletError('UNAVAILABLE', 'The server is shutting down'))
        await ended
      }),
    )
  }

  /** @throws UNAVAILABLE where there are too many, of the caller or in all, and the signal's reason */
  async #enter(callerId: string | undefined, signal: AbortSignal | undefined): Promise<Leave> {
    // A task of the server itself counts among all alone.
    const entering = { caller: callerId ?? '', patience: PATIENCE, signal }
    const leaveShare = callerId === undefined ? undefined : await this.#shares.enter(entering)
    const leave = this.#gate.tryEnter()
    if (leave === undefined) {
      leaveShare?.()
      throw tooMany(`the server runs ${MAX_TASKS}`)
    }
    return () => {
      leave()
      leaveShare?.()
    }
  }

  async *#batches(thread: Thread, id: number, step: Step, end: () => void): AsyncGenerator<TaskItem[], void> {
    try {
      for (;;) {
        // Nothing is kept of records for which a slow client made others wait.
        if (step.items.length > 0) yield step.items.splice(0)
        if (step.isLast) return
        step = await this.#ask(thread, { kind: 'next', id })
      }
    } finally {
      if (!step.isLast) this.#post(thread, { kind: 'stop', id })
      end()
    }
  }

  #ask(thread: Thread, message: Extract<ToReaderThread, { id: number }>): Promise<Step> {
    return new Promise((resolve, reject) => {
      if (thread.isOver) {
        reject(new PimletError('UNAVAILABLE', INTERRUPTED))
        return
      }
      thread.waiting.set(message.id, { resolve, reject })
      this.#post(thread, message)
    })
  }

  #end(thread: Thread): void {
    thread.isOver = true
    this.#post(thread, { kind: 'close' })
  }

  #post(thread: Thread, message: ToReaderThread): void {
    thread.worker.postMessage(message)
  }

  #leastBusy(): Thread {
    if (this.#isClosed) throw new PimletError('UNAVAILABLE', 'The server is shutting down')
    let best = 0
    for (const [index, thread] of this.#threads.entries())
      if ((thread?.tasks ?? 0) < (this.#threads[best]?.tasks ?? 0)) best = index
    const thread = this.#threads[best] ?? this.#start(best)
    this.#threads[best] = thread
    return thread
  }

  #start(index: number): Thread {
    const { thread: data, onFault } = this.#options
    const worker = startThread(data, THREAD_MEMORY)
    const thread: Thread = { worker, waiting: new Map(), tasks: 0, isOver: false }
    worker.on('message', (message: FromReaderThread) => this.#slices.add(() => this.#hear(thread, message)))
    worker.on('error', (error) => onFault('A reader thread stopped; the next search starts another', error))
    worker.on('exit', () => {
      thread.isOver = true
      if (this.#threads[index] === thread) this.#threads[index] = undefined
      this.#slices.add(() => this.#fail(thread, new PimletError('UNAVAILABLE', INTERRUPTED)))
    })
    return thread
  }

  #hear(thread: Thread, message: FromReaderThread): void {
    const waiting = thread.waiting.get(message.id)
    thread.waiting.delete(message.id)
    if (message.kind === 'failed' && message.isDamage === true) this.#options.onDamage()
    if (message.kind === 'step') waiting?.resolve(message)
    else waiting?.reject(this.#asError(message))
  }

  #asError({ code, message }: Extract<FromReaderThread, { kind: 'failed' }>): Error {
    return code === 'INTERNAL_ERROR' ? new Error(message) : new PimletError(code, message)
  }

  #fail(thread: Thread, error: Error): void {
    for (const { reject } of thread.waiting.values()) reject(error)
    thread.waiting.clear()
  }
}

function tooMany(limit: string): PimletError {
  const message = `Too many searches and long lists at once: ${limit}. Try again later`
  return new PimletError('UNAVAILABLE', message, { retryAfter: 1 })
}
