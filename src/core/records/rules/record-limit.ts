// The number of records after an import, and the limit for this number. Contract 3 §4.
import * as v from 'valibot'
import type { OutputOf } from '../../../kernel/input/validation.ts'
import { PimletError } from '../../../kernel/errors.ts'

const RecordLimitShape = v.object({
  records: v.pipe(v.number(), v.description('The number of records after the import, variants included.')),
  max: v.pipe(v.number(), v.description('The maximum number of records.')),
})
export type RecordLimit = OutputOf<typeof RecordLimitShape>

/** In a dry run of an import that would exceed the record limit. */
export const LimitMember = v.optional(
  v.pipe(
    RecordLimitShape,
    v.description('In a dry run: the import would exceed the record limit, so the server would refuse it.'),
  ),
)

/**
 * Returns the passed limit if an import creates `created` records; undefined: the limit is kept.
 * @param records number of records after the import @param max 0: no limit
 */
export function limitPassed(created: number, records: number, max: number): RecordLimit | undefined {
  return max > 0 && created > 0 && records > max ? { records, max } : undefined
}

/** @param isWhole true: the whole file was read */
export function limitError({ records, max }: RecordLimit, isWhole: boolean): PimletError {
  const count = isWhole ? `${records}` : `${records} or more`
  const message = `The import would pass the record limit of this workspace: there would be ${count} records, and there may be ${max} (--max-records)`
  return new PimletError('LIMIT_EXCEEDED', message)
}
