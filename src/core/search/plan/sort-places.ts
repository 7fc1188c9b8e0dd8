// Finds the places of sort values in the index. Each schema has a list of places; the first place with a key of the
// record decides.
import type { Attribute } from '../../model/rules/attributes.ts'
import { dataTypeOf } from '../../datatypes/data-types.ts'
import type { Schema } from '../../model/rules/model.ts'
import { compareSpecificity, covers, restrictScope } from '../../scopes/scope.ts'
import {
  beginningOf,
  keysInOrder,
  placeIn,
  type SortField,
  type SortKey,
  type SortValue,
  statesInOrder,
} from '../rules/sorting.ts'
import { scoresOfPrints } from '../rules/scoped-score.ts'
import type { Asked, IndexedScope } from './asked.ts'
import { keyIn } from './cells.ts'
import { coveredAlias, FIELD_ALIASES, PRINT_ALIAS, requiresAny } from './field-rows.ts'
import { EMPTY_KEY } from './index-rows.ts'
import { isAllKnown, readPrints } from './score-sets.ts'
import type { IndexKey } from './sets.ts'
import { sortedPart } from './text-keys.ts'
import { isScoreIndexed } from '../../records/rules/score-cost.ts'

/**
 * The order of keys: by themselves, by their sorted part, by their place in a list, or by a computed value. `readKeys` reads
 * the different keys of a computed value; undefined: too many.
 */
export type KeyOrder =
  | { readonly kind: 'number' | 'text' }
  | { readonly kind: 'listed'; readonly keys: readonly string[] }
  | {
      readonly kind: 'judged'
      readonly valueOf: (key: string) => number
      readonly readKeys: () => Promise<readonly string[] | undefined>
    }

export interface SortPlace {
  readonly attribute: number
  readonly scope: number
}

/** Places of one schema. */
export interface SortPlaces {
  readonly schemaId: string
  readonly order: KeyOrder
  /** The first place with a row of the record gives its sort value. A row of an empty value means no sort value. */
  readonly places: readonly SortPlace[]
}

export interface IndexedSort {
  readonly direction: 'asc' | 'desc'
  readonly schemas: readonly SortPlaces[]
}

/**
 * Returns the places of a sort key. Undefined: the index does not cover this key. The index does not cover completeness in
 * three cases: it is slow to score; the role may see only a part of it; or it is for a named state of a schema without
 * required attributes.
 */
export function placesOfSort(key: SortKey, asked: Asked): IndexedSort | undefined {
  const isScore = 'field' in key && key.field === 'completeness'
  if (isScore && !asked.schemas.every((schema) => isScoreKnown(schema, key.stateId, asked))) return undefined
  return {
    direction: key.direction,
    schemas: asked.schemas.flatMap((schema) => placesWithin(key, schema, asked) ?? []),
  }
}

function isScoreKnown(schema: Schema, stateId: string | undefined, { model, role }: Asked): boolean {
  if (stateId === undefined) return isAllKnown(schema, role) && isScoreIndexed(schema, model)
  // Records without this state have no score.
  return !hasState(schema, stateId, model) || (requiresAny(schema) && isScoreIndexed(schema, model))
}

function hasState(schema: Schema, stateId: string, model: Asked['model']): boolean {
  return statesInOrder(schema, model).includes(stateId)
}

function placesWithin(key: SortKey, schema: Schema, asked: Asked): SortPlaces | undefined {
  if ('field' in key)
    return key.stateId === undefined
      ? placesOfField(key.field, schema, asked)
      : placesOfPrints(key.stateId, schema, asked)
  const attribute = schema.attribute(key.attributeAlias)
  if (attribute === undefined) return undefined
  const { alias, dimensionIds } = attribute
  const wanted = restrictScope(key.scope ?? {}, dimensionIds)
  const indexed = [alias, coveredAlias(alias)].flatMap((name) => {
    const { n: number, scopes } = asked.lookUp(name).get(schema.id) ?? { n: 0, scopes: [] }
    return scopes.filter(({ scope }) => covers(scope, wanted)).map((scope) => ({ attribute: number, ...scope }))
  })
  const places = indexed
    .toSorted((one, other) => compareRank(one, other, dimensionIds))
    .map(({ attribute: number, n }) => ({ attribute: number, scope: n }))
  return { schemaId: schema.id, order: orderOf(attribute), places }
}

/** Own values come before inherited ones; then more specific scopes come first. */
function compareRank(one: IndexedScope, other: IndexedScope, dimensionIds: readonly string[]): number {
  const isInherited = Number(one.n < 0) - Number(other.n < 0)
  return isInherited === 0 ? compareSpecificity(one.scope, other.scope, dimensionIds) : isInherited
}

function placesOfField(field: SortField, schema: Schema, { lookUp, model }: Asked): SortPlaces {
  const indexed = lookUp(FIELD_ALIASES[field]).get(schema.id)
  const order: KeyOrder =
    field === 'lifecycleStateId'
      ? { kind: 'listed', keys: statesInOrder(schema, model) }
      : { kind: field === 'id' ? 'text' : 'number' }
  const places = indexed?.scopes.map(({ n }) => ({ attribute: indexed.n, scope: n })) ?? []
  return { schemaId: schema.id, order, places }
}

/** Returns the place of the percentage for a state, computed from the prints. */
function placesOfPrints(stateId: string, schema: Schema, asked: Asked): SortPlaces | undefined {
  const indexed = asked.lookUp(PRINT_ALIAS).get(schema.id)
  if (indexed === undefined || !hasState(schema, stateId, asked.model)) return undefined
  const scoreOf = scoresOfPrints(schema, { stateId }, asked)
  const known = new Map<string, number>()
  const valueOf = (print: string): number => {
    const value = known.get(print) ?? scoreOf(print).percentage
    if (known.size < MAX_KNOWN) known.set(print, value)
    return value
  }
  const places = indexed.scopes.map(({ n }) => ({ attribute: indexed.n, scope: n }))
  return { schemaId: schema.id, order: { kind: 'judged', valueOf, readKeys: () => readPrints(schema, asked) }, places }
}

/** Prints whose percentage is cached during a search. */
const MAX_KNOWN = 20_000

function orderOf(attribute: Attribute): KeyOrder {
  const type = dataTypeOf(attribute)
  if (type.isText) return { kind: 'text' }
  return type.order === undefined ? { kind: 'listed', keys: keysInOrder(attribute) } : { kind: 'number' }
}

/** The sort value of a record in the index. */
export interface IndexedValue {
  readonly value: SortValue
  /** True: the text is longer than its key, so texts with the same beginning must be compared. */
  readonly isCut: boolean
}

const NO_VALUE: IndexedValue = { value: undefined, isCut: false }

/** @param cells of the record; the places with a key identify its schema */
export function valueOfCells(cells: string, { schemas }: IndexedSort): IndexedValue {
  for (const { order, places } of schemas)
    for (const { attribute, scope } of places) {
      const key = keyIn(cells, attribute, scope)
      if (key !== undefined) return valueOfKey(key, order)
    }
  return NO_VALUE
}

export function valueOfKey(key: IndexKey, order: KeyOrder): IndexedValue {
  if (key === EMPTY_KEY) return NO_VALUE
  if (order.kind === 'number') return { value: Number(key), isCut: false }
  if (order.kind === 'judged') return { value: order.valueOf(String(key)), isCut: false }
  if (order.kind === 'listed') return { value: placeIn(order.keys, String(key)), isCut: false }
  const { text, isCut } = sortedPart(String(key))
  return { value: text, isCut }
}

/** Returns the first key at which a walk must start to find records after a value. */
export function keyOfValue(value: number | string, direction: 'asc' | 'desc'): IndexKey {
  if (typeof value === 'number') return value
  const beginning = beginningOf(value, MAX_SEEK)
  return direction === 'asc' ? beginning : `${beginning}\u{10ffff}`
}

/** Characters of a text that every key contains. */
const MAX_SEEK = 62
