// Turns criteria into sets of records. If the index cannot answer exactly, the set is larger than the result. The plain
// predicate of `core/search/rules/criteria.ts` then judges its records; tests compare both.
import { findSearched, searchedAlias } from '../rules/searched-attribute.ts'
import type { Attribute } from '../../model/rules/attributes.ts'
import type { Criteria } from '../rules/criteria.ts'
import { type AttributeCriterion, type CriteriaGroup, type Criterion, isGroup, isOnField } from '../rules/criterion.ts'
import { type DataTypeName, dataTypeOf } from '../../datatypes/data-types.ts'
import type { Model, Schema } from '../../model/rules/model.ts'
import type { Condition } from '../rules/operator.ts'
import { operatorOf } from '../rules/operators.ts'
import { needlesOf, type TextQuestion } from '../rules/text-question.ts'
import { agree, restrictScope } from '../../scopes/scope.ts'
import { EMPTY_KEY, indexKey } from './index-rows.ts'
import type { Asked, IndexedAttribute, IndexedScope } from './asked.ts'
import { setOfField, setOfIdPrefix } from './field-sets.ts'
import { foldForIndex, hasMark } from './index-text.ts'
import {
  allOf,
  complement,
  inexact,
  intersect,
  type KeySet,
  type Needle,
  NOTHING,
  type Place,
  type RecordSet,
  unite,
} from './sets.ts'
import { keyPrefix } from './text-keys.ts'

/** Most scopes that are compared with each other. */
const MAX_COMPARED_SCOPES = 100
/** Characters of a needle; more would not narrow the result. */
const MAX_NEEDLE = 64

/** Returns the set for the criteria, as exact as the index allows. */
export async function setOfCriteria({ criteria, criteriaOperator }: Criteria, asked: Asked): Promise<RecordSet> {
  if (criteria.length === 0) return allOf(asked.schemas.map((schema) => schema.id))
  const sets: RecordSet[] = []
  for (const criterion of criteria) sets.push(await setOfAny(criterion, asked))
  return criteriaOperator === 'and' ? intersectSearched(sets, asked) : unite(sets)
}

/**
 * Intersects at least one set. Omits the set of all searched records if another set contains only such records. Then no
 * record's schema is read.
 */
export function intersectSearched(sets: readonly RecordSet[], asked: Asked): RecordSet {
  const others = sets.filter((set) => set.kind !== 'schemas' || set.schemaIds.length < asked.schemas.length)
  if (!others.some((set) => isOfSearched(set, asked))) return intersect(sets)
  const found = intersect(others)
  const isKnown = found.kind === 'nothing' || sets.every(({ isExact }) => isExact)
  return isKnown || !found.isExact ? found : inexact(found)
}

/**
 * True if the set contains only records of the searched schemas. Keys belong to schemas, but texts are searched in all
 * schemas.
 */
function isOfSearched(set: RecordSet, asked: Asked): boolean {
  if (set.kind === 'and') return set.sets.some((one) => isOfSearched(one, asked))
  if (set.kind === 'or') return set.sets.every((one) => isOfSearched(one, asked))
  return set.kind !== 'text' || asked.schemas.length === asked.model.schemas.size
}

async function setOfAny(criterion: Criterion, asked: Asked): Promise<RecordSet> {
  if (isGroup(criterion)) return await setOfGroup(criterion, asked)
  return isOnField(criterion) ? await setOfField(criterion, asked) : setOfCriterion(criterion, asked)
}

async function setOfGroup(group: CriteriaGroup, asked: Asked): Promise<RecordSet> {
  const set = await setOfCriteria(group, asked)
  return group.not === true
    ? complement(
        set,
        asked.schemas.map((schema) => schema.id),
      )
    : set
}

/** Finds records of the schemas with a text that contains `text` (not yet folded). */
function setOfText(text: string, { schemas, model }: Asked): RecordSet {
  const found = textSet({ text, of: undefined })
  if (schemas.length === model.schemas.size) return found
  const ofSchemas = allOf(schemas.map((schema) => schema.id))
  return intersect([found, ofSchemas])
}

/** Finds records for a text question. @param isAllRead whether the role may read all searched texts */
export function setOfQuestion(question: TextQuestion, asked: Asked, isAllRead: boolean): RecordSet {
  const sets = needlesOf(question).map((needle) => {
    const inTexts = setOfText(needle, asked)
    const found = isAllRead ? inTexts : inexact(inTexts)
    return question.mode === 'words' ? unite([found, setOfIdPrefix(needle, asked)]) : found
  })
  return sets.length === 0 ? allOf(asked.schemas.map((schema) => schema.id)) : intersect(sets)
}

/** @param needle with a text not yet folded */
function textSet({ text, of }: Needle): RecordSet {
  const needle = foldForIndex(text)
  const characters = Array.from(needle)
  const isExact = characters.length <= MAX_NEEDLE && !hasMark(needle)
  return { kind: 'text', needles: [{ text: characters.slice(0, MAX_NEEDLE).join(''), of }], isExact }
}

/** The places of the attribute in one schema, and the condition. */
interface Part {
  readonly schemaId: string
  readonly dataType: DataTypeName
  readonly condition: Condition
  readonly place: Place
  /** Whether the condition applies to texts in any place. */
  readonly isAnywhere: boolean
  readonly isExact: boolean
}

/**
 * Returns the set of a criterion. A record belongs to one schema, so the sets of schemas are disjoint. Schemas with the
 * same condition are queried together.
 */
function setOfCriterion(criterion: AttributeCriterion, asked: Asked): RecordSet {
  const indexed = asked.lookUp(searchedAlias(criterion))
  const parts = asked.schemas.flatMap((schema) => {
    const attribute = findSearched(schema, criterion)
    return attribute === undefined ? [] : [partOf(criterion, attribute, indexed.get(schema.id), schema, asked.model)]
  })
  if (!operatorOf(criterion).isNegated) return unite(leavesOf(parts))
  const sure = parts.filter((part) => part.isExact)
  const unsure = parts.filter((part) => !part.isExact)
  return unite([complement(unite(leavesOf(sure)), idsOf(sure)), allOf(idsOf(unsure), false)])
}

function idsOf(parts: readonly Part[]): string[] {
  return parts.map((part) => part.schemaId)
}

/** Returns the places where a value may pass the test; for negated operators, the test of the opposite. */
function partOf(
  criterion: AttributeCriterion,
  attribute: Attribute,
  indexed: IndexedAttribute | undefined,
  { id: schemaId }: Schema,
  model: Model,
): Part {
  const { dataType, dimensionIds } = attribute
  const wanted = restrictScope(criterion.scope ?? {}, dimensionIds)
  const scopes = indexed?.scopes.filter(({ scope }) => agree(scope, wanted)) ?? []
  const condition: Condition =
    scopes.length === 0 ? { kind: 'none' } : operatorOf(criterion).condition(criterion.value ?? '', attribute)
  const isSure = condition.kind === 'none' || isUnshadowed(criterion, attribute, scopes, model)
  return {
    schemaId,
    dataType,
    condition,
    place: { attribute: indexed?.n ?? 0, scopes: scopes.map(({ n }) => n) },
    isAnywhere: scopes.length === indexed?.scopes.length,
    isExact: isSure && areKeysEnough(condition, attribute),
  }
}

/** True if the keys in the index decide whether a value fits the condition. Otherwise the predicate judges each record. */
function areKeysEnough(condition: Condition, attribute: { readonly dataType: DataTypeName }): boolean {
  switch (condition.kind) {
    case 'prefix':
      return keyPrefix(condition.text).isExact
    case 'point':
    case 'points':
      return dataTypeOf(attribute).areKeysExact
    case 'range':
    case 'text':
    case 'filled':
    case 'anyKey':
    case 'none':
      return true
  }
}

/** Groups parts by data type and condition, because the comparison depends on nothing else. */
function leavesOf(parts: readonly Part[]): RecordSet[] {
  const groups = Map.groupBy(parts, ({ dataType, condition, isExact }) => `${dataType} ${condition.kind} ${isExact}`)
  return [...groups.values()].map((group) => {
    const { condition, isExact } = group[0]!
    if (condition.kind === 'none') return NOTHING
    if (condition.kind !== 'text')
      return { kind: 'keys', places: group.map(({ place }) => place), ...keysOf(condition, group[0]!), isExact }
    const of = group.map(({ place, isAnywhere }) => (isAnywhere ? { ...place, scopes: 'any' as const } : place))
    const found = textSet({ text: condition.text, of })
    return isExact ? found : inexact(found)
  })
}

/** Whether every value in `scopes` applies somewhere in the criterion's scope, uncovered by another value. */
export function isUnshadowed(
  criterion: Pick<AttributeCriterion, 'scope'>,
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

type KeyCondition = Exclude<Condition, { readonly kind: 'none' | 'text' }>

/** Returns the index keys of matching values; all empty values share one key. */
function keysOf(
  condition: KeyCondition,
  attribute: { readonly dataType: DataTypeName },
): Pick<KeySet, 'range' | 'isMany'> {
  const { areKeysExact, keysPerValue, isText } = dataTypeOf(attribute)
  const isMany = keysPerValue === 'many'
  switch (condition.kind) {
    case 'point':
    case 'points': {
      const wanted = condition.kind === 'point' ? [condition.key] : condition.keys
      const keys = wanted.map((key) => indexKey(key, isText))
      if (areKeysExact && keys.length === 1) return { range: { kind: 'point', key: keys[0]! }, isMany: false }
      return {
        range: { kind: 'either', keys: areKeysExact ? keys : [...keys, EMPTY_KEY] },
        isMany: isMany || !areKeysExact,
      }
    }
    case 'range':
      return { range: condition, isMany }
    case 'prefix':
      return { range: { kind: 'prefix', text: keyPrefix(condition.text).text }, isMany }
    case 'filled':
      return { range: { kind: 'filled' }, isMany }
    case 'anyKey':
      return { range: { kind: 'any' }, isMany }
  }
}
