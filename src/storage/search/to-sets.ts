// From criteria to sets of records. What the index cannot say exactly it narrows down: such a set is not exact, and its
// records are judged by the plain predicate of `domain/criteria.ts`, which is also what the tests compare it with.
import type { Attribute } from '../../domain/attributes.ts'
import type { Criteria } from '../../domain/criteria.ts'
import type { QueryCriterion } from '../../domain/criterion.ts'
import { dataTypeOf } from '../../domain/datatypes/data-types.ts'
import type { Model, Schema } from '../../domain/model.ts'
import { type Condition, operatorOf } from '../../domain/operators.ts'
import { agree, restrictScope, type Scope } from '../../domain/scope.ts'
import { EMPTY_KEY, indexKey } from './index-rows.ts'
import { foldForIndex, hasMark } from './index-text.ts'
import {
  allOf,
  complement,
  inexact,
  intersect,
  type KeySet,
  type Needle,
  NOTHING,
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

/** Undefined where no record holds a value of the attribute. */
export type LookUpAttribute = (schemaId: string, alias: string) => IndexedAttribute | undefined

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

/** A record belongs to one schema, so the sets of the schemas are disjoint. */
function setOfCriterion(criterion: QueryCriterion, asked: Asked): RecordSet {
  const { isNegated } = operatorOf(criterion)
  return unite(
    asked.schemas.flatMap((schema) => {
      const attribute = schema.attribute(criterion.attributeAlias)
      if (attribute === undefined) return []
      const found = setForAttribute(criterion, attribute, schema, asked)
      return [isNegated ? complement(found, schema.id) : found]
    }),
  )
}

/** Records of one schema in which some judged value passes the criterion's test; for negated ones the test of the opposite. */
function setForAttribute(
  criterion: QueryCriterion,
  attribute: Attribute,
  schema: Schema,
  { lookUp, model }: Asked,
): RecordSet {
  const indexed = lookUp(schema.id, attribute.alias)
  const condition = operatorOf(criterion).condition(criterion.value ?? '', attribute)
  if (indexed === undefined || condition.kind === 'none') return NOTHING
  const wanted = restrictScope(criterion.scope ?? {}, attribute.dimensionIds)
  const scopes = indexed.scopes.filter(({ scope }) => agree(scope, wanted))
  if (scopes.length === 0) return NOTHING
  const numbers = scopes.map(({ n }) => n)
  const isSure = isUnshadowed(criterion, attribute, scopes, model)
  if (condition.kind === 'text') {
    const isAnywhere = scopes.length === indexed.scopes.length
    const of = { attribute: indexed.n, scopes: isAnywhere ? ('any' as const) : numbers }
    const found = textSet({ text: condition.text, of })
    return isSure ? found : inexact(found)
  }
  const { range, isMany, isExact } = keysOf(condition, attribute)
  return { kind: 'keys', attribute: indexed.n, scopes: numbers, range, isMany, isExact: isExact && isSure }
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

type KeyCondition = Exclude<Condition, { readonly kind: 'text' | 'none' }>

/** The keys that the values of a condition have in the index, where every empty value has the same. */
function keysOf(condition: KeyCondition, attribute: Attribute): Pick<KeySet, 'range' | 'isMany' | 'isExact'> {
  const { areKeysExact, keysPerValue } = dataTypeOf(attribute)
  const isMany = keysPerValue === 'many'
  switch (condition.kind) {
    case 'point': {
      const key = indexKey(condition.key)
      if (areKeysExact) return { range: { kind: 'point', key }, isMany: false, isExact: true }
      return { range: { kind: 'either', keys: [key, EMPTY_KEY] }, isMany: true, isExact: false }
    }
    case 'above':
    case 'below':
      return { range: condition, isMany, isExact: true }
    case 'filled':
      return { range: { kind: 'filled' }, isMany, isExact: true }
    case 'anyKey':
      return { range: { kind: 'any' }, isMany, isExact: true }
  }
}
