// Whether a transaction waits for the database: work that awaits anything else would hold everybody up, and is refused.

/** Milliseconds that a transaction runs on before others get their turn. */
const TURN_MILLISECONDS = 3

export class Watch {
  #waiting = 0
  #guard: NodeJS.Immediate | undefined
  #began = performance.now()
  #fail: (error: Error) => void = () => undefined

  /** Runs `work`, which awaits what goes through `wait` only. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#fail = reject
      this.#look()
      work()
        .then(resolve, reject)
        .finally(() => clearImmediate(this.#guard))
    })
  }

  async wait<Result>(asked: Promise<Result>): Promise<Result> {
    this.#waiting += 1
    clearImmediate(this.#guard)
    try {
      return await asked
    } finally {
      this.#waiting -= 1
      if (this.#waiting === 0) this.#look()
    }
  }

  /** Resolves in a later turn where this one has been long enough. */
  async pause(): Promise<void> {
    if (performance.now() - this.#began < TURN_MILLISECONDS) return
    await this.wait(new Promise((resolve) => setImmediate(resolve)))
    this.#began = performance.now()
  }

  /** Once this turn is over, work that goes on has asked for something. */
  #look(): void {
    clearImmediate(this.#guard)
    this.#guard = setImmediate(() =>
      this.#fail(new Error('A transaction awaited something other than its own methods')),
    )
  }
}
