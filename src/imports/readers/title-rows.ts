// Titles above the table of a sheet: `Price list 2026`, the date, and then the header. Contract 3 §4.

/** Rows that are looked at for the header. */
export const LOOKED_AT = 20

/**
 * The number of rows above the header. Only a first row of one cell can be a title: the table below is wider, so the one
 * cell cannot be its header.
 * @param filled numbers of filled cells of the first rows
 */
export function titlesAbove(filled: readonly number[]): number {
  const widest = Math.max(...filled)
  if (filled[0] !== 1 || widest < 2) return 0
  const at = filled.findIndex((count) => count > widest / 2)
  const below = filled.slice(at)
  const isTable = below.filter((count) => count > 1).length > below.length / 2
  return isTable && (below.length > 1 || widest > 2) ? at : 0
}
