// Cuts rows into slices, so that no table must be in memory as a whole.

/** A slice ends with the row that reaches one of the limits. */
export interface SliceLimits {
  readonly rows: number
  /** Bytes, or characters. */
  readonly size: number
}

export function* toSlices<Row>(
  rows: Iterable<Row>,
  limits: SliceLimits,
  sizeOf: (row: Row) => number,
): Generator<Row[], void> {
  let slice: Row[] = []
  let size = 0
  for (const row of rows) {
    slice.push(row)
    size += sizeOf(row)
    if (slice.length < limits.rows && size < limits.size) continue
    yield slice
    slice = []
    size = 0
  }
  if (slice.length > 0) yield slice
}
