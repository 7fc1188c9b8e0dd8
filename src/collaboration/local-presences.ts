// Where people are at the moment, in the memory of a server. Contract 5 §8.
import type { Presences } from '../store/presence-port.ts'
import { MAX_PER_MINUTE, MAX_PRESENT, type Presence, PRESENCE_LASTS } from './rules/present-person.ts'

/** Presences in memory, for the only server of a workspace. */
export class LocalPresences implements Presences {
  readonly #now: () => number
  /** By user, the latest last. */
  readonly #present = new Map<string, Presence & { readonly until: number }>()

  constructor(now: () => number) {
    this.#now = now
  }

  async put(presence: Presence): Promise<void> {
    const now = this.#now()
    this.#present.delete(presence.userId)
    this.#present.set(presence.userId, { ...presence, until: now + PRESENCE_LASTS })
    // The first ones came first, and end first.
    for (const [userId, { until }] of this.#present) {
      if (until > now && this.#present.size <= MAX_PRESENT) break
      this.#present.delete(userId)
    }
  }

  async leave(userId: string): Promise<void> {
    this.#present.delete(userId)
  }

  async among(recordIds: readonly string[], limit: number): Promise<Presence[]> {
    const [asked, now] = [new Set(recordIds), this.#now()]
    const found: Presence[] = []
    for (const { until, userId, recordId, attributeAlias } of this.#present.values())
      if (until > now && asked.has(recordId) && found.length < limit) found.push({ userId, recordId, attributeAlias })
    return found
  }
}

/** Counts requests of each person in the present minute. */
export class MinuteCounts {
  readonly #now: () => number
  readonly #counts = new Map<string, number>()
  #minute = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** @returns seconds until the next minute if the person has asked too often; undefined: the person may ask */
  take(userId: string): number | undefined {
    const minute = Math.floor(this.#now() / 60_000)
    if (minute !== this.#minute) this.#counts.clear()
    this.#minute = minute
    const count = (this.#counts.get(userId) ?? 0) + 1
    this.#counts.set(userId, count)
    return count > MAX_PER_MINUTE ? Math.ceil(((minute + 1) * 60_000 - this.#now()) / 1000) : undefined
  }
}
