// How much of large bodies is in memory at the same time: what does not fit waits for a while. One caller gets a quarter
// of it at most, so that nobody keeps the others' bodies waiting.
import { PimletError } from '../../kernel/errors.ts'

/** The share of the room that one caller gets. */
const SHARE = 0.25
/** Seconds after which a client that found no room may try again (Retry-After). */
const RETRY_AFTER = 5

export interface Place {
  /** To be called once. */
  leave(): void
}

interface Waiting {
  readonly caller: string
  readonly cost: number
  readonly enter: () => void
}

export class BodyRoom {
  readonly #size: number
  #taken = 0
  readonly #byCaller = new Map<string, number>()
  readonly #waiting = new Set<Waiting>()

  /** `size`: in the unit in which costs are counted, such as bytes. */
  constructor(size: number) {
    this.#size = size
  }

  /**
   * Takes `cost` of the room, at once if that much is free. A body that is larger than the whole room gets in when nobody
   * else is inside; one that is larger than the caller's share, when nothing else of that caller is.
   * @param patience milliseconds
   * @throws UNAVAILABLE after that
   */
  enter(caller: string, cost: number, patience: number): Place | Promise<Place> {
    let given: Place | undefined
    let give = (place: Place): void => {
      given = place
    }
    const waiting: Waiting = { caller, cost, enter: () => give(this.#take(caller, cost)) }
    this.#waiting.add(waiting)
    this.#admit()
    if (given !== undefined) return given
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting)
        this.#admit()
        reject(new PimletError('UNAVAILABLE', 'Too many large bodies are under way', { retryAfter: RETRY_AFTER }))
      }, patience)
      give = (place) => {
        clearTimeout(timer)
        resolve(place)
      }
    })
  }

  /** In order of arrival. Nobody overtakes one that waits because the room itself, not its caller's share, is full. */
  #admit(): void {
    for (const waiting of this.#waiting) {
      if (this.#taken > 0 && this.#taken + waiting.cost > this.#size) return
      const held = this.#byCaller.get(waiting.caller) ?? 0
      if (held > 0 && held + waiting.cost > this.#size * SHARE) continue
      this.#waiting.delete(waiting)
      waiting.enter()
    }
  }

  #take(caller: string, cost: number): Place {
    this.#add(caller, cost)
    return {
      leave: () => {
        this.#add(caller, -cost)
        this.#admit()
      },
    }
  }

  #add(caller: string, cost: number): void {
    this.#taken += cost
    const held = (this.#byCaller.get(caller) ?? 0) + cost
    if (held === 0) this.#byCaller.delete(caller)
    else this.#byCaller.set(caller, held)
  }
}
