// Cuts rows into slices, so that no table must be in memory as a whole.
import type { MovedRow } from './tables.ts'

const ROWS = 500
/** The most bytes of texts and blobs in a slice; a larger row is its own slice. */
const CHARACTERS = 1024 * 1024

export function* toSlices(rows: Iterable<MovedRow>): Generator<MovedRow[], void> {
  let slice: MovedRow[] = []
  let size = 0
  for (const row of rows) {
    slice.push(row)
    size += sizeOf(row)
    if (!isFull(slice.length, size)) continue
    yield slice
    slice = []
    size = 0
  }
  if (slice.length > 0) yield slice
}

/** Cuts rows into slices when their sizes are known before the rows are read. */
export function toSlicesBySize<Row extends { readonly size: number }>(rows: readonly Row[]): Row[][] {
  const slices: Row[][] = []
  let size = 0
  for (const row of rows) {
    const last = slices.at(-1)
    if (last === undefined || isFull(last.length, size)) {
      slices.push([row])
      size = row.size
    } else {
      last.push(row)
      size += row.size
    }
  }
  return slices
}

function isFull(rows: number, size: number): boolean {
  return rows >= ROWS || size >= CHARACTERS
}

function sizeOf(row: MovedRow): number {
  let size = 0
  for (const cell of row) if (typeof cell === 'string' || Buffer.isBuffer(cell)) size += cell.length
  return size
}
