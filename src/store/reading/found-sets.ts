// Caches the sets that the latest searches found: clients turn pages, change the order, and count facets of the same
// search.
import type { Numbers } from '../../core/search/plan/record-numbers.ts'
import type { RecordSet } from '../../core/search/plan/sets.ts'

/** Limit for kept record numbers plus characters of their sets. */
const MAX_KEPT = 100_000

/** The sets are valid while neither records nor index change. A new version deletes them. */
export class FoundSets {
  #version = ''
  #kept = 0
  readonly #found = new Map<string, Numbers>()

  /** @param version of records and index in the present snapshot */
  at(version: string): this {
    if (version !== this.#version) this.#forget()
    this.#version = version
    return this
  }

  /** @param schemas number of schemas searched, on which the meaning of a negation depends */
  async find(set: RecordSet, schemas: number, find: () => Promise<Numbers>): Promise<Numbers> {
    const key = `${schemas} ${JSON.stringify(set, finite)}`
    const known = this.#found.get(key)
    if (known !== undefined) return known
    const found = await find()
    this.#keep(key, found)
    return found
  }

  #keep(key: string, found: Numbers): void {
    const size = key.length + found.length
    if (size > MAX_KEPT) return
    if (this.#kept + size > MAX_KEPT) this.#forget()
    this.#kept += size
    // A view of a larger list would keep the memory of the whole list.
    this.#found.set(key, found.slice())
  }

  #forget(): void {
    this.#found.clear()
    this.#kept = 0
  }
}

/** Writes infinite numbers, which are bounds of ranges, as text: JSON has none. */
function finite(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}
