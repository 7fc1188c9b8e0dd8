// Which records a search is for, without their order and without paging: of a search, and of what works on all matches.
import * as v from 'valibot'
import type { Criteria } from './criteria.ts'
import { exactObject } from '../input/exact-object.ts'
import { CRITERIA_MEMBERS } from './saved-queries.ts'

export const SELECTION_MEMBERS = {
  ...CRITERIA_MEMBERS,
  schemaId: v.optional(v.nullable(v.string('must be a string'))),
}

/** As a client sends it, where it is a body of its own. */
export const SelectionInput = exactObject(SELECTION_MEMBERS)

export interface Selection extends Criteria {
  /** Null, or not there: records of every schema. */
  readonly schemaId?: string | null | undefined
}
