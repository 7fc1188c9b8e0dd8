// Limits how much is inside at a time, in all and per caller. Further callers wait in order.
import { PimletError } from './errors.ts'

interface GateOptions {
  /** In the unit of the weights, for example tasks or bytes. */
  readonly size: number
  /** The maximum share of one caller; default: everything. */
  readonly perCaller?: number
  /** Maximum number of waiting entries of one caller, or of all where no callers are named. */
  readonly maxWaiting?: number
  /** The error for callers that may not wait, or no longer. */
  readonly refuse?: () => Error
  /** Schedules refusals that are due at the same moment, for example one after another. */
  readonly spread?: (refusal: () => void) => void
}

interface Entering {
  readonly caller?: string
  readonly weight?: number
  /** Milliseconds to wait at most. */
  readonly patience?: number
  readonly signal?: AbortSignal | undefined
}

/** Frees the place; call it once. */
export type Leave = () => void

interface Waiting {
  readonly caller: string
  readonly weight: number
  readonly enter: (leave: Leave) => void
}

interface Caller {
  held: number
  waiting: number
}

export class Gate {
  readonly #options: Required<GateOptions>
  readonly #callers = new Map<string, Caller>()
  /** Waiting entries, in their order. */
  readonly #waiting = new Set<Waiting>()
  #taken = 0

  constructor(options: GateOptions) {
    const spread = (refusal: () => void): void => refusal()
    const refuse = (): Error => tooMany('requests')
    this.#options = { perCaller: Infinity, maxWaiting: Infinity, refuse, spread, ...options }
  }

  get taken(): number {
    return this.#taken
  }

  /** Runs `work` inside. Throws errors of `enter`. */
  async run<Result>(work: () => Promise<Result>, entering: Entering = {}): Promise<Result> {
    const leave = await this.enter(entering)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  /**
   * Resolves when there is room. A weight beyond the size enters when the gate is empty; a weight beyond the caller's share
   * enters when the caller has nothing else inside.
   * @throws the refusal if too many wait or the patience ends, and the signal's reason
   */
  async enter({ caller = '', weight = 1, patience, signal }: Entering = {}): Promise<Leave> {
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<Leave>()
    const waiting: Waiting = { caller, weight, enter: resolve }
    this.#note(waiting, 1)
    this.#admit()
    if (!this.#waiting.has(waiting)) return promise
    const giveUp = (error: unknown): void => {
      if (!this.#waiting.has(waiting)) return
      this.#note(waiting, -1)
      this.#admit()
      reject(error)
    }
    const { maxWaiting, refuse, spread } = this.#options
    if (this.#callers.get(caller)!.waiting > maxWaiting) giveUp(refuse())
    const timer = patience === undefined ? undefined : setTimeout(() => spread(() => giveUp(refuse())), patience)
    const abort = (): void => giveUp(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    })
  }

  /** Takes free room at once, behind waiting callers. `isInside`: the caller already holds room, and would wait for itself. */
  tryEnter({ caller = '', weight = 1, isInside = false }: Omit<Entering, 'signal'> & { isInside?: boolean } = {}):
    | Leave
    | undefined {
    const isFree = this.#waiting.size === 0 && this.#hasRoom(weight) && this.#hasShare(caller, weight)
    return isInside || isFree ? this.#take(caller, weight) : undefined
  }

  /** If a caller waits because the room itself is full, not the caller's share, nobody overtakes this caller. */
  #admit(): void {
    for (const waiting of this.#waiting) {
      const { caller, weight, enter } = waiting
      if (!this.#hasRoom(weight)) return
      if (!this.#hasShare(caller, weight)) continue
      const leave = this.#take(caller, weight)
      this.#note(waiting, -1)
      enter(leave)
    }
  }

  #hasRoom(weight: number): boolean {
    return this.#taken === 0 || this.#taken + weight <= this.#options.size
  }

  #hasShare(caller: string, weight: number): boolean {
    const held = this.#callers.get(caller)?.held ?? 0
    return held === 0 || held + weight <= this.#options.perCaller
  }

  #take(caller: string, weight: number): Leave {
    this.#hold(caller, weight)
    return () => {
      this.#hold(caller, -weight)
      this.#admit()
    }
  }

  #hold(caller: string, weight: number): void {
    this.#taken += weight
    this.#change(caller, weight, 0)
  }

  #note(waiting: Waiting, count: 1 | -1): void {
    if (count === 1) this.#waiting.add(waiting)
    else this.#waiting.delete(waiting)
    this.#change(waiting.caller, 0, count)
  }

  #change(caller: string, held: number, waiting: number): void {
    const before = this.#callers.get(caller)
    const after = { held: (before?.held ?? 0) + held, waiting: (before?.waiting ?? 0) + waiting }
    if (after.held === 0 && after.waiting === 0) this.#callers.delete(caller)
    else this.#callers.set(caller, after)
  }
}

/** The refusal after too long a wait. */
export function tooMany(what: string, retryAfter = 1): PimletError {
  return new PimletError('UNAVAILABLE', `Too many ${what} at once: try again later`, { retryAfter })
}
