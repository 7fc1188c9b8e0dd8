// Finds the number of an item between those of its neighbours, in an order by numbers. If no such number is left, a few
// other items also move. Contract 3 §7 (categories), 3 §11 (records of a category).

/** An item in an order: by `sortOrder`, and items with the same `sortOrder` by `place`, if `place` is known. */
export interface Placed {
  readonly id: string
  readonly sortOrder: number
  /** The place in the order of creation: older items come first. */
  readonly place?: number | undefined
}

interface Move {
  readonly moved: Placed
  /** The item before the new place; undefined: the moved item becomes the first. */
  readonly previous: Placed | undefined
  /**
   * The items after the new place, in order: all with the `sortOrder` of the first of them, and one more. Empty: the
   * moved item becomes the last.
   */
  readonly following: readonly Placed[]
}

/**
 * Returns ID → new `sortOrder` of items that move; empty: the item is in its place. Undefined: the numbers leave no
 * room.
 */
export function planMove({ moved, previous, following }: Move): ReadonlyMap<string, number> | undefined {
  const next = following[0]
  const fits = (sortOrder: number): boolean => {
    const it = { ...moved, sortOrder }
    return Number.isFinite(sortOrder) && isBehind(previous, it) && isBehind(it, next)
  }
  if (moved.place !== undefined && fits(moved.sortOrder)) return new Map()
  const free = between(previous?.sortOrder, next?.sortOrder, moved.sortOrder)
  if (fits(free)) return new Map([[moved.id, free]])
  return next === undefined ? undefined : pushAside(moved, following)
}

/** Returns numbers from 1 for all `ids`, in their order. */
export function renumber(ids: readonly string[]): ReadonlyMap<string, number> {
  return new Map(ids.map((id, index) => [id, index + 1]))
}

function between(low: number | undefined, high: number | undefined, otherwise: number): number {
  if (low === undefined) return high === undefined ? otherwise : high - 1
  return high === undefined ? low + 1 : low + (high - low) / 2
}

/** Moves items with the same number aside by one third; they keep their order. */
function pushAside(moved: Placed, following: readonly Placed[]): ReadonlyMap<string, number> | undefined {
  const low = following[0]!.sortOrder
  const tied = following.filter(({ sortOrder }) => sortOrder === low)
  const high = following[tied.length]?.sortOrder ?? low + 3
  const [first, second] = [low + (high - low) / 3, low + ((high - low) * 2) / 3]
  if (!(low < first && first < second && second < high && Number.isFinite(high))) return undefined
  return new Map([[moved.id, first], ...tied.map(({ id }) => [id, second] as const)])
}

function isBehind(one: Placed | undefined, other: Placed | undefined): boolean {
  if (one === undefined || other === undefined || one.sortOrder < other.sortOrder) return true
  if (one.sortOrder > other.sortOrder || one.place === undefined || other.place === undefined) return false
  return one.place < other.place
}
