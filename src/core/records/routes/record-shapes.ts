// Shapes of records, completeness and transitions that clients send and receive. Contract 1 §2.1–§2.5.
import { RecordShape, UncheckedValues } from '../rules/record.ts'
import * as v from 'valibot'
import { NewRecordId, Reference } from '../../../kernel/input/validation.ts'
import { parseScopeKey, ScopeShape } from '../../scopes/scope.ts'
import type { Referrer } from '../rules/referrer.ts'

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

export const ScopedValuesBody = v.object({ scopedValues: UncheckedScopedValues })

export const TransitionBody = v.object({ transitionId: Reference })

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
