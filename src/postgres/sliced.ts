// Reads large rows in slices. A cursor fetches the keys and sizes of rows, so that each read fetches one slice.
import type { Connection } from './connection.ts'

export interface Sized {
  /** Bytes. */
  readonly size: number
}

/** A slice ends with the row that reaches one of the limits. */
interface SliceLimits {
  readonly rows: number
  readonly bytes: number
}

let cursors = 0

/** Yields slices, within a transaction of `connection`. @param sql selects a column `size`, and the key of each row */
export async function* readSliced<Row extends Sized>(
  connection: Connection,
  { sql, values = [] }: { readonly sql: string; readonly values?: readonly unknown[] },
  limits: SliceLimits,
): AsyncGenerator<Row[], void> {
  const cursor = `sliced_${(cursors += 1)}`
  await connection.planned(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`, values)
  for (;;) {
    const rows = await connection.planned<Row>(`FETCH ${limits.rows * 10} FROM ${cursor}`)
    if (rows.length === 0) break
    yield* slicesOf(rows, limits)
  }
  await connection.script(`CLOSE ${cursor}`)
}

function* slicesOf<Row extends Sized>(rows: readonly Row[], limits: SliceLimits): Generator<Row[], void> {
  let slice: Row[] = []
  let size = 0
  for (const row of rows) {
    if (slice.length >= limits.rows || size >= limits.bytes) {
      yield slice
      slice = []
      size = 0
    }
    slice.push(row)
    size += row.size
  }
  yield slice
}
