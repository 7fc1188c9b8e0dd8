// How many records there would be after an import, and how many there may be. Contract 3 §4.
import { PimletError } from '../../../kernel/errors.ts'

export interface RecordLimit {
  /** The number of records after the import, variants included. */
  readonly records: number
  /** The limit. */
  readonly max: number
}

/**
 * Where an import that makes `created` records passes the limit; undefined: it does not.
 * @param records that there would be
 * @param max 0: no limit
 */
export function limitPassed(created: number, records: number, max: number): RecordLimit | undefined {
  return max > 0 && created > 0 && records > max ? { records, max } : undefined
}

/** `isWhole`: whether all of the file was looked at. */
export function limitError({ records, max }: RecordLimit, isWhole: boolean): PimletError {
  const count = isWhole ? `${records}` : `${records} or more`
  const message = `The import would pass the record limit of this workspace: there would be ${count} records, and there may be ${max} (--max-records)`
  return new PimletError('LIMIT_EXCEEDED', message)
}
