// Counts a facet by lists of the index: each list contains the records of a value, and some of them are found.
import type { EqualityKey } from '../../datatypes/data-type.ts'
import type { FacetTally } from './facet-tally.ts'
import { memberTest, type Numbers } from './record-numbers.ts'
import type { RecordScores } from './record-scores.ts'

export class ListTally {
  readonly #tally: FacetTally
  readonly #members: Numbers
  readonly #isMember: (record: number) => boolean
  readonly #scores: RecordScores | undefined
  readonly #hasValue: Uint8Array

  /** @param scores undefined: the facet needs none */
  constructor(tally: FacetTally, members: Numbers, scores: RecordScores | undefined) {
    this.#tally = tally
    this.#members = members
    this.#isMember = memberTest(members)
    this.#scores = scores
    this.#hasValue = new Uint8Array((members.at(-1) ?? 0) + 1)
  }

  /** Adds records of a value. Each record comes once with the same value. */
  add(value: EqualityKey, records: Iterable<number>): void {
    let [count, percentages, scored] = [0, 0, 0]
    for (const record of records) {
      if (!this.#isMember(record)) continue
      count += 1
      if (this.#hasValue[record] === 0) this.#tally.withValue += 1
      this.#hasValue[record] = 1
      const percentage = this.#scores?.of(record)
      if (percentage === undefined) continue
      percentages += percentage
      scored += 1
    }
    if (count > 0) this.#tally.count(value, count)
    if (scored > 0) this.#tally.score(value, percentages, scored)
  }

  /** Call this method last. */
  addMissing(): void {
    if (this.#scores === undefined) return
    for (const record of this.#members) {
      const percentage = this.#hasValue[record] === 0 ? this.#scores.of(record) : undefined
      if (percentage !== undefined) this.#tally.score(undefined, percentage, 1)
    }
  }
}
