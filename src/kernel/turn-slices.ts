// Spreads bursts of work over turns of the event loop, a few milliseconds in each.

/** Milliseconds of work in one turn; a single piece may take longer. */
const SLICE = 5

/**
 * Node handles up to a thousand messages of other threads in one turn, including messages that arrive meanwhile. If
 * each answer requests the next message, nothing else would run until then.
 */
export class TurnSlices {
  /** Waiting pieces, in order. */
  readonly #waiting: (() => void)[] = []
  /** Start of the first piece of this turn, in milliseconds on the monotonic clock. */
  #began: number | undefined

  /** Runs `work`, which must not throw, in the order of the calls. */
  add(work: () => void): void {
    this.#waiting.push(work)
    // Each piece gets its own callback, so that its microtasks run before the next piece.
    setImmediate(this.#doNext)
  }

  /** Resolves in the order of the calls. The caller's work until its next await is a piece. */
  take(): Promise<void> {
    return new Promise((resolve) => this.add(resolve))
  }

  readonly #doNext = (): void => {
    const now = performance.now()
    if (this.#began === undefined) {
      this.#began = now
      setImmediate(this.#endTurn)
    }
    if (now - this.#began < SLICE) this.#waiting.shift()?.()
    else setImmediate(this.#doNext)
  }

  readonly #endTurn = (): void => {
    this.#began = undefined
  }
}

/** For pages of lists, of changes and of trails, which requests read or make piece by piece. */
export const pageSlices = new TurnSlices()
