// The counts of one facet: records by value with their mean completeness, or the extremes of ordered values.
import type { EqualityKey } from '../../datatypes/data-type.ts'
import type { Facet, FacetCount, orderOfFacet } from '../rules/facets.ts'

export class FacetTally {
  readonly order: ReturnType<typeof orderOfFacet>
  readonly #counts = new Map<EqualityKey, number>()
  readonly #scores = new Map<EqualityKey, Mean>()
  readonly #missing = new Mean()
  readonly #isScored: boolean
  #min = Infinity
  #max = -Infinity
  /** The number of records that have a value. */
  withValue = 0

  constructor(order: FacetTally['order'], { completeness }: Facet) {
    this.order = order
    this.#isScored = completeness !== undefined
  }

  /** Adds one record. @param percentage of the record, if the facet scores records */
  add(keys: readonly EqualityKey[], percentage?: number): void {
    if (keys.length > 0) this.withValue += 1
    for (const key of keys) this.count(key, 1)
    if (percentage === undefined) return
    if (keys.length === 0) this.score(undefined, percentage, 1)
    for (const key of keys) this.score(key, percentage, 1)
  }

  /** @param key undefined: records without a value */
  score(key: EqualityKey | undefined, percentages: number, records: number): void {
    const mean = key === undefined ? this.#missing : this.#scoresOf(key)
    mean.add(percentages, records)
  }

  count(key: EqualityKey, records: number): void {
    if (this.order !== undefined) {
      this.#min = Math.min(this.#min, Number(key))
      this.#max = Math.max(this.#max, Number(key))
    } else this.#counts.set(key, (this.#counts.get(key) ?? 0) + records)
  }

  /**
   * @param total of all counted records
   * @param limit of the returned values, which are the most frequent
   */
  result(total: number, limit: number): FacetCount {
    const missing = total - this.withValue
    const ordered = this.order
    if (ordered === undefined) return this.#values(missing, limit)
    const show = (key: number): number | string | null => {
      if (!Number.isFinite(key)) return null
      if (ordered.order === 'number') return key
      return new Date(key).toISOString().slice(0, ordered.isDay ? 10 : undefined)
    }
    return { min: show(this.#min), max: show(this.#max), missing }
  }

  #values(missing: number, limit: number): FacetCount {
    const counts = [...this.#counts].map(([value, count]) => ({ value: String(value), count, key: value }))
    counts.sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
    const values = counts.slice(0, limit).map(({ value, count, key }) => ({
      value,
      count,
      ...(this.#isScored ? { completeness: this.#scores.get(key)?.value ?? null } : {}),
    }))
    return { values, missing, ...(this.#isScored ? { missingCompleteness: this.#missing.value } : {}) }
  }

  #scoresOf(key: EqualityKey): Mean {
    const known = this.#scores.get(key)
    if (known !== undefined) return known
    const mean = new Mean()
    this.#scores.set(key, mean)
    return mean
  }
}

/** A mean of whole percentages, so the sum is exact in any order. */
class Mean {
  #sum = 0
  #count = 0

  /** @param percentages the sum of all records */
  add(percentages: number, records: number): void {
    this.#sum += percentages
    this.#count += records
  }

  /** The mean, with one decimal; null: nothing was added. */
  get value(): number | null {
    return this.#count === 0 ? null : Math.round((10 * this.#sum) / this.#count) / 10
  }
}
