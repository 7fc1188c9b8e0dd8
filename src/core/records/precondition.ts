// If-Match as services see it: a change may go ahead only while its target is in the state that the client saw. Contract 2 §1.
import { PimletError } from '../../kernel/errors.ts'

/** Versions; the present version must be among them. `'*'`: any version; undefined: the last write wins. */
export type IfMatch = readonly number[] | '*' | undefined

/** @throws PRECONDITION_FAILED where `version` is not among those that the client named */
export function assertMatches(ifMatch: IfMatch, version: number): void {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch.includes(version)) return
  throw new PimletError(
    'PRECONDITION_FAILED',
    'If-Match does not name the current version: the record has changed since',
  )
}
