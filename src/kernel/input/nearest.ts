// Finds the known name that an unknown name may have meant.

/** Characters. Longer names are not compared: the work grows with the square of the length. */
const MAX_LENGTH = 64
/** The share of a name's characters that may be wrong, missing, added or swapped. */
const TOLERANCE = 0.4

/** The one of `known` that `name` is a misspelling of, or undefined; of several the first. Case does not matter. */
export function findNearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined
  const folded = name.toLowerCase()
  const distances = known.map((candidate) => editDistance(folded, candidate.toLowerCase()))
  const least = Math.min(...distances)
  return least <= Math.max(1, Math.floor(name.length * TOLERANCE)) ? known[distances.indexOf(least)] : undefined
}

/**
 * The optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours between the texts,
 * where no character is edited twice.
 */
export function editDistance(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        row > 1 && column > 1 && isSwapped ? beforeLast[column - 2]! + 1 : Infinity,
      )
    }
    beforeLast = last
    last = current
  }
  return last[other.length]!
}
