// How many tasks run in the reader threads at once: in all, and for one caller, who shall not take them all. A caller's
// next one waits for a moment, since most searches are over by then.
import { PimletError } from '../../kernel/errors.ts'
import { TurnSlices } from './turn-slices.ts'

/** More tasks at once wait for nothing but memory; a client that gets this may try again. */
const MAX_TASKS = 200
const MAX_TASKS_PER_CALLER = MAX_TASKS / 4
const MAX_WAITING_PER_CALLER = 150
/** Milliseconds. */
const PATIENCE = 1000

interface Waiting {
  readonly resolve: () => void
}

interface CallerSlots {
  taken: number
  /** The next one first. */
  readonly waiting: Set<Waiting>
}

export class Slots {
  readonly #perCaller = new Map<string, CallerSlots>()
  /** Who came at the same moment gives up at the same moment: each is told so, and has a line in the log. */
  readonly #refusals = new TurnSlices()
  #taken = 0

  get taken(): number {
    return this.#taken
  }

  /**
   * Resolves when the task may begin; whoever called it calls `free` when the task is over.
   * @param callerId none: a task of the server itself, which counts among all alone
   * @throws UNAVAILABLE where there are too many, and the signal's reason
   */
  async take(callerId: string | undefined, signal?: AbortSignal): Promise<void> {
    if (callerId !== undefined) await this.#takeOfCaller(callerId, signal)
    if (this.#taken >= MAX_TASKS) {
      this.#freeOfCaller(callerId)
      throw tooMany(`the server runs ${MAX_TASKS}`)
    }
    this.#taken += 1
  }

  free(callerId: string | undefined): void {
    this.#taken -= 1
    this.#freeOfCaller(callerId)
  }

  async #takeOfCaller(callerId: string, signal: AbortSignal | undefined): Promise<void> {
    let slots = this.#perCaller.get(callerId)
    if (slots === undefined) this.#perCaller.set(callerId, (slots = { taken: 0, waiting: new Set() }))
    if (slots.taken < MAX_TASKS_PER_CALLER) {
      slots.taken += 1
      return
    }
    if (slots.waiting.size >= MAX_WAITING_PER_CALLER) throw tooManyOfCaller()
    await this.#waitIn(slots.waiting, signal)
  }

  #freeOfCaller(callerId: string | undefined): void {
    const slots = callerId === undefined ? undefined : this.#perCaller.get(callerId)
    if (slots === undefined) return
    const [next] = slots.waiting
    if (next === undefined) slots.taken -= 1
    else {
      // The slot is handed on.
      slots.waiting.delete(next)
      next.resolve()
    }
    if (slots.taken === 0) this.#perCaller.delete(callerId!)
  }

  #waitIn(line: Set<Waiting>, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (error: unknown): void => {
        line.delete(waiting)
        settle()
        reject(error instanceof Error ? error : new Error(String(error)))
      }
      const stop = (): void => leave(signal?.reason)
      const giveUp = (): void => leave(tooManyOfCaller())
      const timer = setTimeout(() => this.#refusals.add(giveUp), PATIENCE)
      const settle = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', stop)
      }
      const waiting: Waiting = {
        resolve() {
          settle()
          resolve()
        },
      }
      line.add(waiting)
      signal?.addEventListener('abort', stop, { once: true })
    })
  }
}

function tooManyOfCaller(): PimletError {
  return tooMany(`one caller may run ${MAX_TASKS_PER_CALLER}`)
}

function tooMany(limit: string): PimletError {
  return new PimletError('UNAVAILABLE', `Too many searches and long lists at once: ${limit}. Try again later`, {
    retryAfter: 1,
  })
}
