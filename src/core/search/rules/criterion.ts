// Criteria on attributes and fields, and groups of criteria. Contract 1 §2.7, 3 §1, 3 §10.
import * as v from 'valibot'
import { exactObject } from '../../../kernel/input/exact-object.ts'
import { choiceOf } from '../../../kernel/input/validation.ts'
import { FIELD_MEMBERS, FIELD_NAMES, type FieldName, fieldOf } from './fields.ts'
import { VALUE_PARTS, type ValuePart } from '../../datatypes/data-type.ts'
import type { Comparand } from './operator.ts'
import {
  BASIC_OPERATOR_NAMES,
  type BasicOperatorName,
  OPERATOR_NAMES,
  type OperatorName,
  operators,
} from './operators.ts'

export const CRITERIA_OPERATORS = ['and', 'or'] as const
export type CriteriaOperator = (typeof CRITERIA_OPERATORS)[number]

/** The most values of one `in` or `notIn`. */
const MAX_LISTED = 1000
const MAX_TEXT = 65_536

/** A scope from a client; its dimensions and segments are checked against the model later. */
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

const Alias = v.pipe(v.string('must be a string'), v.maxLength(64, 'must be at most 64 characters long'))
const Text = v.pipe(v.string('must be a string'), v.maxLength(MAX_TEXT, `must be at most ${MAX_TEXT} characters long`))

const guardCriterion = v.object({
  attributeAlias: Alias,
  operator: v.picklist(BASIC_OPERATOR_NAMES, `must be one of ${BASIC_OPERATOR_NAMES.join(', ')}`),
  value: v.optional(Text),
  scope: v.optional(ScopeInput),
})
/** A criterion on an attribute with a basic operator, as guards use. */
export type QueryCriterion = v.InferOutput<typeof guardCriterion>

const VALUE_MISSING = 'is required for this operator'

/** A criterion of a guard; unknown members are ignored, as in the rest of a schema. */
export const GuardCriterion = v.pipe(
  guardCriterion,
  v.forward(
    v.check(({ operator, value }) => value !== undefined || operators[operator].operand === 'none', VALUE_MISSING),
    ['value'],
  ),
)

const Scalar = v.pipe(
  v.union([Text, v.number(), v.boolean()], 'must be a text, a number or true or false'),
  v.transform(String),
)
const LIST_MESSAGE = `must be a list of 1 to ${MAX_LISTED} values`
const List = v.pipe(v.array(Scalar, LIST_MESSAGE), v.minLength(1, LIST_MESSAGE), v.maxLength(MAX_LISTED, LIST_MESSAGE))
const RANGE_MESSAGE = 'must be a list of two: from and to'
const Range = v.pipe(v.array(Scalar, RANGE_MESSAGE), v.length(2, RANGE_MESSAGE))

const OPERANDS = { none: Text, text: Scalar, list: List, range: Range } as const
const Value = v.pipe(
  v.optional(v.unknown()),
  v.metadata({
    anyOf: [
      { type: ['string', 'number', 'boolean'] },
      { type: 'array', items: { type: ['string', 'number', 'boolean'] }, minItems: 1, maxItems: MAX_LISTED },
    ],
  }),
)

/** A criterion on an attribute. */
export interface AttributeCriterion {
  readonly attributeAlias: string
  readonly part?: ValuePart | undefined
  readonly operator: OperatorName
  readonly value?: Comparand | undefined
  readonly scope?: Record<string, string> | undefined
}

/** A criterion on a field that every record has. */
export interface FieldCriterion {
  readonly field: FieldName
  readonly operator: OperatorName
  readonly value?: Comparand | undefined
  readonly scope?: Record<string, string> | undefined
  readonly stateId?: string | undefined
  readonly includeChildren?: boolean | undefined
}

export interface CriteriaGroup {
  readonly criteriaOperator: CriteriaOperator
  readonly criteria: readonly Criterion[]
  readonly not?: boolean | undefined
}

export type Criterion = AttributeCriterion | FieldCriterion | CriteriaGroup

export function isGroup(criterion: Criterion): criterion is CriteriaGroup {
  return 'criteria' in criterion
}

export function isOnField(criterion: Criterion): criterion is FieldCriterion {
  return 'field' in criterion
}

const isBasic = (operator: OperatorName): operator is BasicOperatorName =>
  (BASIC_OPERATOR_NAMES as readonly string[]).includes(operator)

function pathTo(input: object, key: string): v.ObjectPathItem {
  return { type: 'object', origin: 'value', input: input as Record<string, unknown>, key, value: undefined }
}

/** Converts the value to text. Numbers and booleans are converted too, except for the basic operators on attributes. */
function withComparand<Input extends { operator: OperatorName; value?: unknown }>(
  takesTextOnly: (input: Input) => boolean,
) {
  type Output = Omit<Input, 'value'> & { readonly value?: Comparand | undefined }
  return v.rawTransform<Input, Output>(({ dataset, addIssue, NEVER }) => {
    const { value, ...rest } = dataset.value
    const read = readComparand(value, operators[dataset.value.operator].operand, takesTextOnly(dataset.value))
    if (!('problem' in read)) return { ...rest, ...read }
    addIssue({ message: read.problem, path: [pathTo(dataset.value, 'value')] })
    return NEVER
  })
}

function readComparand(
  value: unknown,
  operand: keyof typeof OPERANDS,
  isTextOnly: boolean,
): { readonly value?: Comparand | undefined } | { readonly problem: string } {
  if (value === undefined) return operand === 'none' ? {} : { problem: VALUE_MISSING }
  const shape: v.GenericSchema<unknown, Comparand> = isTextOnly ? Text : OPERANDS[operand]
  const result = v.safeParse(shape, value, { abortEarly: true })
  return result.success ? { value: result.output } : { problem: result.issues[0].message }
}

/** Finds a member that the field of the criterion does not accept. */
function findMemberFault(criterion: {
  readonly field: FieldName
  readonly operator: OperatorName
}): { readonly member: string; readonly message: string } | undefined {
  const { operators: known, takes } = fieldOf(criterion)
  if (!known.includes(criterion.operator))
    return { member: 'operator', message: `must be one of ${known.join(', ')} for the field '${criterion.field}'` }
  const member = FIELD_MEMBERS.find((name) => Object.hasOwn(criterion, name) && !takes.includes(name))
  return member && { member, message: `is not for the field '${criterion.field}'` }
}

export const PartOfValue = v.optional(
  v.pipe(
    v.picklist(VALUE_PARTS, `must be one of ${VALUE_PARTS.join(', ')}`),
    v.description('The part of a file that is compared. Default: its hash.'),
  ),
)

export const AttributeCriterion = v.pipe(
  exactObject({
    attributeAlias: Alias,
    part: PartOfValue,
    operator: v.picklist(OPERATOR_NAMES, `must be one of ${OPERATOR_NAMES.join(', ')}`),
    value: Value,
    scope: v.optional(ScopeInput),
  }),
  withComparand(({ operator }) => isBasic(operator)),
)

export const FieldCriterion = v.pipe(
  exactObject({
    field: v.picklist(FIELD_NAMES, `must be one of ${FIELD_NAMES.join(', ')}`),
    operator: v.picklist(OPERATOR_NAMES, `must be one of ${OPERATOR_NAMES.join(', ')}`),
    value: Value,
    scope: v.optional(ScopeInput),
    stateId: v.optional(v.pipe(v.string('must be a string'), v.maxLength(128, 'must be at most 128 characters long'))),
    includeChildren: v.optional(v.boolean('must be true or false')),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const fault = findMemberFault(dataset.value)
    if (fault === undefined) return
    const { member, message } = fault
    addIssue({ message, path: [pathTo(dataset.value, member)] })
  }),
  withComparand(() => false),
)

export const CriteriaGroup: v.GenericSchema<CriteriaGroup> = exactObject({
  criteriaOperator: v.picklist(CRITERIA_OPERATORS, "must be 'and' or 'or'"),
  criteria: v.array(
    v.lazy(() => Criterion),
    'must be an array',
  ),
  not: v.optional(v.pipe(v.boolean('must be true or false'), v.description('Inverts the group.'))),
})

export const Criterion = choiceOf(
  [AttributeCriterion, FieldCriterion, v.lazy(() => CriteriaGroup)],
  kindOf,
) as v.GenericSchema<Criterion>

function kindOf(input: unknown): v.GenericSchema {
  if (typeof input !== 'object' || input === null) return AttributeCriterion
  if (Object.hasOwn(input, 'criteria')) return CriteriaGroup
  return Object.hasOwn(input, 'field') ? FieldCriterion : AttributeCriterion
}
