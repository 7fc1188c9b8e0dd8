// Where the index holds what records are ordered by: for each schema places that are looked into one after another, until one
// of them has a key for the record.
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
import { coveredAlias, FIELD_ALIASES, isScoreIndexed, PRINT_ALIAS, requiresAny } from './field-rows.ts'
import { EMPTY_KEY } from './index-rows.ts'
import { isAllKnown } from './score-sets.ts'
import type { IndexKey } from './sets.ts'
import { sortedPart } from './text-keys.ts'

/** How keys are put in order: as they are, by the part that is sorted, by their places in a list, or by what each is worth. */
export type KeyOrder =
  | { readonly kind: 'number' | 'text' }
  | { readonly kind: 'listed'; readonly keys: readonly string[] }
  | { readonly kind: 'judged'; readonly valueOf: (key: string) => number }

export interface SortPlace {
  readonly attribute: number
  readonly scope: number
}

/** Of one schema. */
export interface SortPlaces {
  readonly schemaId: string
  readonly order: KeyOrder
  /** The first one that has a row of the record says what it is ordered by: nothing, where that row is of an empty value. */
  readonly places: readonly SortPlace[]
}

export interface IndexedSort {
  readonly direction: 'asc' | 'desc'
  /** The index can be walked through in this order; else it only knows what each record is ordered by. */
  readonly isWalked: boolean
  readonly schemas: readonly SortPlaces[]
}

/**
 * Undefined where the index does not know it: completeness that takes long to score, of which the role may know a part only, or for
 * a named state of a schema that requires nothing.
 */
export function placesOfSort(key: SortKey, asked: Asked): IndexedSort | undefined {
  const isScore = 'field' in key && key.field === 'completeness'
  if (isScore && !asked.schemas.every((schema) => isScoreKnown(schema, key.stateId, asked))) return undefined
  return {
    direction: key.direction,
    isWalked: !isScore || key.stateId === undefined,
    schemas: asked.schemas.flatMap((schema) => placesWithin(key, schema, asked) ?? []),
  }
}

function isScoreKnown(schema: Schema, stateId: string | undefined, { model, role }: Asked): boolean {
  if (stateId === undefined) return isAllKnown(schema, role) && isScoreIndexed(schema, model)
  // A record without this state has no score.
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

/** Own values come before inherited ones, then more specific ones first. */
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

/** The percentage for a state, derived from the prints. */
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
  return { schemaId: schema.id, order: { kind: 'judged', valueOf }, places }
}

/** Prints whose percentage is remembered while a question is answered. */
const MAX_KNOWN = 20_000

function orderOf(attribute: Attribute): KeyOrder {
  const type = dataTypeOf(attribute)
  if (type.isText) return { kind: 'text' }
  return type.order === undefined ? { kind: 'listed', keys: keysInOrder(attribute) } : { kind: 'number' }
}

/** The sort keys of a record that the index knows. */
export interface IndexedValue {
  readonly value: SortValue
  /** The record's text goes on, and decides between those that begin alike. */
  readonly isCut: boolean
}

const NO_VALUE: IndexedValue = { value: undefined, isCut: false }

/** @param cells of the record; which schema it is of the places say */
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

/** The first key that a walk has to look at for those that come after a value. */
export function keyOfValue(value: number | string, direction: 'asc' | 'desc'): IndexKey {
  if (typeof value === 'number') return value
  const beginning = beginningOf(value, MAX_SEEK)
  return direction === 'asc' ? beginning : `${beginning}\u{10ffff}`
}

/** As much of a text as every key has of its own. */
const MAX_SEEK = 62
