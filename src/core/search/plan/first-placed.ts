// Keeps the first of many records in an order of sort values.
import { compareSortValues, type SearchPosition as Placed, type SortKey } from '../rules/sorting.ts'

/** The number of records beyond the wanted ones that are held until the next sorting. */
const SPARE = 1000

/** Takes any number of records, and keeps the first `wanted` after `start`: memory does not grow with the records. */
export class FirstPlaced {
  readonly #keys: readonly SortKey[]
  readonly #start: Placed | undefined
  readonly #wanted: number
  #placed: Placed[] = []

  /** @param wanted may be Infinity */
  constructor(keys: readonly SortKey[], start: Placed | undefined, wanted: number) {
    this.#keys = keys
    this.#start = start
    this.#wanted = wanted
  }

  add(placed: Placed): void {
    if (this.#start !== undefined && comparePlaced(placed, this.#start, this.#keys) <= 0) return
    this.#placed.push(placed)
    if (this.#placed.length >= 2 * this.#wanted + SPARE) this.#placed = this.inOrder()
  }

  inOrder(): Placed[] {
    return this.#placed.toSorted((one, other) => comparePlaced(one, other, this.#keys)).slice(0, this.#wanted)
  }
}

/** Negative if `one` comes first. Ties are broken by age. */
function comparePlaced(one: Placed, other: Placed, keys: readonly SortKey[]): number {
  for (const [index, { direction }] of keys.entries()) {
    const order = compareSortValues(one.values[index], other.values[index], direction)
    if (order !== 0) return order
  }
  return one.record - other.record
}
