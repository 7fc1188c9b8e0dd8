// Wakes the requests that wait for the next change, some after each commit, so that other requests have their turn.
// Contract 3 §3.
import { PimletError } from '../../kernel/errors.ts'
import type { News } from '../../store/port.ts'
import type { Caller } from '../accounts/caller.ts'
import { assertPermission } from '../accounts/rules/permissions.ts'

export const MAX_WAITING_PER_CALLER = 20
/** Requests that are woken in one turn of the event loop: each then reads the feed. */
const TOLD_AT_ONCE = 8

export class ChangeBell {
  readonly #perCaller = new Map<string, number>()
  /** How to tell each, the longest waiting first. */
  readonly #waiting = new Set<() => void>()
  /** The waiting requests that are to be woken. */
  readonly #due = new Set<() => void>()
  #rung = 0
  #isClosed = false

  /** Called with every commit. */
  alsoTell: (() => void) | undefined
  /** Called with the commits of other servers. */
  onNews: ((news: News) => void) | undefined

  /** Rises with every commit. */
  get rung(): number {
    return this.#rung
  }

  /** Something was committed. */
  readonly ring = (): void => {
    this.#rung += 1
    this.alsoTell?.()
    if (this.#waiting.size === 0) return
    if (this.#due.size === 0) setImmediate(this.#tellSome)
    for (const tell of this.#waiting) this.#due.add(tell)
  }

  /** Another server has committed something. */
  hear(news: News): void {
    this.ring()
    this.onNews?.(news)
  }

  /**
   * Looks again after commits, until there is news, the time is over, the signal is aborted or the bell is closed. Resolves
   * to the last result of looking, and to the caller with the rights of that moment.
   * @param newsIn milliseconds until the result is news; Infinity: the result is no news
   * @throws RATE_LIMITED
   * @throws UNAUTHORIZED, PERMISSION_DENIED if the caller's credential has ended, or lost the permission
   */
  async lookForNews<Seen>(
    caller: Caller,
    { seconds, signal }: { readonly seconds: number; readonly signal: AbortSignal },
    look: (caller: Caller) => Promise<Seen>,
    newsIn: (seen: Seen) => number,
  ): Promise<{ readonly seen: Seen; readonly caller: Caller }> {
    const end = performance.now() + seconds * 1000
    let leave: (() => void) | undefined
    try {
      for (;;) {
        const since = this.#rung
        const seen = await look(caller)
        const milliseconds = Math.min(newsIn(seen), end - performance.now())
        if (milliseconds <= 0 || signal.aborted || this.#isClosed) {
          const present = leave === undefined ? caller : await presentOf(caller)
          return { seen: present.role === caller.role ? seen : await look(present), caller: present }
        }
        if (this.#rung !== since) continue
        // Kept while it looks again: a request that has waited is not refused for a later one.
        leave ??= this.#takePlace(caller.id)
        await this.#waitFor(milliseconds, signal)
      }
    } finally {
      leave?.()
    }
  }

  /** Returns a function that gives the place back. @throws RATE_LIMITED */
  #takePlace(callerId: string): () => void {
    const others = this.#perCaller.get(callerId) ?? 0
    if (others >= MAX_WAITING_PER_CALLER) {
      const message = `Too many requests that wait for changes: one caller may have ${MAX_WAITING_PER_CALLER} at once`
      throw new PimletError('RATE_LIMITED', message, { retryAfter: 1 })
    }
    this.#perCaller.set(callerId, others + 1)
    return () => {
      const left = this.#perCaller.get(callerId)! - 1
      if (left === 0) this.#perCaller.delete(callerId)
      else this.#perCaller.set(callerId, left)
    }
  }

  /** The server stops: wakes all requests, and later ones at once. */
  close(): void {
    this.#isClosed = true
    for (const tell of this.#waiting) tell()
  }

  #waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const tell = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', tell)
        this.#waiting.delete(tell)
        this.#due.delete(tell)
        resolve()
      }
      const timer = setTimeout(tell, milliseconds)
      signal.addEventListener('abort', tell, { once: true })
      this.#waiting.add(tell)
    })
  }

  readonly #tellSome = (): void => {
    let told = 0
    for (const tell of this.#due) {
      tell()
      told += 1
      if (told === TOLD_AT_ONCE) break
    }
    if (this.#due.size > 0) setImmediate(this.#tellSome)
  }
}

/** The milliseconds of `lookForNews` for something that is news at once, or is none. */
export function newsNow(isNews: boolean): number {
  return isNews ? 0 : Infinity
}

/** @throws UNAUTHORIZED, PERMISSION_DENIED */
async function presentOf(caller: Caller): Promise<Caller> {
  const present = (await caller.again?.()) ?? caller
  if (caller.permission !== undefined) assertPermission(present.role, caller.permission)
  return present
}
