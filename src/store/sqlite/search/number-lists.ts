// Lists of record numbers as parameters of a statement.
import type { Numbers } from '../../../core/search/plan/record-numbers.ts'

/** As JSON. */
export function listOf(records: Numbers): string {
  return `[${records.join(',')}]`
}
