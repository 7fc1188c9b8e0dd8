// The rows of a sheet with groups: a head for each group, then its records unless the group is folded. Pure.

interface LaidGroup {
  readonly count: number
  readonly isFolded: boolean
}

/** A run of records of one group, both ends included. */
export interface GroupSpan {
  readonly group: number
  readonly first: number
  readonly last: number
}

export class GroupLayout {
  readonly #groups: readonly LaidGroup[]
  /** The row of each head, then the number of rows. */
  readonly #heads: number[] = [0]
  /** The number of records before each group, then of all. */
  readonly #before: number[] = [0]

  constructor(groups: readonly LaidGroup[]) {
    this.#groups = groups
    for (const { count, isFolded } of groups) {
      this.#heads.push(this.#heads.at(-1)! + 1 + (isFolded ? 0 : count))
      this.#before.push(this.#before.at(-1)! + count)
    }
  }

  get length(): number {
    return this.#heads.at(-1)!
  }

  get records(): number {
    return this.#before.at(-1)!
  }

  /** Returns the group and record of a row. `record` -1: the head of the group. Undefined: the row does not exist. */
  at(row: number): { readonly group: number; readonly record: number } | undefined {
    if (row < 0 || row >= this.length) return undefined
    let [low, high] = [0, this.#groups.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.#heads[middle]! <= row) low = middle
      else high = middle - 1
    }
    return { group: low, record: row - this.#heads[low]! - 1 }
  }

  headOf(group: number): number {
    return this.#heads[group]!
  }

  /** Undefined: the group is folded. */
  rowOf(group: number, record: number): number | undefined {
    return this.#groups[group]!.isFolded ? undefined : this.#heads[group]! + 1 + record
  }

  /** Returns the number of records before the row, including those of folded groups. */
  numberOf(row: number): number {
    const { group, record } = this.at(row) ?? { group: 0, record: -1 }
    return (this.#before[group] ?? 0) + Math.max(0, record)
  }

  /** The records in the rows from `first` to `last`. */
  within(first: number, last: number): GroupSpan[] {
    const spans: GroupSpan[] = []
    const from = this.at(Math.max(0, first))
    for (let group = from?.group ?? this.#groups.length; group < this.#groups.length; group += 1) {
      const begin = this.#heads[group]! + 1
      if (begin > last) break
      const end = this.#heads[group + 1]! - 1
      const span = { group, first: Math.max(first, begin) - begin, last: Math.min(last, end) - begin }
      if (span.last >= span.first) spans.push(span)
    }
    return spans
  }
}
