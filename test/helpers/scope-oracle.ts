// The rule for scopes once more, written as naively as contract 2 §3 says it, to compare the product with; and random
// dimensions, scopes and values, with names that JavaScript objects have of themselves.
import * as fc from 'fast-check'
import type { Dimension } from '../../src/core/model/rules/dimension.ts'
import type { Scope, ScopedValue } from '../../src/core/scopes/scope.ts'
import { dimension } from './domain-model.ts'

export const HOSTILE_NAMES = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'isPrototypeOf', 'then']

export const anyName = fc.constantFrom(...HOSTILE_NAMES, 'a', 'B', 'x-1', 'z.9')

export const anyDimensions: fc.Arbitrary<Dimension[]> = fc
  .uniqueArray(anyName, { maxLength: 3 })
  .chain((ids) => fc.tuple(...ids.map((id) => anySegments.map((segments) => dimension(id, ...segments)))))
const anySegments = fc.uniqueArray(anyName, { minLength: 1, maxLength: 3 })

/** A scope that names some of the dimensions. */
export function anyScope(dimensions: readonly Dimension[]): fc.Arbitrary<Scope> {
  const parts = dimensions.map(({ id, segments }) =>
    fc
      .option(fc.constantFrom(...segments.map((segment) => segment.id)), { nil: undefined })
      .map((segment) => [id, segment] as const),
  )
  return fc
    .tuple(...parts)
    .map((pairs) =>
      Object.fromEntries(pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined)),
    )
}

/** Scoped values with different scopes. */
export function anyScopedValues<Value>(
  dimensions: readonly Dimension[],
  value: fc.Arbitrary<Value>,
  maxLength = 8,
): fc.Arbitrary<{ scope: Scope; value: Value }[]> {
  return fc.uniqueArray(fc.record({ scope: anyScope(dimensions), value }), {
    maxLength,
    selector: ({ scope }) => nameScope(scope),
  })
}

export function nameScope(scope: Scope): string {
  return JSON.stringify(Object.entries(scope).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Every choice of one segment per dimension. */
export function everyCombination(dimensions: readonly Dimension[]): Scope[] {
  const [first, ...rest] = dimensions
  if (first === undefined) return [{}]
  const others = everyCombination(rest)
  return first.segments.flatMap((segment) =>
    others.map((other) => Object.fromEntries([[first.id, segment.id] as const, ...Object.entries(other)])),
  )
}

export function isCovered(scope: Scope, combination: Scope): boolean {
  const named = new Map(Object.entries(combination))
  return Object.entries(scope).every(([id, segment]) => named.get(id) === segment)
}

/**
 * Chooses among values that cover the combination: most dimensions first, then the one that names the earlier
 * dimension.
 */
export function naiveEffectiveValue(
  values: readonly ScopedValue[],
  combination: Scope,
  dimensionIds: readonly string[],
): ScopedValue | undefined {
  const rank = ({ scope }: ScopedValue): string => {
    const named = new Set(Object.keys(scope))
    return [String(named.size), ...dimensionIds.map((id) => (named.has(id) ? '1' : '0'))].join('')
  }
  return values
    .filter(({ scope }) => isCovered(scope, combination))
    .sort((one, other) => (rank(one) < rank(other) ? 1 : -1))[0]
}
