// Slows writers down to the speed of the search index when the index falls behind. So writers never stop completely.

/** Unindexed changes before any writer waits. */
const FREE = 2000
/** At this many writers get half of the index's speed. */
const FAR = 10_000
/** Factors of the index's speed for writers: `QUICK` where throttling begins, `SLOW` where the index is far behind. */
const QUICK = 1.5
const SLOW = 0.5
/** Milliseconds over which the speed of the index is averaged. */
const MEMORY = 1000
/** The number of changes that are admitted at once after a time without writers. */
const BURST = 16
/** Milliseconds between two checks of the waiting transactions. */
const TICK = 2
/** The least changes a second that are admitted, also while the speed of the index is unknown or zero. */
const SLOWEST = 200

interface WriterThrottleOptions {
  /** Changes that are committed and not indexed. */
  readonly behind: () => number
  /** True: no writer must wait, even if the index is far behind. */
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
  /** The number of changes that may be made now. */
  #allowance = 0
  #allowedAt = 0
  /** The number of admitted transactions whose changes are not known yet. */
  #admitted = 0
  #isClosed = false

  constructor(options: WriterThrottleOptions) {
    this.#options = options
  }

  /** The number of waiting transactions. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Resolves when the next transaction may begin, in the order of the calls; undefined: at once. */
  turn(): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#admit()) return undefined
    this.#timer ??= setInterval(() => this.release(), TICK).unref()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Notes the number of changes of the admitted transactions. */
  noteChanges(count: number): void {
    this.#allowance -= Math.max(0, count - this.#admitted)
    this.#admitted = 0
  }

  /** Notes that the index contains `count` more changes. */
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

  /** Notes that the index is idle: the time until its next change does not count for its speed. */
  noteIdle(): void {
    this.#indexedAt = undefined
  }

  /** Notes that the index works again. */
  noteBusy(): void {
    this.#indexedAt ??= this.#options.now()
  }

  /** Admits the waiting transactions that may continue. */
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

  /** Admits one more transaction, if possible. It counts as one change until the number of its changes is known. */
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
