// Runs long work that cannot be split, such as parsing a large body, one piece at a time. After each piece, other requests get
// as much time as the piece took: a request needs several turns of the event loop.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds of work without a rest. */
const SHORT = 5
/** Milliseconds that a rest lasts at the most. */
const LONGEST_REST = 500

export class LargeTurns {
  #last: Promise<void> = Promise.resolve()

  /** Resolves when the caller may run; its turn lasts until its next await. */
  take(): Promise<void> {
    const turn = this.#last
    this.#last = turn.then(letOthersIn)
    return turn
  }
}

/** Begins just before the turn does. */
async function letOthersIn(): Promise<void> {
  const begin = performance.now()
  await nextTurn()
  const duration = performance.now() - begin
  if (duration > SHORT) await sleep(Math.min(duration, LONGEST_REST))
}
