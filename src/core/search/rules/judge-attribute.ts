// Judges whether a record satisfies a criterion on an attribute, for searches and guards.
import { findSearched } from './searched-attribute.ts'
import type { Attribute } from '../../model/rules/attributes.ts'
import { type AttributeCriterion } from './criterion.ts'
import { inheritedValues } from '../../scopes/effective-values.ts'
import { shorten } from '../../../kernel/errors.ts'
import { type Grid, gridOf, NO_GRID, projectOnto } from '../../scopes/grid.ts'
import { valuesInForce } from '../../scopes/in-force.ts'
import type { Model, Schema } from '../../model/rules/model.ts'
import { operatorOf } from './operators.ts'
import { effectiveValueIn, scopedValues, type ValueLayers } from '../../records/rules/record.ts'
import { combinationsOf, restrictScope, type Scope, type ScopedValue } from '../../scopes/scope.ts'
import { findScopeFault } from '../../model/rules/schema.ts'

/** Returns the fault of a criterion, as `field problem`, or undefined. */
export function findCriterionFault(
  criterion: AttributeCriterion,
  schemas: readonly Schema[],
  model: Model,
): string | undefined {
  const alias = criterion.attributeAlias
  const [first, ...others] = schemas.flatMap((schema) => findSearched(schema, criterion) ?? [])
  if (first === undefined) {
    const isKnown = schemas.some((schema) => schema.attribute(alias) !== undefined)
    return isKnown
      ? `part is for files only, and '${shorten(alias, 64)}' has none`
      : `attributeAlias names the unknown attribute '${shorten(alias, 64)}'`
  }
  const scopeFault = findScopeFault(criterion.scope ?? {}, model)
  if (scopeFault !== undefined) return `scope ${scopeFault}`
  return operatorOf(criterion).findFault(criterion.value ?? '', [first, ...others])
}

/** A record whose schema does not define the alias matches no criterion on it. */
export function matchesCriterion(
  criterion: AttributeCriterion,
  layers: ValueLayers,
  schema: Schema,
  model: Model,
): boolean {
  const attribute = findSearched(schema, criterion)
  if (attribute === undefined) return false
  const operator = operatorOf(criterion)
  const test = operator.test(criterion.value ?? '', attribute)
  const isFound = judgedValues(criterion.scope, layers, schema, attribute, model).some((item) => test(item.value))
  return isFound !== operator.isNegated
}

/** Returns the effective values of the combinations that agree with the scope; without a scope, the values in any scope. */
export function judgedValues(
  scope: Scope | undefined,
  layers: ValueLayers,
  schema: Schema,
  attribute: Attribute,
  model: Model,
): readonly ScopedValue[] {
  const { alias, dimensionIds } = attribute
  if (scope === undefined) {
    const own = scopedValues(layers.own, alias)
    const inherited = inheritedValues(layers, schema, alias, model)
    return inherited.length === 0 ? own : [...own, ...inherited]
  }
  const grid = gridOf(dimensionIds, model.dimensions)
  if (grid.size > MANY_COMBINATIONS) return valuesWithin(scope, layers, attribute, grid)
  return combinationsOf(dimensionIds, model.dimensions, restrictScope(scope, dimensionIds)).flatMap(
    (combination) => effectiveValueIn(layers, alias, combination, dimensionIds) ?? [],
  )
}

/** From this number on, computing the effective values of all combinations together is faster. */
const MANY_COMBINATIONS = 64

function valuesWithin(scope: Scope, layers: ValueLayers, { alias }: Attribute, grid: Grid): readonly ScopedValue[] {
  const { values, cells } = valuesInForce(layers, alias, grid)
  const found = new Set<number>()
  const places = projectOnto(grid, NO_GRID, scope)
  for (let cell = 0; cell < cells.length; cell += 1)
    if (places[cell]! >= 0 && cells[cell]! >= 0) found.add(cells[cell]!)
  return [...found].map((index) => values[index]!)
}
