// What takes long and cannot be done in parts, such as making values of a large body, is done one piece at a time, and after
// each of them everybody else has as long as it took: a request needs several turns of the event loop to be served.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds that nobody notices. */
const SHORT = 5
/** Milliseconds that a rest lasts at the most. */
const LONGEST_REST = 500

export class LargeTurns {
  #last: Promise<void> = Promise.resolve()

  /** Resolves when it is the caller's turn, which is what it does until it waits for something. */
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
