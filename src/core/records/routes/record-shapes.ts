// Shapes of records, completeness and transitions that clients send and receive. Contract 1 §2.1–§2.5.
import { Percentage } from '../rules/combination-scores.ts'
import { UncheckedValues } from '../rules/record.ts'
import * as v from 'valibot'
import { MAX_EXPECTATIONS } from '../rules/scoped-patch.ts'
import { IssueShape } from '../../values/value-fault.ts'
import { MAX_ISSUES } from '../rules/record-issues.ts'
import { NewRecordId, Timestamp, Reference } from '../../../kernel/input/validation.ts'
import { parseScopeKey, ScopeShape } from '../../scopes/scope.ts'
import type { Referrer } from '../rules/referrer.ts'

export const ScopedValueShape = v.object({
  scope: ScopeShape,
  value: v.pipe(v.unknown(), v.description('A value of the data type of the attribute. null in a request: no value.')),
})

export const ValuesShape = v.pipe(
  v.record(v.string(), v.array(ScopedValueShape)),
  v.description('Attribute alias → its scoped values.'),
)

const UncheckedScopedValues = v.pipe(
  v.unknown(),
  v.metadata({ type: 'array', items: { $ref: '#/components/schemas/ScopedValue' } }),
  v.description('The new scoped values of the attribute.'),
)

export const NewRecordBody = v.object({
  id: v.optional(NewRecordId),
  schemaId: Reference,
  parentId: v.optional(
    v.pipe(
      v.nullable(Reference),
      v.description('The parent record; the new record becomes its variant. Both have the same schema.'),
    ),
  ),
  values: UncheckedValues,
})
export const ValuesBody = v.object({ values: UncheckedValues })
const UncheckedExpectations = v.pipe(
  v.unknown(),
  v.metadata({ type: 'array', items: { $ref: '#/components/schemas/ExpectedValue' }, maxItems: MAX_EXPECTATIONS }),
  v.description('The value that the client has seen. 412 if the stored value differs.'),
)

export const ScopedPatchBody = v.object({ values: UncheckedValues, expect: v.optional(UncheckedExpectations) })
export const ScopedValuesBody = v.object({ scopedValues: UncheckedScopedValues })

export const TransitionBody = v.object({ transitionId: Reference })

/** The full record. */
export const RecordShape = v.object({
  id: v.string(),
  schemaId: v.string(),
  parentId: v.pipe(v.nullable(v.string()), v.description('The parent record, if this record is a variant.')),
  lifecycleStateId: v.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  createdBy: v.string(),
  updatedBy: v.string(),
  values: ValuesShape,
})

export const RecordPageShape = v.object({
  items: v.array(RecordShape),
  total: v.number(),
  offset: v.number(),
  limit: v.number(),
})

/** The answer to PUT. */
export const UpdatedRecordShape = v.pick(RecordShape, [
  'id',
  'schemaId',
  'lifecycleStateId',
  'updatedAt',
  'updatedBy',
  'values',
])
/** The answer to PATCH of one attribute. */
export const UpdatedValuesShape = v.pick(RecordShape, ['id', 'schemaId', 'updatedAt', 'values'])
/** The answer to a transition. */
export const MovedRecordShape = v.pick(RecordShape, ['id', 'schemaId', 'lifecycleStateId', 'updatedAt', 'values'])

export const MissingFieldShape = v.object({ attributeAlias: v.string(), scope: ScopeShape })

export const CompletenessShape = v.object({
  entityId: v.string(),
  lifecycleStateId: v.string(),
  filled: v.number(),
  total: v.number(),
  percentage: Percentage,
  missing: v.array(MissingFieldShape),
})

export const RecordCheckShape = v.object({
  issues: v.pipe(
    v.array(IssueShape),
    v.maxLength(MAX_ISSUES),
    v.description('All issues, up to 1000: invalid values first, then missing ones.'),
  ),
  completeness: v.pipe(
    v.object({
      ...CompletenessShape.entries,
      entityId: v.pipe(v.nullable(v.string()), v.description('null: for a new record.')),
      missing: v.pipe(v.array(MissingFieldShape), v.maxLength(MAX_ISSUES)),
    }),
    v.description('Computed with the valid values.'),
  ),
})

export const AvailableTransitionShape = v.object({
  id: v.string(),
  fromStateId: v.string(),
  toStateId: v.string(),
  name: v.string(),
  allowedRoleIds: v.array(v.string()),
  requiresCompleteness: v.boolean(),
  allowed: v.pipe(v.boolean(), v.description('Whether the caller may take the transition now.')),
  reasons: v.pipe(v.array(v.picklist(['role', 'completeness'])), v.description('The obstacles.')),
  missing: v.pipe(
    v.array(MissingFieldShape),
    v.description('The first required fields without a value. Empty if the transition does not require completeness.'),
  ),
})

const ReferrerShape = v.object({
  recordId: v.pipe(v.string(), v.description('The record with the value.')),
  schemaId: v.string(),
  attributeAlias: v.string(),
  scope: ScopeShape,
})

export const ReferrerPageShape = v.object({ items: v.array(ReferrerShape) })

export function toReferrerBody({ recordId, schemaId, alias, scope }: Referrer) {
  return { recordId, schemaId, attributeAlias: alias, scope: parseScopeKey(scope) }
}
