// From criteria to sets of records. What the index cannot say exactly it narrows down: such a set is not exact, and its
// records are judged by the plain predicate of `core/search/rules/criteria.ts`, which is also what the tests compare it with.
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

/** Scopes that are compared with each other. */
const MAX_COMPARED_SCOPES = 100
/** More characters than this narrow nothing down any further. */
const MAX_NEEDLE = 64

/** Records that satisfy the criteria, as far as the index knows. */
export async function setOfCriteria({ criteria, criteriaOperator }: Criteria, asked: Asked): Promise<RecordSet> {
  if (criteria.length === 0) return allOf(asked.schemas.map((schema) => schema.id))
  const sets: RecordSet[] = []
  for (const criterion of criteria) sets.push(await setOfAny(criterion, asked))
  return criteriaOperator === 'and' ? intersectSearched(sets, asked) : unite(sets)
}

/**
 * Records that are in all of the sets, one at least. All that are searched are no condition beside a set that has no others: no
 * record is asked for its schema then.
 */
export function intersectSearched(sets: readonly RecordSet[], asked: Asked): RecordSet {
  const others = sets.filter((set) => set.kind !== 'schemas' || set.schemaIds.length < asked.schemas.length)
  if (!others.some((set) => isOfSearched(set, asked))) return intersect(sets)
  const found = intersect(others)
  const isKnown = found.kind === 'nothing' || sets.every(({ isExact }) => isExact)
  return isKnown || !found.isExact ? found : inexact(found)
}

/** Attributes, and so their keys, belong to schemas; texts are looked for in all. */
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

/** Records of the schemas with any text that contains `text` (not yet folded). */
function setOfText(text: string, { schemas, model }: Asked): RecordSet {
  const found = textSet({ text, of: undefined })
  if (schemas.length === model.schemas.size) return found
  const ofSchemas = allOf(schemas.map((schema) => schema.id))
  return intersect([found, ofSchemas])
}

/** Records that a question for text finds; @param isAllRead whether the role may read all texts that are searched */
export function setOfQuestion(question: TextQuestion, asked: Asked, isAllRead: boolean): RecordSet {
  const sets = needlesOf(question).map((needle) => {
    const inTexts = setOfText(needle, asked)
    const found = isAllRead ? inTexts : inexact(inTexts)
    return question.mode === 'words' ? unite([found, setOfIdPrefix(needle, asked)]) : found
  })
  return sets.length === 0 ? allOf(asked.schemas.map((schema) => schema.id)) : intersect(sets)
}

/** The needle's text is not folded yet. */
function textSet({ text, of }: Needle): RecordSet {
  const needle = foldForIndex(text)
  const characters = Array.from(needle)
  const isExact = characters.length <= MAX_NEEDLE && !hasMark(needle)
  return { kind: 'text', needles: [{ text: characters.slice(0, MAX_NEEDLE).join(''), of }], isExact }
}

/** One schema in the index: the places of the attribute's values, and the operator. */
interface Part {
  readonly schemaId: string
  readonly dataType: DataTypeName
  readonly condition: Condition
  readonly place: Place
  /** The place of a text. */
  readonly isAnywhere: boolean
  readonly isExact: boolean
}

/** A record belongs to one schema, so the sets of the schemas are disjoint: those that ask the same are asked at once. */
function setOfCriterion(criterion: AttributeCriterion, asked: Asked): RecordSet {
  const indexed = asked.lookUp(criterion.attributeAlias)
  const parts = asked.schemas.flatMap((schema) => {
    const attribute = schema.attribute(criterion.attributeAlias)
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

/** Where some judged value may pass the criterion's test; for negated ones the test of the opposite. */
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
    isExact: isSure && isSaid(condition, attribute),
  }
}

/** Whether the keys of values say whether they pass. */
function isSaid(condition: Condition, attribute: { readonly dataType: DataTypeName }): boolean {
  if (condition.kind === 'prefix') return keyPrefix(condition.text).isExact
  return (condition.kind !== 'point' && condition.kind !== 'points') || dataTypeOf(attribute).areKeysExact
}

/** The comparison depends only on the data type. */
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

/** Whether every value in `scopes` is in force somewhere in the criterion's scope: no other one may cover it there. */
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

type KeyCondition = Exclude<Condition, { readonly kind: 'none' }>

/** The keys that such values have in the index, where every empty value has the same. */
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
    case 'text':
    case 'prefix':
      return { range: { kind: 'prefix', text: keyPrefix(condition.text).text }, isMany }
    case 'filled':
      return { range: { kind: 'filled' }, isMany }
    case 'anyKey':
      return { range: { kind: 'any' }, isMany }
  }
}
