// What large bodies leave behind in memory: their bytes, their text, their values, what was written and answered. Left to
// itself the collector waits until there is far more of it, since the heap may grow: so it is called when there is enough.
import type { LargeTurns } from './large-turns.ts'

/** Bytes of bodies after which it is worth the time that collecting takes. */
const ENOUGH = 4 * 1024 ** 2

export class Litter {
  readonly #turns: LargeTurns
  #bytes = 0
  #isScheduled = false

  constructor(turns: LargeTurns) {
    this.#turns = turns
  }

  /** A body of so many bytes is dealt with, or will be in this turn of the event loop. */
  add(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes < ENOUGH || this.#isScheduled) return
    this.#isScheduled = true
    void this.#turns.take().then(() => {
      this.#isScheduled = false
      this.#bytes = 0
      // There is none where Node was started without the flag that exposes it.
      return globalThis.gc?.()
    })
  }
}
