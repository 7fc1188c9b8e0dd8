// The effective values of an attribute in a variant, as one list: own and inherited values. Contract 2 §3 (variants);
// contract 3 §1 (`effectiveValues`), 3 §9.8.
//
// Own and inherited values cannot just stand side by side. In a combination an own value comes before the parent's value,
// however specific that value is. A list knows nothing of parents. The one rule for scopes may choose an inherited value
// although an own value covers the combination. The list then gets the own value again, for the scope in which both meet.
import { gridOf } from './grid.ts'
import { cellsInForce } from './in-force.ts'
import type { Model, Schema } from '../model/rules/model.ts'
import { scopedValues, type ValueLayers } from '../records/rules/record.ts'
import { effectiveValue, type Scope, type ScopedValue, type SegmentedDimension, segmentOf } from './scope.ts'
import { isSameValue } from '../../kernel/text.ts'

type Values = readonly ScopedValue[]
type Dimensions = ReadonlyMap<string, SegmentedDimension>

const NO_VALUES: Values = []

/**
 * For every full combination of segments, `effectiveValue` of the list is the value in force in the variant, or none. Own
 * values come first, unchanged; then the parent's values that are in force somewhere; then the added values, each of which
 * is read somewhere. An empty text or list is a value like any other.
 */
export function effectiveValues(
  own: Values,
  parent: Values,
  { dimensionIds }: { readonly dimensionIds: readonly string[] },
  dimensions: Dimensions,
): Values {
  const inherited = inheritedFrom(own, parent, dimensionIds, dimensions)
  if (inherited.length === 0) return own
  if (own.length === 0) return inherited
  const covered: Covered[] = []
  for (const combination of distinctCombinations([own, inherited], dimensionIds, dimensions)) {
    const wanted = effectiveValue(own, combination, dimensionIds)
    if (wanted !== undefined) covered.push({ combination, wanted })
  }
  const side = [...own, ...inherited]
  let list: Values = side
  for (;;) {
    const added = findCorrections(list, own, covered, dimensionIds)
    if (added.length === 0) break
    // The widest scopes first: with them in the list, most narrower values are right. A value that is still wrong is
    // read from a scope with as many dimensions or more, so the loop ends.
    const widest = Math.min(...added.map(({ scope }) => Object.keys(scope).length))
    list = [...list, ...added.filter(({ scope }) => Object.keys(scope).length === widest)]
  }
  if (list.length === side.length) return side
  const read = new Set(covered.map(({ combination }) => effectiveValue(list, combination, dimensionIds)))
  return [...side, ...list.slice(side.length).filter((value) => read.has(value))]
}

/** The values of one attribute that a record inherits, as `inheritedFrom` gives them. */
export function inheritedValues({ own, inherited }: ValueLayers, schema: Schema, alias: string, model: Model): Values {
  const attribute = schema.searchedAttribute(alias)
  if (inherited === null || attribute === undefined) return NO_VALUES
  const [values, parent] = [scopedValues(own, alias), scopedValues(inherited, alias)]
  return inheritedFrom(values, parent, attribute.dimensionIds, model.dimensions)
}

/** The parent's values that are in force in at least one combination, because no own value covers it. */
export function inheritedFrom(
  own: Values,
  parent: Values,
  dimensionIds: readonly string[],
  dimensions: Dimensions,
): Values {
  if (parent.length === 0 || own.some(({ scope }) => Object.keys(scope).length === 0)) return NO_VALUES
  if (own.length === 0 && parent.length === 1) return parent
  const inForce = new Uint8Array(parent.length)
  for (const index of cellsInForce([parent, own], gridOf(dimensionIds, dimensions)))
    if (index >= 0 && index < parent.length) inForce[index] = 1
  return parent.filter((_, index) => inForce[index] === 1)
}

/** A combination for which the variant has its own value. */
interface Covered {
  readonly combination: Scope
  readonly wanted: ScopedValue
}

/** Own values for the scopes in which `list` gives another value than the wanted one. */
function findCorrections(
  list: Values,
  own: Values,
  covered: readonly Covered[],
  dimensionIds: readonly string[],
): ScopedValue[] {
  const found = new Map<string, ScopedValue>()
  for (const { combination, wanted } of covered) {
    const read = effectiveValue(list, combination, dimensionIds)!
    if (read === wanted || isSameValue(read.value, wanted.value)) continue
    const scope = { ...wanted.scope, ...read.scope }
    const key = dimensionIds.map((id) => segmentOf(scope, id) ?? '').join(';')
    // Every own value that covers this scope covers the combination, so that `wanted` is the most specific one here, too.
    if (!found.has(key)) found.set(key, { scope, value: effectiveValue(own, scope, dimensionIds)!.value })
  }
  return [...found.values()]
}

/**
 * One combination for each group that `lists` does not distinguish. If no scope names any segment of a dimension, the
 * combination leaves the dimension out. There are never more than all combinations, and mostly few.
 */
function distinctCombinations(
  lists: readonly Values[],
  dimensionIds: readonly string[],
  dimensions: Dimensions,
): Scope[] {
  let combinations: Scope[] = [{}]
  for (const id of dimensionIds) {
    const named = new Set(lists.flatMap((values) => values.map(({ scope }) => segmentOf(scope, id))))
    const segments = dimensions.get(id)?.segments ?? []
    const parts: Scope[] = segments.filter((segment) => named.has(segment.id)).map((segment) => ({ [id]: segment.id }))
    if (parts.length < segments.length) parts.push({})
    combinations = combinations.flatMap((combination) => parts.map((part) => ({ ...combination, ...part })))
  }
  return combinations
}
