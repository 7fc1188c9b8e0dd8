// Runs the reader threads from the main thread.
import { availableParallelism } from 'node:os'
import type { SearchPosition } from '../../core/search/rules/sorting.ts'
import { PimletError } from '../../kernel/errors.ts'
import { Gate, type Leave } from '../../kernel/gate.ts'
import { type ThreadTask, type Step, TaskThread } from '../../kernel/worker.ts'
import type {
  ReaderPart,
  ReaderQuestion,
  ReaderTask,
  ReaderThreadData,
  TaskItem,
  TaskItems,
} from './reader-messages.ts'
import { TurnSlices } from '../../kernel/turn-slices.ts'

/** A limit makes Node collect garbage sooner. A step of a search needs far less memory. */
const THREAD_MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 6 }

/** Most tasks at once. Further tasks would only use memory while they wait; a refused client may retry. */
const MAX_TASKS = 200
const MAX_TASKS_PER_CALLER = MAX_TASKS / 4
const MAX_WAITING_PER_CALLER = 150
/** Milliseconds that a caller's next task waits for an earlier task. Most searches end sooner. */
const PATIENCE = 1000

interface ReaderPoolOptions {
  readonly thread: ReaderThreadData
  readonly onFault: (message: string, error: unknown) => void
  /** Called when a search meets a damaged page of the index or database. */
  readonly onDamage: () => void
}

/** The caller, and the signal that ends the task. */
interface Asker {
  /** The caller whose share of the slots is limited. */
  readonly callerId?: string | undefined
  readonly signal?: AbortSignal | undefined
}

interface ReadResult<Item> {
  readonly total: number | null
  readonly next: SearchPosition | null
  readonly batches: AsyncGenerator<Item[], void>
}

type Thread = TaskThread<ReaderQuestion, ReaderPart>

export class ReaderPool {
  readonly #options: ReaderPoolOptions
  readonly #threads: (Thread | undefined)[]
  /** Rejects while the index cannot be opened. */
  #ready = Promise.withResolvers<void>()
  readonly #gate = new Gate({ size: MAX_TASKS })
  /**
   * Many tasks may be refused at the same moment. Each refusal writes a response and a log line, so they are spread
   * over turns.
   */
  readonly #refusals = new TurnSlices()
  readonly #shares = new Gate({
    size: Infinity,
    perCaller: MAX_TASKS_PER_CALLER,
    maxWaiting: MAX_WAITING_PER_CALLER,
    refuse: () => tooMany(`one caller may run ${MAX_TASKS_PER_CALLER}`),
    spread: (refusal) => this.#refusals.add(refusal),
  })
  /** Results are rendered and sent at once, which takes far longer than receiving them. */
  readonly #slices = new TurnSlices()
  #isClosed = false

  constructor(options: ReaderPoolOptions) {
    this.#options = options
    // The main thread and the index thread need processors, too.
    this.#threads = Array.from({ length: Math.max(1, Math.min(4, availableParallelism() - 1)) })
  }

  /** Resolves when the index can be opened. @throws UNAVAILABLE */
  async whenReady(): Promise<void> {
    await this.#ready.promise
  }

  /** Number of running tasks. */
  get busy(): number {
    return this.#gate.taken
  }

  /** Begins a task. Its snapshot and slot are held until `batches` ends: by completion, `return`, or the signal. */
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
    let isOver = false
    const end = (): void => {
      if (isOver) return
      isOver = true
      leave()
      signal?.removeEventListener('abort', end)
    }
    signal?.addEventListener('abort', end, { once: true })
    const running = thread.begin({ task, callerId }, { signal })
    try {
      const items: TaskItem[] = []
      for (;;) {
        const { part, isLast } = await running.next()
        items.push(...part!.items)
        if (part!.total === undefined && !isLast) continue
        const { total = null, next = null } = part!
        const batches = batchesOf(running, { part: { ...part!, items }, isLast }, end)
        return { total, next, batches: batches as AsyncGenerator<TaskItems[Kind][], void> }
      }
    } catch (error) {
      end()
      throw error
    }
  }

  /** Called when the index file could not be opened. Waiting and later tasks fail until the file is ready. */
  refuse(): void {
    this.#ready.reject(new PimletError('UNAVAILABLE', 'The search index cannot be opened now. It is tried again.'))
    this.#ready.promise.catch(() => undefined)
  }

  /** Called when the index file is ready. Threads with an older file end after their tasks. */
  renew(): void {
    for (const [index, thread] of this.#threads.entries()) {
      void thread?.end()
      this.#threads[index] = undefined
    }
    this.#ready.resolve()
    this.#ready = Promise.withResolvers<void>()
    this.#ready.resolve()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#ready.resolve()
    const threads = this.#threads.filter((thread) => thread !== undefined)
    const ending = threads.map((thread) => {
      const ended = thread.end()
      thread.fail(new PimletError('UNAVAILABLE', 'The server is shutting down'))
      return ended
    })
    await Promise.all(ending)
  }

  /** @throws UNAVAILABLE if too many tasks run, for the caller or in total; the signal's reason */
  async #enter(callerId: string | undefined, signal: AbortSignal | undefined): Promise<Leave> {
    // Tasks of the server itself only count in the total.
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
    const { thread: data, onFault, onDamage } = this.#options
    const thread: Thread = new TaskThread({
      data,
      limits: THREAD_MEMORY,
      interrupted: 'The search was interrupted',
      onFault: (error) => onFault('A reader thread stopped; the next search starts another', error),
      onEnd: () => {
        if (this.#threads[index] === thread) this.#threads[index] = undefined
      },
      onDamage,
      spread: (work) => this.#slices.add(work),
    })
    return thread
  }
}

async function* batchesOf(
  task: ThreadTask<ReaderPart>,
  step: Step<ReaderPart>,
  end: () => void,
): AsyncGenerator<TaskItem[], void> {
  try {
    for (;;) {
      const { items } = step.part!
      // Sent records are dropped at once, because a slow client may keep the task for long.
      if (items.length > 0) yield items.splice(0)
      if (step.isLast) return
      step = await task.next()
    }
  } finally {
    task.stop()
    end()
  }
}

function tooMany(limit: string): PimletError {
  const message = `Too many searches and long lists at once: ${limit}. Try again later`
  return new PimletError('UNAVAILABLE', message, { retryAfter: 1 })
}
