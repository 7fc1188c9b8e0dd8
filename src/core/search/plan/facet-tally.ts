// What is counted of one facet, and how it is told. Contract 3 §1, 3 §10.
import type { EqualityKey } from '../../datatypes/data-type.ts'
import type { FacetCount, orderOfFacet } from '../rules/facets.ts'

/** How many records have each value, or where values are in order, the ends of all. */
export class FacetTally {
  readonly order: ReturnType<typeof orderOfFacet>
  readonly #counts = new Map<EqualityKey, number>()
  #min = Infinity
  #max = -Infinity
  /** Records that have a value. */
  withValue = 0

  constructor(order: FacetTally['order']) {
    this.order = order
  }

  /** One record. */
  add(keys: readonly EqualityKey[]): void {
    if (keys.length > 0) this.withValue += 1
    for (const key of keys) this.count(key, 1)
  }

  count(key: EqualityKey, records: number): void {
    if (this.order !== undefined) {
      this.#min = Math.min(this.#min, Number(key))
      this.#max = Math.max(this.#max, Number(key))
    } else this.#counts.set(key, (this.#counts.get(key) ?? 0) + records)
  }

  /** @param total of all records that were counted @param limit of the values that are told, the largest first */
  result(total: number, limit: number): FacetCount {
    const missing = total - this.withValue
    const ordered = this.order
    if (ordered === undefined) {
      const values = [...this.#counts].map(([value, count]) => ({ value: String(value), count }))
      values.sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
      return { values: values.slice(0, limit), missing }
    }
    const show = (key: number): number | string | null => {
      if (!Number.isFinite(key)) return null
      if (ordered.order === 'number') return key
      return new Date(key).toISOString().slice(0, ordered.isDay ? 10 : undefined)
    }
    return { min: show(this.#min), max: show(this.#max), missing }
  }
}
