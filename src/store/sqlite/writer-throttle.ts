// Slows writers down to the speed of the search index when it falls behind, so that they never stop altogether.

/** Unindexed changes before any writer waits. */
const FREE = 2000
/** At this many writers get half of the index's speed. */
const FAR = 10_000
/** The share of the index's speed that writers get where the waiting begins, and where the index is far behind. */
const QUICK = 1.5
const SLOW = 0.5
/** Milliseconds over which the speed of the index is averaged. */
const MEMORY = 1000
/** Changes that are admitted at once after a time without writers. */
const BURST = 16
/** Milliseconds until who waits is looked at again. */
const TICK = 2
/** Changes a second that are let in where the index has not shown how fast it is, or stands still. */
const SLOWEST = 200

interface WriterThrottleOptions {
  /** Changes that are committed and not indexed. */
  readonly behind: () => number
  /** Whether no writer has to wait, however far the index is behind. */
  readonly isFree: () => boolean
  /** Milliseconds. */
  readonly now: () => number
}

export class WriterThrottle {
  readonly #options: WriterThrottleOptions
  readonly #waiting: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined
  /** Changes a second. */
  #speed = 0
  #indexedAt: number | undefined
  /** Changes that may be made now. */
  #allowance = 0
  #allowedAt = 0
  /** Transactions that were let in, whose changes are not known yet. */
  #admitted = 0
  #isClosed = false

  constructor(options: WriterThrottleOptions) {
    this.#options = options
  }

  /** The number of waiting transactions. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Resolves when the next transaction may be made, in the order of the calls; undefined: at once. */
  turn(): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#admit()) return undefined
    this.#timer ??= setInterval(() => this.release(), TICK).unref()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** The admitted transactions have made so many changes. */
  noteChanges(count: number): void {
    this.#allowance -= Math.max(0, count - this.#admitted)
    this.#admitted = 0
  }

  /** The index has taken in so many. */
  noteIndexed(count: number): void {
    const now = this.#options.now()
    if (this.#indexedAt !== undefined && count > 0) {
      const time = Math.max(1, now - this.#indexedAt)
      const weight = Math.min(1, time / MEMORY)
      this.#speed += ((1000 * count) / time - this.#speed) * weight
    }
    this.#indexedAt = now
    this.release()
  }

  /** The index is idle: the time until its next change does not count for its speed. */
  noteIdle(): void {
    this.#indexedAt = undefined
  }

  /** It has begun. */
  noteBusy(): void {
    this.#indexedAt ??= this.#options.now()
  }

  /** Lets in who may go on. */
  release(): void {
    while (this.#waiting.length > 0 && this.#admit()) this.#waiting.shift()!()
    if (this.#waiting.length > 0 || this.#timer === undefined) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  close(): void {
    this.#isClosed = true
    this.release()
  }

  /** Whether one more may go on. It is taken to change one record, until it is known how many it has changed. */
  #admit(): boolean {
    const { behind, isFree, now } = this.#options
    const distance = behind()
    const present = now()
    if (this.#isClosed || distance <= FREE || isFree()) {
      this.#allowance = BURST
    } else {
      const share = Math.min(1, (distance - FREE) / (FAR - FREE))
      const speed = Math.max(SLOWEST, this.#speed * (QUICK + (SLOW - QUICK) * share))
      this.#allowance = Math.min(BURST, this.#allowance + (speed * (present - this.#allowedAt)) / 1000)
    }
    this.#allowedAt = present
    if (this.#allowance < 1) return false
    this.#allowance -= 1
    this.#admitted += 1
    return true
  }
}
