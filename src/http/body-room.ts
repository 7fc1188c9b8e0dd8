// How much of large bodies is in memory at the same time: what does not fit waits for a while. One caller gets a quarter
// of it at most, so that nobody keeps the others' bodies waiting.
import { PimletError } from '../domain/errors.ts'

/** A caller's part of all. */
const SHARE = 0.25
/** Seconds after which whoever found no room may try again. */
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

  /** `size` in whatever costs are counted in. */
  constructor(size: number) {
    this.#size = size
  }

  /**
   * Takes `cost` of the room; at once, where there is so much. What is larger than the room or the caller's part of it gets
   * in when nobody else, or nothing of the caller's, is inside.
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

  /** In their order; nobody overtakes whom the room itself is too small for. */
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
