// Wakes the requests that wait for the next change. After each commit, some requests wake in each turn, so that other
// requests can run. Contract 3 §3.
import { PimletError } from '../../kernel/errors.ts'
import type { News } from '../../store/port.ts'
import type { Caller } from '../accounts/caller.ts'
import { assertPermission } from '../accounts/rules/permissions.ts'

export const MAX_WAITING_PER_CALLER = 20
/** The number of requests that wake in one turn of the event loop: each then reads the feed. */
const TOLD_AT_ONCE = 8

export class ChangeBell {
  readonly #perCaller = new Map<string, number>()
  /** Functions that wake the waiting requests, the longest waiting first. */
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

  /** Notes that something was committed. */
  readonly ring = (): void => {
    this.#rung += 1
    this.alsoTell?.()
    if (this.#waiting.size === 0) return
    if (this.#due.size === 0) setImmediate(this.#tellSome)
    for (const tell of this.#waiting) this.#due.add(tell)
  }

  /** Called when another server has committed something. */
  hear(news: News): void {
    this.ring()
    this.onNews?.(news)
  }

  /**
   * Looks again after commits until the result is news. The end of the time, the signal, and closing the bell also end
   * the wait. Resolves to the last result, and to the caller with the rights of that moment.
   * @param newsIn milliseconds until the result is news; Infinity: the result is no news
   * @throws RATE_LIMITED
   * @throws UNAUTHORIZED, PERMISSION_DENIED if the caller loses access meanwhile
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
        // The place is held during further looks, so that no later request displaces a waiting one.
        leave ??= this.#takePlace(caller.id)
        await this.#waitFor(milliseconds, signal)
      }
    } finally {
      leave?.()
    }
  }

  /** Takes a place. Returns a function that releases the place. @throws RATE_LIMITED */
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

  /** Wakes all requests because the server stops; later requests do not wait. */
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

/** Returns `newsIn` of `lookForNews`, for a result that is news at once or is no news. */
export function newsNow(isNews: boolean): number {
  return isNews ? 0 : Infinity
}

/** @throws UNAUTHORIZED, PERMISSION_DENIED */
async function presentOf(caller: Caller): Promise<Caller> {
  const present = (await caller.again?.()) ?? caller
  if (caller.permission !== undefined) assertPermission(present.role, caller.permission)
  return present
}
