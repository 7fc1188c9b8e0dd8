// Walks records in the order of a value that is computed from index keys, such as completeness for a state. Many keys
// give one value, so all records of a value are read at once.
import { compareSortValues, type SortValue } from '../rules/sorting.ts'
import { groupKeys, listOfKeys } from './key-lists.ts'
import { NONE, type Numbers, uniteNumbers } from './record-numbers.ts'
import type { SearchIndex } from './search-index.ts'
import type { KeySet } from './sets.ts'
import type { IndexedSort, SortPlaces } from './sort-places.ts'
import type { Run } from './sort-walk.ts'

/** The keys of each value. */
type KeysByValue = Map<number, KeySet[]>

export class JudgedWalk {
  readonly #index: SearchIndex
  /** The values that come next. */
  readonly #values: (readonly [number, readonly KeySet[]])[]
  readonly #isMember: (record: number) => boolean

  private constructor(
    index: SearchIndex,
    values: (readonly [number, readonly KeySet[]])[],
    isMember: (record: number) => boolean,
  ) {
    this.#index = index
    this.#values = values
    this.#isMember = isMember
  }

  /**
   * Resolves to undefined if the index has too many different keys.
   * @param start first value of the walk
   * @param isMember false: the record is left out
   */
  static async from(
    index: SearchIndex,
    { direction, schemas }: IndexedSort,
    start: SortValue,
    isMember: (record: number) => boolean,
  ): Promise<JudgedWalk | undefined> {
    const values: KeysByValue = new Map()
    for (const schema of schemas) if (!(await addValues(schema, index, values))) return undefined
    const order = (one: SortValue, other: SortValue): number => compareSortValues(one, other, direction)
    const some = [...values].filter(([value]) => start === undefined || order(value, start) >= 0)
    const sorted = some.toSorted(([one], [other]) => order(one, other))
    return new JudgedWalk(index, sorted, isMember)
  }

  /** Returns all records with the next value; undefined: the end. */
  async next(): Promise<Run | undefined> {
    for (let found = this.#values.shift(); found !== undefined; found = this.#values.shift()) {
      const [value, sets] = found
      let records: Numbers = NONE
      for (const set of sets) records = uniteNumbers(records, await this.#index.read(set))
      const members = records.filter(this.#isMember)
      if (members.length > 0) return { value, records: members, isCut: false }
    }
    return undefined
  }
}

/** Returns false for too many keys. */
async function addValues({ order, places }: SortPlaces, index: SearchIndex, values: KeysByValue): Promise<boolean> {
  if (order.kind !== 'judged') return false
  const keys = await order.readKeys()
  if (keys === undefined) return false
  for (const [value, same] of await groupKeys(keys, order.valueOf, index)) {
    const lists = places.map(({ attribute, scope }) => listOfKeys({ attribute, scopes: scope }, same))
    values.set(value, [...(values.get(value) ?? []), ...lists])
  }
  return true
}
