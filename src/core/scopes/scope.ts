// The one rule for scopes: which value of an attribute is in force for a combination of segments.
// Contract 1 §2.1, 2 §3. Search, completeness, guards and exports all ask here.
import * as v from 'valibot'

/** Dimension ID → segment ID. `{}` is the global scope. */
export type Scope = Readonly<Record<string, string>>

export interface ScopedValue {
  readonly scope: Scope
  readonly value: unknown
}

/** The parts of a dimension that scopes need. */
export interface SegmentedDimension {
  readonly id: string
  readonly segments: readonly { readonly id: string }[]
}

export const ScopeShape = v.pipe(
  v.record(v.string(), v.string()),
  v.description('Map of dimension ID to segment ID. {} is the global scope.'),
)

/** `language=de;market=eu`: dimensions in alphabetical order; `` for the global scope. Unambiguous, since IDs hold neither sign. */
export function scopeKey(scope: Scope): string {
  const dimensions = Object.keys(scope)
  if (dimensions.length === 0) return ''
  if (dimensions.length === 1) return `${dimensions[0]}=${scope[dimensions[0]!]}`
  return dimensions
    .sort()
    .map((dimension) => `${dimension}=${scope[dimension]}`)
    .join(';')
}

/** The member of a question that is asked within the scope; none for the global scope. */
export function withinScope(scope: Scope): { readonly scope?: Record<string, string> } {
  return Object.keys(scope).length === 0 ? {} : { scope: { ...scope } }
}

/** The scope that `scopeKey` made into `key`. */
export function parseScopeKey(key: string): Scope {
  if (key === '') return {}
  return Object.fromEntries(key.split(';').map((pair) => pair.split('=') as [string, string]))
}

/** Whether a value scoped to `scope` applies to `combination`: the combination has all segments of the scope. */
export function covers(scope: Scope, combination: Scope): boolean {
  return Object.keys(scope).every((dimension) => segmentOf(combination, dimension) === scope[dimension])
}

/** Whether two scopes name no dimension with different segments. */
export function agree(one: Scope, other: Scope): boolean {
  return Object.keys(one).every((dimension) => {
    const segment = segmentOf(other, dimension)
    return segment === undefined || segment === one[dimension]
  })
}

/** The segment that `scope` names for `dimension`; safe for dimensions called like members of Object. */
export function segmentOf(scope: Scope, dimension: string): string | undefined {
  return Object.hasOwn(scope, dimension) ? scope[dimension] : undefined
}

/** `scope` without the dimensions that are not in `dimensionIds`. */
export function restrictScope(scope: Scope, dimensionIds: readonly string[]): Scope {
  return Object.fromEntries(Object.entries(scope).filter(([dimension]) => dimensionIds.includes(dimension)))
}

/**
 * Negative where `one` is more specific than `other`: it names more dimensions or, on a tie, the dimension that comes
 * first in `dimensionIds`. Zero only for scopes that name the same dimensions.
 */
export function compareSpecificity(one: Scope, other: Scope, dimensionIds: readonly string[]): number {
  const difference = Object.keys(other).length - Object.keys(one).length
  if (difference !== 0) return difference
  for (const dimension of dimensionIds) {
    const named = Number(Object.hasOwn(one, dimension)) - Number(Object.hasOwn(other, dimension))
    if (named !== 0) return -named
  }
  return 0
}

/** The value in force for a full `combination`, or undefined where none covers it. */
export function effectiveValue(
  values: readonly ScopedValue[],
  combination: Scope,
  dimensionIds: readonly string[],
): ScopedValue | undefined {
  if (values.length > MANY_VALUES) return lookUp(values, combination, dimensionIds)
  let best: ScopedValue | undefined
  for (const candidate of values) {
    if (!covers(candidate.scope, combination)) continue
    if (best === undefined || compareSpecificity(candidate.scope, best.scope, dimensionIds) < 0) best = candidate
  }
  return best
}

/** From here on values are looked up: comparing thousands of values with thousands of combinations takes minutes. */
const MANY_VALUES = 32

/** The values whose scopes name the same dimensions. */
interface ValueGroup {
  readonly scope: Scope
  readonly dimensions: readonly string[]
  readonly byKey: Map<string, ScopedValue>
}

const groupsOf = new WeakMap<readonly ScopedValue[], { dimensionIds: readonly string[]; groups: ValueGroup[] }>()

function lookUp(
  values: readonly ScopedValue[],
  combination: Scope,
  dimensionIds: readonly string[],
): ScopedValue | undefined {
  let known = groupsOf.get(values)
  if (known?.dimensionIds !== dimensionIds) {
    known = { dimensionIds, groups: groupValues(values, dimensionIds) }
    groupsOf.set(values, known)
  }
  for (const { dimensions, byKey } of known.groups) {
    const key = dimensions.map((dimension) => segmentOf(combination, dimension) ?? '').join(';')
    const value = byKey.get(key)
    if (value !== undefined) return value
  }
  return undefined
}

/** The most specific group first. */
function groupValues(values: readonly ScopedValue[], dimensionIds: readonly string[]): ValueGroup[] {
  const groups = new Map<string, ValueGroup>()
  for (const value of values) {
    const dimensions = Object.keys(value.scope).sort()
    const name = dimensions.join(';')
    const group = groups.get(name) ?? { scope: value.scope, dimensions, byKey: new Map<string, ScopedValue>() }
    groups.set(name, group)
    group.byKey.set(dimensions.map((dimension) => value.scope[dimension]).join(';'), value)
  }
  return [...groups.values()].sort((one, other) => compareSpecificity(one.scope, other.scope, dimensionIds))
}

/**
 * Every combination of the segments of `dimensionIds` that agrees with `within`, in the order of dimensions and
 * segments; one empty combination for no dimensions. Dimensions that `dimensions` lacks count as having no segments.
 */
export function combinationsOf(
  dimensionIds: readonly string[],
  dimensions: ReadonlyMap<string, SegmentedDimension>,
  within: Scope = {},
): Scope[] {
  let combinations: Scope[] = [{}]
  for (const dimensionId of dimensionIds) {
    const wanted = segmentOf(within, dimensionId)
    const segments = (dimensions.get(dimensionId)?.segments ?? []).filter(
      (segment) => wanted === undefined || segment.id === wanted,
    )
    combinations = combinations.flatMap((combination) =>
      segments.map((segment) => ({ ...combination, [dimensionId]: segment.id })),
    )
  }
  return combinations
}

/** How many combinations `combinationsOf` would list. */
export function countCombinations(
  dimensionIds: readonly string[],
  dimensions: ReadonlyMap<string, SegmentedDimension>,
): number {
  return dimensionIds.reduce((count, id) => count * (dimensions.get(id)?.segments.length ?? 0), 1)
}
