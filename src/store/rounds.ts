// Regular work of one server. The first round begins when this server has the duty; each interval is followed by
// another round.
import { setTimeout as sleep } from 'node:timers/promises'
import { Leading } from './leading.ts'
import type { Store, Transaction } from './port.ts'

/** Milliseconds between two transactions, so that other transactions can run. */
const PAUSE = 5

export interface Round {
  /** A store that writes nothing when another server has the duty. */
  readonly store: Store
  /** Aborted when the server stops, or when another server has the duty. */
  readonly signal: AbortSignal
  /**
   * Repeats a step until nothing is left to do. The step resolves to the amount of its work, and `repeat` to the sum.
   * @param before called before each transaction
   */
  readonly repeat: (step: (tx: Transaction) => Promise<number>, before?: () => Promise<void>) => Promise<number>
  /** Lets other work run. */
  readonly pause: () => Promise<void>
}

interface RoundsOptions {
  readonly store: Store
  /** Names the lease. */
  readonly name: string
  /** Milliseconds between two rounds. */
  readonly interval: number
  readonly round: (round: Round) => Promise<void>
  readonly onFault: (error: unknown) => void
}

export interface Rounds {
  /** Does all due work; resolves when it is done. Never rejects. */
  work(): Promise<void>
  /** Resolves when the step under way has ended. */
  stop(): Promise<void>
}

export function startRounds({ store, name, interval, round, onFault }: RoundsOptions): Rounds {
  const stopping = new AbortController()
  let working: Promise<void> | undefined
  /** Undefined: another server has the duty. */
  let held: Round | undefined

  async function work(): Promise<void> {
    const present = held
    if (present === undefined || present.signal.aborted) return
    working ??= round(present)
      .catch((error: unknown) => {
        if (!present.signal.aborted) onFault(error)
      })
      .finally(() => (working = undefined))
    await working
  }

  const leading = new Leading(store, {
    name,
    async begin(present, lease) {
      held = roundOn(present, AbortSignal.any([lease.signal, stopping.signal]))
      void work()
    },
    onFault,
  })
  const timer = setInterval(() => void work(), interval).unref()
  void leading.start()
  return {
    work,
    async stop() {
      stopping.abort(new Error('The server is stopping'))
      clearInterval(timer)
      await working
      leading.stop()
    },
  }
}

function roundOn(store: Store, signal: AbortSignal): Round {
  const pause = () => sleep(PAUSE, undefined, { ref: false })
  return {
    store,
    signal,
    pause,
    async repeat(step, before) {
      let sum = 0
      for (let last = 1; last > 0 && !signal.aborted; sum += last) {
        await before?.()
        await store.whenCalm()
        last = await store.transaction(step)
        if (last > 0) await pause()
      }
      return sum
    },
  }
}
