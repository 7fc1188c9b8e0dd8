// From criteria to sets of records. What the index cannot say exactly it narrows down: such a set is not exact, and its
// records are judged by the plain predicate of `domain/criteria.ts`, which is also what the tests compare it with.
import type { Attribute } from '../../domain/attributes.ts'
import { type Criteria, parseComparand } from '../../domain/criteria.ts'
import { isUnary, type QueryCriterion } from '../../domain/criterion.ts'
import { dataTypeOf } from '../../domain/datatypes.ts'
import type { Model, Schema } from '../../domain/model.ts'
import { agree, restrictScope, type Scope } from '../../domain/scope.ts'
import { EMPTY_KEY, indexKey } from './index-rows.ts'
import { foldForIndex, hasMark } from './index-text.ts'
import {
  allOf,
  complement,
  inexact,
  intersect,
  type KeyRange,
  type Needle,
  type Place,
  type RecordSet,
  unite,
} from './sets.ts'

/** Scopes that are compared with each other. */
const MAX_COMPARED_SCOPES = 100
/** More characters than this narrow nothing down any further. */
const MAX_NEEDLE = 64

export interface IndexedScope {
  /** Negative where the value is inherited. */
  readonly n: number
  readonly scope: Scope
}

/** What the index calls an attribute, and the scopes that values of it have anywhere. */
export interface IndexedAttribute {
  readonly n: number
  readonly scopes: readonly IndexedScope[]
}

/** By the IDs of schemas; without those where no record holds a value of the attribute. */
export type LookUpAttribute = (alias: string) => ReadonlyMap<string, IndexedAttribute>

export interface Asked {
  /** The schemas that are searched. */
  readonly schemas: readonly Schema[]
  readonly model: Model
  readonly lookUp: LookUpAttribute
}

/** Records that satisfy the criteria, as far as the index knows. */
export function setOfCriteria({ criteria, criteriaOperator }: Criteria, asked: Asked): RecordSet {
  if (criteria.length === 0) return allOf(asked.schemas.map((schema) => schema.id))
  const sets = criteria.map((criterion) => setOfCriterion(criterion, asked))
  return criteriaOperator === 'and' ? intersect(sets) : unite(sets)
}

/** Records of the schemas with any text that contains `text` (not yet folded). */
export function setOfText(text: string, { schemas, model }: Asked): RecordSet {
  const found = textSet({ text, of: undefined })
  if (schemas.length === model.schemas.size) return found
  const ofSchemas = allOf(schemas.map((schema) => schema.id))
  return intersect([found, ofSchemas])
}

/** The needle's text is not folded yet. */
function textSet({ text, of }: Needle): RecordSet {
  const needle = foldForIndex(text)
  const characters = Array.from(needle)
  const isExact = characters.length <= MAX_NEEDLE && !hasMark(needle)
  return { kind: 'text', needles: [{ text: characters.slice(0, MAX_NEEDLE).join(''), of }], isExact }
}

/** What the index says of one schema: where values of the attribute are looked for, and what for. */
interface Part {
  readonly schemaId: string
  readonly dataType: string
  /** Undefined where nothing can be found. */
  readonly condition: KeyCondition | 'text' | undefined
  readonly place: Place
  /** The place of a text. */
  readonly isAnywhere: boolean
  readonly isExact: boolean
}

/** A record belongs to one schema, so the sets of the schemas are disjoint: those that ask the same are asked at once. */
function setOfCriterion(criterion: QueryCriterion, asked: Asked): RecordSet {
  const indexed = asked.lookUp(criterion.attributeAlias)
  const parts = asked.schemas.flatMap((schema) => {
    const attribute = schema.attribute(criterion.attributeAlias)
    return attribute === undefined ? [] : [partOf(criterion, attribute, indexed.get(schema.id), schema, asked.model)]
  })
  const isNegated = criterion.operator === 'notEquals' || criterion.operator === 'isEmpty'
  if (!isNegated) return unite(leavesOf(parts, criterion))
  const sure = parts.filter((part) => part.isExact)
  const unsure = parts.filter((part) => !part.isExact)
  return unite([complement(unite(leavesOf(sure, criterion)), idsOf(sure)), allOf(idsOf(unsure), false)])
}

function idsOf(parts: readonly Part[]): string[] {
  return parts.map((part) => part.schemaId)
}

/** Where some judged value may pass the criterion's test; for negated ones the test of the opposite. */
function partOf(
  criterion: QueryCriterion,
  attribute: Attribute,
  indexed: IndexedAttribute | undefined,
  { id: schemaId }: Schema,
  model: Model,
): Part {
  const { dataType, dimensionIds } = attribute
  const wanted = restrictScope(criterion.scope ?? {}, dimensionIds)
  const scopes = indexed?.scopes.filter(({ scope }) => agree(scope, wanted)) ?? []
  const condition = scopes.length === 0 ? undefined : conditionOf(criterion, attribute)
  const isSure = condition === undefined || isUnshadowed(criterion, attribute, scopes, model)
  return {
    schemaId,
    dataType,
    condition,
    place: { attribute: indexed?.n ?? 0, scopes: scopes.map(({ n }) => n) },
    isAnywhere: scopes.length === indexed?.scopes.length,
    isExact: isSure && (typeof condition !== 'object' || condition.isExact),
  }
}

/** What is asked of values depends on their data type alone. */
function leavesOf(parts: readonly Part[], { value }: QueryCriterion): RecordSet[] {
  const asked = parts.filter((part) => part.condition !== undefined)
  return [...Map.groupBy(asked, (part) => `${part.dataType} ${part.isExact}`).values()].map((group) => {
    const { condition, isExact } = group[0]!
    if (typeof condition === 'object')
      return { kind: 'keys', places: group.map(({ place }) => place), ...condition, isExact }
    const of = group.map(({ place, isAnywhere }) => (isAnywhere ? { ...place, scopes: 'any' as const } : place))
    const found = textSet({ text: value!, of })
    return isExact ? found : inexact(found)
  })
}

/** Whether every value in `scopes` is in force somewhere in the criterion's scope: no other one may cover it there. */
function isUnshadowed(
  criterion: QueryCriterion,
  attribute: Attribute,
  scopes: readonly IndexedScope[],
  model: Model,
): boolean {
  if (criterion.scope === undefined) return true
  if (scopes.length > MAX_COMPARED_SCOPES) return false
  const hasSegments = attribute.dimensionIds.every((id) => (model.dimensions.get(id)?.segments.length ?? 0) > 0)
  return (
    hasSegments &&
    scopes.every((one, index) => scopes.slice(index + 1).every((other) => !agree(one.scope, other.scope)))
  )
}

interface KeyCondition {
  readonly range: KeyRange
  readonly isMany: boolean
  readonly isExact: boolean
}

/** What the keys of passing values have in common, or that text must be looked through; undefined where no value can pass. */
function conditionOf(
  { operator, value = '' }: QueryCriterion,
  attribute: Attribute,
): KeyCondition | 'text' | undefined {
  const type = dataTypeOf(attribute)
  const isMany = attribute.dataType === 'multiSelect'
  if (isUnary(operator)) return { range: { kind: 'filled' }, isMany, isExact: true }
  if (operator === 'contains') {
    if (!type.isText) return undefined
    return value === '' ? { range: { kind: 'any' }, isMany, isExact: true } : 'text'
  }
  if (operator === 'gt' || operator === 'lt') {
    const bound = type.order === undefined ? undefined : parseComparand(value, type.order)
    if (bound === undefined) return undefined
    return { range: { kind: operator === 'gt' ? 'above' : 'below', bound }, isMany, isExact: true }
  }
  const key = type.parseKey(value)
  if (key === undefined) return undefined
  if (attribute.dataType === 'json')
    return { range: { kind: 'either', keys: [indexKey(key), EMPTY_KEY] }, isMany: true, isExact: false }
  // An empty list of options has the empty key, but no element that could equal it.
  if (key === EMPTY_KEY && attribute.dataType === 'multiSelect') return undefined
  return { range: { kind: 'point', key: indexKey(key) }, isMany: false, isExact: true }
}
