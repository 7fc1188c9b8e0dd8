// The order of the table "value", in which rows are added in less time.
import type { IndexKey } from '../../search/sets.ts'

/** A row of "value". */
export type ValueRow = readonly [attribute: number, scope: number, key: IndexKey, record: number]

/** Nearly the order of the table; what is not quite in it costs time only. */
export function compareRows(a: ValueRow, b: ValueRow): number {
  return a[0] - b[0] || a[1] - b[1] || compareKeys(a[2], b[2]) || a[3] - b[3]
}

function compareKeys(a: IndexKey, b: IndexKey): number {
  if (typeof a === 'number' || typeof b === 'number')
    return typeof a === typeof b ? Number(a) - Number(b) : typeof a === 'number' ? -1 : 1
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b)
  return typeof a === 'string' ? -1 : typeof b === 'string' ? 1 : Buffer.compare(a, b)
}
