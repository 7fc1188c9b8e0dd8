// Work that comes in bursts, done for a few milliseconds in each turn of the event loop.

/** Milliseconds that work is done in one turn; one piece of it may take longer. */
const SLICE = 5

/**
 * Node takes up to a thousand messages of other threads in one turn, those among them that come while it does. Where each
 * is answered by asking for the next, nobody else is served until then.
 */
export class TurnSlices {
  /** The next one first. */
  readonly #waiting: (() => void)[] = []
  /** When the first piece of this turn was begun: milliseconds on the monotonic clock. */
  #began: number | undefined

  /** Does `work`, which does not throw, in its turn. What is added first is done first. */
  add(work: () => void): void {
    this.#waiting.push(work)
    // One for each: what the work makes others continue with belongs to it, and is over before the next.
    setImmediate(this.#doNext)
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
