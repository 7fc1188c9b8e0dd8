// Shapes of records, completeness and transitions that clients send and receive. Contract 1 §2.1–§2.5.
import * as v from 'valibot'
import { MAX_EXPECTATIONS } from '../rules/scoped-patch.ts'
import { FAULT_CODES } from '../../values/value-fault.ts'
import { MAX_ISSUES } from '../rules/record-issues.ts'
import { MAX_RESTORED_ALIASES, MAX_RESTORED_SCOPES } from '../rules/restored-values.ts'
import { listOf, NewRecordId, Timestamp } from '../../../kernel/input/validation.ts'
import { Version } from '../../../http/common-shapes.ts'
import { parseScopeKey } from '../../scopes/scope.ts'
import type { Referrer } from '../rules/referrer.ts'

export const ScopeShape = v.pipe(
  v.record(v.string(), v.string()),
  v.description('Map of dimension ID to segment ID. {} is the global scope.'),
)

export const ScopedValueShape = v.object({
  scope: ScopeShape,
  value: v.pipe(v.unknown(), v.description('A value of the data type of the attribute. null in a request: no value.')),
})

export const ValuesShape = v.pipe(
  v.record(v.string(), v.array(ScopedValueShape)),
  v.description('Attribute alias → its scoped values.'),
)

/**
 * Values that a client sends. The service checks them once against the schema of the record, and names the wrong
 * attribute. So nothing is checked here. (`v.record` would also drop attributes called `constructor`.) The names of
 * `openapi/components/` describe values in the OpenAPI document.
 */
const UncheckedValues = v.pipe(v.unknown(), v.metadata({ $ref: '#/components/schemas/Values' }))
const UncheckedScopedValues = v.pipe(
  v.unknown(),
  v.metadata({ type: 'array', items: { $ref: '#/components/schemas/ScopedValue' } }),
  v.description('The new scoped values of the attribute.'),
)

const Reference = v.string('must be a string')

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
/** Checked as values are: by the service. */
export const ExpectedValueShape = v.object({
  attributeAlias: v.string(),
  scope: ScopeShape,
  value: v.pipe(v.unknown(), v.description('null: no value is stored there.')),
})
export const ScopedPatchBody = v.object({ values: UncheckedValues, expect: v.optional(UncheckedExpectations) })
export const ScopedValuesBody = v.object({ scopedValues: UncheckedScopedValues })
export const RestoreBody = v.object({
  version: v.pipe(Version, v.description('The version of the record, as in `GET /api/v1/records/:id?version=`.')),
  attributeAliases: v.optional(
    v.pipe(listOf(Reference, MAX_RESTORED_ALIASES), v.description('Only these attributes. Default: all.')),
  ),
  scopes: v.optional(
    v.pipe(
      v.unknown(),
      v.metadata({ type: 'array', items: { $ref: '#/components/schemas/Scope' }, maxItems: MAX_RESTORED_SCOPES }),
      v.description('Only values of exactly these scopes. Default: all scopes.'),
    ),
  ),
})
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
  percentage: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
  missing: v.array(MissingFieldShape),
})

export const RecordCheckBody = v.object({
  id: v.optional(v.pipe(Reference, v.description('The record to change. Default: a new record.'))),
  schemaId: v.optional(v.pipe(Reference, v.description('For a new record.'))),
  parentId: v.optional(v.pipe(v.nullable(Reference), v.description('The parent of the new variant.'))),
  values: UncheckedValues,
  mode: v.pipe(
    v.optional(v.picklist(['put', 'patch'], 'must be put or patch'), 'patch'),
    v.description(
      'put: attributes are replaced as a whole, as by PUT. patch: values are replaced by scope, as by PATCH.',
    ),
  ),
  stateId: v.optional(
    v.pipe(
      Reference,
      v.description(
        'The state whose required attributes count. Default: the target of the first transition that leaves the state and requires completeness, otherwise the state itself.',
      ),
    ),
  ),
})

export const IssueShape = v.object({
  attributeAlias: v.string(),
  scope: v.pipe(ScopeShape, v.description('{} if the scope itself is wrong.')),
  code: v.picklist(FAULT_CODES),
  message: v.string(),
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
