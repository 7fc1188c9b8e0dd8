// What a cell shows and where it writes: the rule for scopes, asked for one attribute of one record. G2, G3.
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
import { canonicalJson } from '../../src/kernel/text.ts'

interface Scoped {
  readonly dimensionIds: readonly string[]
}

/** The bar's scope with the column's, which goes first, cut to the dimensions of the attribute. */
export function cellScope(bar: Scope, column: Scope, { dimensionIds }: Scoped): Scope {
  return restrictScope({ ...bar, ...column }, dimensionIds)
}

/** The scope itself, and those that a value could be meant for instead, ever wider: the last one is for all. */
export function scopesToWrite(scope: Scope, { dimensionIds }: Scoped): Scope[] {
  let scopes: Scope[] = [{}]
  for (const [dimension, segment] of Object.entries(scope))
    scopes = scopes.flatMap((wider) => [wider, { ...wider, [dimension]: segment }])
  return scopes.sort((one, other) => compareSpecificity(one, other, dimensionIds))
}

/** own: stored in just this scope; wider: in one that covers it; parent: it is the record's of which this one is a variant. */
type Origin = 'own' | 'wider' | 'parent' | 'none'

export interface CellValue {
  readonly value: unknown
  readonly origin: Origin
  /** The scope that it is stored in. */
  readonly from: Scope
  /** How many values of narrower scopes are different. */
  readonly narrower: number
}

interface CellLayers {
  readonly values: Values
  /** With what a variant inherits. */
  readonly effectiveValues?: Values | undefined
}

const NO_VALUE = { value: undefined, origin: 'none', from: {} } as const

/** The value in force in `scope`, as `resolve` of a search gives it: where a dimension is not named, what is for all its segments. */
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

export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  return canonicalJson(one) === canonicalJson(other)
}

/** The value stored in just this scope; undefined where there is none. */
export function storedValue(values: Values, alias: string, scope: Scope): unknown {
  const key = scopeKey(scope)
  return scopedValues(values, alias).find((one) => scopeKey(one.scope) === key)?.value
}

/** `values` with what is stored in one scope replaced; null or undefined removes it. */
export function withValue(values: Values, alias: string, scope: Scope, value: unknown): Values {
  const key = scopeKey(scope)
  const others = scopedValues(values, alias).filter((one) => scopeKey(one.scope) !== key)
  const scoped = value === undefined || value === null ? others : [...others, { scope, value }]
  return { ...values, [alias]: scoped }
}
