// From criteria on fields to sets of records. What they mean, `domain/search/judge-field.ts` says.
import { mayKnow } from '../../domain/model/hidden-rules.ts'
import type { Schema } from '../../domain/model/model.ts'
import { gridOf } from '../../domain/scopes/grid.ts'
import { agree, restrictScope } from '../../domain/scopes/scope.ts'
import { boundsOf } from '../../domain/search/comparisons.ts'
import type { FieldCriterion } from '../../domain/search/criterion.ts'
import { testNumber, wantedKeys } from '../../domain/search/judge-field.ts'
import { all } from '../../domain/search/operator.ts'
import { operatorOf } from '../../domain/search/operators.ts'
import { scoredState } from '../../domain/search/scoped-score.ts'
import type { Asked } from './asked.ts'
import {
  completenessAlias,
  FIELD_ALIASES,
  isScoreIndexed,
  MAX_TOLD_APART,
  missingAlias,
  representatives,
} from './field-rows.ts'
import { indexKey } from './index-rows.ts'
import {
  allOf,
  complement,
  inexact,
  intersect,
  type KeyRange,
  NOTHING,
  type Place,
  type RecordSet,
  unite,
} from './sets.ts'
import { keyPrefix } from './text-keys.ts'

export function setOfField(criterion: FieldCriterion, asked: Asked): RecordSet {
  switch (criterion.field) {
    case 'schemaId':
      return setOfSchemas(criterion, asked)
    case 'completeness':
    case 'missing':
      return unite(asked.schemas.map((schema) => setOfScored(criterion, schema, asked)))
    default: {
      const isMany = criterion.field === 'categoryId' || criterion.field === 'catalogId'
      const set = keysOf(FIELD_ALIASES[criterion.field], rangeOf(criterion, asked), isMany, asked.schemas, asked)
      return operatorOf(criterion).isNegated ? complement(set, idsOf(asked.schemas)) : set
    }
  }
}

/** Records whose ID begins with the text, not regarding case. */
export function setOfIdPrefix(text: string, asked: Asked): RecordSet {
  return setOfField({ field: 'id', operator: 'startsWith', value: text }, asked)
}

function setOfSchemas(criterion: FieldCriterion, { schemas, categories }: Asked): RecordSet {
  const wanted = wantedKeys(criterion, { categories })
  const { isNegated } = operatorOf(criterion)
  return allOf(idsOf(schemas).filter((id) => wanted.includes(id) !== isNegated))
}

function idsOf(schemas: readonly Schema[]): string[] {
  return schemas.map((schema) => schema.id)
}

/** Of a negated operator that of its opposite; undefined: no key. */
function rangeOf(criterion: FieldCriterion, { categories }: Asked): KeyRange | undefined {
  const { field, operator, value = '' } = criterion
  switch (operator) {
    case 'isEmpty':
    case 'isNotEmpty':
      return { kind: 'any' }
    case 'startsWith':
      return { kind: 'prefix', text: keyPrefix(all(value)[0]!).text }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
    case 'between': {
      const bounds = boundsOf(operator, value, field === 'completeness' ? 'number' : 'time')
      return bounds && { kind: 'range', ...bounds }
    }
    default: {
      if (field === 'completeness') return { kind: 'point', key: Number(all(value)[0]) }
      const keys = wantedKeys(criterion, { categories }).map((key) => indexKey(key, field === 'id'))
      return keys.length === 1 ? { kind: 'point', key: keys[0]! } : { kind: 'either', keys }
    }
  }
}

/** Records of the schemas that have such keys under an alias that only the index knows. */
function keysOf(
  alias: string,
  range: KeyRange | undefined,
  isMany: boolean,
  schemas: readonly Schema[],
  { lookUp }: Asked,
): RecordSet {
  const indexed = lookUp(alias)
  const places = schemas.flatMap(({ id }): Place[] => {
    const attribute = indexed.get(id)
    return attribute === undefined ? [] : [{ attribute: attribute.n, scopes: attribute.scopes.map(({ n }) => n) }]
  })
  if (places.length === 0 || range === undefined) return NOTHING
  const isExact = range.kind !== 'prefix' || range.text.length < MAX_EXACT_PREFIX
  return { kind: 'keys', places, range, isMany: isMany && range.kind !== 'point', isExact }
}

/** Of a longer beginning the index may know a part only. */
const MAX_EXACT_PREFIX = 60

/** How complete records of one schema are, or what they lack. */
function setOfScored(criterion: FieldCriterion, schema: Schema, asked: Asked): RecordSet {
  if (!isScoreIndexed(schema, asked.model)) return allOf([schema.id], false)
  const workflow = asked.model.workflows.get(schema.workflowId)
  const scored = Map.groupBy(workflow?.states ?? [], ({ id }) => scoredState(workflow, id, criterion.stateId))
  const setFor = (stateId: string): RecordSet =>
    criterion.field === 'missing'
      ? setOfMissing(criterion, schema, stateId, asked)
      : setOfCompleteness(criterion, schema, stateId, asked)
  if (isWholeAndKnown(criterion, schema, asked) && criterion.stateId === undefined)
    return keysOf(FIELD_ALIASES.completeness, rangeOf(criterion, asked), false, [schema], asked)
  return unite(
    [...scored].map(([stateId, states]) => {
      if (stateId === undefined) return NOTHING
      const set = setFor(stateId)
      return scored.size === 1
        ? set
        : intersect([
            set,
            setOfStates(
              states.map(({ id }) => id),
              schema,
              asked,
            ),
          ])
    }),
  )
}

/** Whether percentages that were scored beforehand are what is asked for: of all combinations, and of all attributes. */
function isWholeAndKnown({ field, scope = {} }: FieldCriterion, schema: Schema, { role }: Asked): boolean {
  const isKnown = mayKnow(role, schema.id)
  return (
    field === 'completeness' &&
    Object.keys(scope).length === 0 &&
    schema.attributes.every((attribute) => attribute.requiredInStateIds.length === 0 || isKnown(attribute))
  )
}

function setOfStates(stateIds: readonly string[], schema: Schema, asked: Asked): RecordSet {
  return keysOf(FIELD_ALIASES.lifecycleStateId, { kind: 'either', keys: stateIds }, false, [schema], asked)
}

/** @param stateId that records are scored for */
function setOfCompleteness(criterion: FieldCriterion, schema: Schema, stateId: string, asked: Asked): RecordSet {
  const passes = testNumber(criterion, 'number')
  const representative = representatives(schema, asked.model).get(stateId)
  if (representative === undefined) return passes(100) ? allOf([schema.id]) : NOTHING
  if (isWholeAndKnown(criterion, schema, asked))
    return keysOf(completenessAlias(representative), rangeOf(criterion, asked), false, [schema], asked)
  const lacking = lackingAny(required(schema, stateId), criterion, schema, asked)
  const partly = Array.from({ length: 100 }, (_, percentage) => passes(percentage))
  const [isSome, isAll] = [partly.some(Boolean), partly.every(Boolean)]
  if (!passes(100)) return isSome ? (isAll ? lacking : inexact(lacking)) : NOTHING
  return isSome ? allOf([schema.id], isAll) : complement(lacking, [schema.id])
}

function required(schema: Schema, stateId: string): string[] {
  return schema.attributes
    .filter(({ requiredInStateIds }) => requiredInStateIds.includes(stateId))
    .map(({ alias }) => alias)
}

function setOfMissing(criterion: FieldCriterion, schema: Schema, stateId: string, asked: Asked): RecordSet {
  const aliases = required(schema, stateId)
  const wanted = criterion.operator === 'isNotEmpty' ? aliases : all(criterion.value ?? [])
  return lackingAny(
    aliases.filter((alias) => wanted.includes(alias)),
    criterion,
    schema,
    asked,
  )
}

/** Records that lack one of the attributes, as far as the role may know, in a combination that agrees with the criterion's scope. */
function lackingAny(
  aliases: readonly string[],
  { scope = {} }: FieldCriterion,
  schema: Schema,
  { lookUp, model, role }: Asked,
): RecordSet {
  const isKnown = mayKnow(role, schema.id)
  let isExact = true
  const places = aliases.flatMap((alias): Place[] => {
    const attribute = schema.attribute(alias)!
    const indexed = lookUp(missingAlias(alias)).get(schema.id)
    if (indexed === undefined || !isKnown(attribute)) return []
    const wanted = restrictScope(scope, attribute.dimensionIds)
    const isTold = gridOf(attribute.dimensionIds, model.dimensions).size <= MAX_TOLD_APART
    if (!isTold && Object.keys(wanted).length > 0) isExact = false
    const scopes = indexed.scopes.filter((one) => agree(one.scope, wanted)).map(({ n }) => n)
    return scopes.length === 0 ? [] : [{ attribute: indexed.n, scopes }]
  })
  if (places.length === 0) return NOTHING
  return { kind: 'keys', places, range: { kind: 'any' }, isMany: true, isExact }
}
