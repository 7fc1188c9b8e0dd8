// Saved queries: a search under a name. Contract 1 §2.8.
import * as v from 'valibot'
import { CRITERIA_OPERATORS, CriteriaInput } from './criterion.ts'
import type { Criteria } from './criteria.ts'
import { exactObject } from '../input/exact-object.ts'
import { Name, NewId } from '../input/validation.ts'

export const CRITERIA_MEMBERS = {
  criteria: CriteriaInput,
  criteriaOperator: v.picklist(CRITERIA_OPERATORS, "must be 'and' or 'or'"),
}

export const SavedQueryInput = exactObject(
  {
    id: v.optional(NewId),
    name: Name,
    schemaId: v.optional(v.nullable(v.string('must be a string')), null),
    ...CRITERIA_MEMBERS,
  },
  ['createdBy'],
)

export interface SavedQuery extends Criteria {
  readonly id: string
  readonly name: string
  readonly schemaId: string | null
  readonly createdBy: string
}
