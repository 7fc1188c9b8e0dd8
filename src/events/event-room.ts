// Room for large events that are being delivered, common to all subscriptions: receivers that take little, or never answer, hold no more
// than this of the memory. Small ones need none. Contract 3 §6.

/** Bytes of all large pages together; one that is larger still is alone. */
const MOST = 64 * 1024 ** 2

interface Waiter {
  readonly size: number
  readonly enter: () => void
}

export class EventRoom {
  readonly #most: number
  #used = 0
  readonly #waiting: Waiter[] = []

  constructor(most = MOST) {
    this.#most = most
  }

  /** Whether there is room, which is taken then. Whoever waits already comes first; who is inside has more in any case. */
  tryEnter(size: number, { isInside = false } = {}): boolean {
    const fits = isInside || (this.#waiting.length === 0 && this.#fits(size))
    if (fits) this.#used += size
    return fits
  }

  /** Resolves when there is room, in the order of asking. Rejects with the signal's reason. */
  enter(size: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error)
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        reject(signal.reason as Error)
        this.#admit()
      }
      const enter = (): void => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const waiter = { size, enter }
      this.#waiting.push(waiter)
      signal.addEventListener('abort', giveUp, { once: true })
      this.#admit()
    })
  }

  leave(size: number): void {
    this.#used -= size
    this.#admit()
  }

  #fits(size: number): boolean {
    return this.#used === 0 || this.#used + size <= this.#most
  }

  #admit(): void {
    for (let first = this.#waiting[0]; first !== undefined && this.#fits(first.size); first = this.#waiting[0]) {
      this.#waiting.shift()
      this.#used += first.size
      first.enter()
    }
  }
}
