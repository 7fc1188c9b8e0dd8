// One condition of a search, a saved query or a guard, as a client writes it. Contract 1 §2.7.
import * as v from 'valibot'
import { exactObject } from '../input/exact-object.ts'
import { OPERATOR_NAMES, operatorOf } from './operators.ts'

export const CRITERIA_OPERATORS = ['and', 'or'] as const
export type CriteriaOperator = (typeof CRITERIA_OPERATORS)[number]

/** A scope as a client writes it; whether its dimensions and segments exist is checked against the model. */
export const ScopeInput = v.pipe(
  v.custom<Record<string, string>>(
    (input) =>
      typeof input === 'object' &&
      input !== null &&
      !Array.isArray(input) &&
      Object.keys(input).length <= 16 &&
      Object.values(input).every((segment) => typeof segment === 'string'),
    'must be an object of dimension ID to segment ID',
  ),
  v.metadata({ type: 'object', additionalProperties: { type: 'string' }, maxProperties: 16 }),
  v.description('Map of dimension ID to segment ID. {} is the global scope.'),
)

const members = {
  attributeAlias: v.pipe(v.string('must be a string'), v.maxLength(64, 'must be at most 64 characters long')),
  operator: v.picklist(OPERATOR_NAMES, `must be one of ${OPERATOR_NAMES.join(', ')}`),
  value: v.optional(v.pipe(v.string('must be a string'), v.maxLength(65_536, 'must be at most 65536 characters long'))),
  scope: v.optional(ScopeInput),
}
const criterionShape = v.object(members)
export type QueryCriterion = v.InferOutput<typeof criterionShape>

const VALUE_MISSING = 'is required for this operator'

/** Of a guard: as in the rest of a schema, unknown members are ignored. */
export const GuardCriterion = v.pipe(criterionShape, v.forward(v.check(hasItsValue, VALUE_MISSING), ['value']))
/** Of a search or a saved query: unknown members are refused. */
export const QueryCriterion = v.pipe(exactObject(members), v.forward(v.check(hasItsValue, VALUE_MISSING), ['value']))

function hasItsValue(criterion: QueryCriterion): boolean {
  return criterion.value !== undefined || !operatorOf(criterion).takesValue
}
