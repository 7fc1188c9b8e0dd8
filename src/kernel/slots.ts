// Runs a limited number of tasks at a time; the others wait in the order in which they came.
import { PimletError } from './errors.ts'

export class Slots {
  readonly #maxWaiting: number
  readonly #waiting = new Set<() => void>()
  #free: number

  readonly #what: string

  /** `what` is done in them, for who has to wait too long. */
  constructor(count: number, maxWaiting = Infinity, what = 'exports') {
    this.#free = count
    this.#what = what
    this.#maxWaiting = maxWaiting
  }

  /** Runs `work` when a slot is free. @throws UNAVAILABLE where too many wait, the signal's reason while waiting */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted()
    if (this.#free > 0) this.#free -= 1
    else await this.#wait(signal)
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#maxWaiting)
      throw new PimletError('UNAVAILABLE', `Too many ${this.#what} at once: try again later`, { retryAfter: 1 })
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        this.#waiting.delete(begin)
        reject(signal.reason)
      }
      this.#waiting.add(begin)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  #release(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free += 1
    } else {
      this.#waiting.delete(next)
      next()
    }
  }
}
