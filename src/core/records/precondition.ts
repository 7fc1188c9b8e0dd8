// If-Match for services: a change may happen only while its target is in the state that the client saw. Contract 2 §1.
import { PimletError } from '../../kernel/errors.ts'

/** Versions; the present version must be among them. `'*'`: any version; undefined: the last write wins. */
export type IfMatch = readonly number[] | '*' | undefined

/** @throws PRECONDITION_FAILED if the client did not name `version` */
export function assertMatches(ifMatch: IfMatch, version: number): void {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch.includes(version)) return
  throw new PimletError(
    'PRECONDITION_FAILED',
    'If-Match does not name the current version: the record has changed since',
  )
}
