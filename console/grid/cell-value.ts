// The value that a cell shows, and the scope that it writes to: the scope rule for one attribute of one record. G2, G3.
import type { Values } from '../../src/core/records/rules/record.ts'
import { scopedValues } from '../../src/core/records/rules/record.ts'
import {
  compareSpecificity,
  covers,
  effectiveValue,
  restrictScope,
  type Scope,
  type ScopedValue,
  scopeKey,
} from '../../src/core/scopes/scope.ts'
import { isSameValue } from '../../src/kernel/text.ts'

interface Scoped {
  readonly dimensionIds: readonly string[]
}

/**
 * Merges the bar's scope with the column's scope, which has priority. The result is restricted to the dimensions of the
 * attribute.
 */
export function cellScope(bar: Scope, column: Scope, { dimensionIds }: Scoped): Scope {
  return restrictScope({ ...bar, ...column }, dimensionIds)
}

/** Returns the scope itself, then wider scopes; the last scope covers everything. */
export function scopesToWrite(scope: Scope, { dimensionIds }: Scoped): Scope[] {
  let scopes: Scope[] = [{}]
  for (const [dimension, segment] of Object.entries(scope))
    scopes = scopes.flatMap((wider) => [wider, { ...wider, [dimension]: segment }])
  return scopes.sort((one, other) => compareSpecificity(one, other, dimensionIds))
}

/** own: stored in exactly this scope; wider: stored in a covering scope; parent: inherited from the parent record. */
type Origin = 'own' | 'wider' | 'parent' | 'none'

export interface CellValue {
  readonly value: unknown
  readonly origin: Origin
  /** The scope in which the value is stored. */
  readonly from: Scope
  /** The number of narrower scopes with a different value. */
  readonly narrower: number
}

interface CellLayers {
  readonly values: Values
  /** Includes the values that a variant inherits. */
  readonly effectiveValues?: Values | undefined
}

const NO_VALUE = { value: undefined, origin: 'none', from: {} } as const

/**
 * Returns the value in force in `scope`, like `resolve` of a search. A dimension without a segment represents all its
 * segments.
 */
export function cellValue(
  { values, effectiveValues = values }: CellLayers,
  alias: string,
  scope: Scope,
  { dimensionIds }: Scoped,
): CellValue {
  const own = scopedValues(values, alias)
  const all = scopedValues(effectiveValues, alias)
  const found = findInForce(own, all, scope, dimensionIds)
  const narrower = all.length < 2 && found.origin !== 'none' ? 0 : countNarrower(all, scope, found.value)
  return { ...found, narrower }
}

function findInForce(
  own: readonly ScopedValue[],
  all: readonly ScopedValue[],
  scope: Scope,
  dimensionIds: readonly string[],
): Omit<CellValue, 'narrower'> {
  const ownValue = effectiveValue(own, scope, dimensionIds)
  if (ownValue !== undefined) {
    const isHere = Object.keys(ownValue.scope).length === Object.keys(scope).length
    return { value: ownValue.value, origin: isHere ? 'own' : 'wider', from: ownValue.scope }
  }
  const inherited = effectiveValue(all, scope, dimensionIds)
  return inherited === undefined ? NO_VALUE : { value: inherited.value, origin: 'parent', from: inherited.scope }
}

function countNarrower(values: readonly ScopedValue[], scope: Scope, shown: unknown): number {
  const size = Object.keys(scope).length
  return values.filter(
    (one) => Object.keys(one.scope).length > size && covers(scope, one.scope) && !isSameValue(one.value, shown),
  ).length
}

/** Returns the value stored in exactly this scope; undefined: none. */
export function storedValue(values: Values, alias: string, scope: Scope): unknown {
  const key = scopeKey(scope)
  return scopedValues(values, alias).find((one) => scopeKey(one.scope) === key)?.value
}

/** Replaces the value that is stored in one scope; null or undefined removes it. */
export function withValue(values: Values, alias: string, scope: Scope, value: unknown): Values {
  const key = scopeKey(scope)
  const others = scopedValues(values, alias).filter((one) => scopeKey(one.scope) !== key)
  const scoped = value === undefined || value === null ? others : [...others, { scope, value }]
  return { ...values, [alias]: scoped }
}
