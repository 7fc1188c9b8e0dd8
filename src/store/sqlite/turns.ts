// The turns of the event loop that a transaction takes: one, unless it pauses.

/** Milliseconds that a transaction runs on before others get their turn: a reader waits for two of its turns at the worst. */
const TURN_MILLISECONDS = 0.5

export class Turns {
  #guard: NodeJS.Immediate | undefined
  #began = performance.now()
  #fail: (error: Error) => void = () => undefined

  /**
   * SQLite answers synchronously, so work that awaits nothing else ends before the event loop turns. Other work would hold the
   * database: it rejects.
   */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#fail = reject
      this.#watch()
      work()
        .then(resolve, reject)
        .finally(() => clearImmediate(this.#guard))
    })
  }

  /** Resolves in a later turn where this one has been long enough. */
  async pause(): Promise<void> {
    if (performance.now() - this.#began < TURN_MILLISECONDS) return
    clearImmediate(this.#guard)
    await new Promise((resolve) => setImmediate(resolve))
    this.#began = performance.now()
    this.#watch()
  }

  #watch(): void {
    this.#guard = setImmediate(() =>
      this.#fail(new Error('A transaction awaited something other than its own methods')),
    )
  }
}
