// The counts of the login throttle: failures of the last 15 minutes, attempts under way, and recent subjects. Each
// count is bounded, for any names that strangers invent.
import type { LoginFailure } from '../../store/account-port.ts'

const WINDOW_MILLISECONDS = 15 * 60_000
/** More than can fail within 15 minutes, at the speed at which passwords are hashed. Beyond it the oldest are forgotten. */
const MAX_SUBJECTS = 20_000

/** The times of the latest failures of each subject within the last 15 minutes. */
export class FailureCounts {
  /** Oldest first. A Map keeps the order in which its keys were set: oldest first too. */
  readonly #times = new Map<string, number[]>()
  readonly #now: () => number
  readonly #max: number

  /** `now`: milliseconds; `max`: how many of one subject are remembered. */
  constructor(now: () => number, max: number) {
    this.#now = now
    this.#max = max
  }

  count(subject: string): number {
    return this.#recent(subject).length
  }

  /** Returns the time in milliseconds at which fewer than `count` are left; undefined: fewer are left now. */
  whenFewer(subject: string, count: number): number | undefined {
    const decisive = this.#recent(subject).at(-count)
    return decisive === undefined ? undefined : decisive + WINDOW_MILLISECONDS
  }

  add(subject: string): void {
    const times = [...this.#recent(subject), this.#now()].slice(-this.#max)
    this.#times.delete(subject)
    this.#times.set(subject, times)
    forgetOldest(this.#times, MAX_SUBJECTS)
  }

  /** Replaces the times of a subject by those of all servers; the oldest is first. */
  put(subject: string, times: readonly number[]): void {
    this.#times.delete(subject)
    if (times.length > 0) this.#times.set(subject, times.slice(-this.#max))
    forgetOldest(this.#times, MAX_SUBJECTS)
  }

  forget(subject: string): void {
    this.#times.delete(subject)
  }

  /** The time from which failures count. */
  get since(): number {
    return this.#now() - WINDOW_MILLISECONDS
  }

  #recent(subject: string): number[] {
    const { since } = this
    return (this.#times.get(subject) ?? []).filter((time) => time > since)
  }
}

/** The oldest first. Two servers may report the same failure. */
export function timesOf(failures: readonly LoginFailure[]): number[] {
  return [...new Map(failures.map(({ id, at }) => [id, at])).values()].toSorted((one, other) => one - other)
}

/** The present number of each subject. */
export class Counts {
  readonly #counts = new Map<string, number>()
  #total = 0

  get total(): number {
    return this.#total
  }

  of(subject: string): number {
    return this.#counts.get(subject) ?? 0
  }

  add(...subjects: readonly string[]): void {
    for (const subject of subjects) this.#change(subject, 1)
  }

  remove(...subjects: readonly string[]): void {
    for (const subject of subjects) this.#change(subject, -1)
  }

  #change(subject: string, difference: 1 | -1): void {
    const count = this.of(subject) + difference
    if (count === 0) this.#counts.delete(subject)
    else this.#counts.set(subject, count)
    this.#total += difference
  }
}

/** The latest subjects that were added. */
export class LatestSet {
  readonly #subjects = new Map<string, true>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  has(subject: string): boolean {
    return this.#subjects.has(subject)
  }

  add(subject: string): void {
    this.#subjects.delete(subject)
    this.#subjects.set(subject, true)
    forgetOldest(this.#subjects, this.#max)
  }
}

function forgetOldest(map: Map<string, unknown>, max: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= max) break
    map.delete(oldest)
  }
}
