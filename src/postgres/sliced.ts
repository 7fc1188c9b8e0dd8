// Reads large rows in slices. A cursor fetches the keys and sizes of rows, so that each read fetches one slice.
import { type SliceLimits, toSlices } from '../store/slices.ts'
import type { Connection } from './connection.ts'

export interface Sized {
  /** Bytes. */
  readonly size: number
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
    yield* toSlices(rows, limits, ({ size }) => size)
  }
  await connection.script(`CLOSE ${cursor}`)
}
