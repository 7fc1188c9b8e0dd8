// What a search means: a plain predicate over one record. Contract 1 §4.2, 2 §5. `storage/search` makes
// sets of the same criteria, `guards.ts` judges them for many combinations at once, and both are tested against this file.
import type { Attribute } from '../model/attributes.ts'
import type { CriteriaOperator, QueryCriterion } from './criterion.ts'
import { dataTypeOf } from '../datatypes/data-types.ts'
import { inheritedValues } from '../scopes/effective-values.ts'
import { denied, invalid, shorten } from '../errors.ts'
import { type Grid, gridOf, NO_GRID, projectOnto } from '../scopes/grid.ts'
import { valuesInForce } from '../scopes/in-force.ts'
import type { Model, Schema } from '../model/model.ts'
import { operatorOf } from './operators.ts'
import { canRead, type Role } from '../accounts/permissions.ts'
import { effectiveValueIn, scopedValues, type ValueLayers } from '../records/record.ts'
import { combinationsOf, restrictScope, type Scope, type ScopedValue } from '../scopes/scope.ts'
import { findScopeFault } from '../model/schemas.ts'
import { containsText, foldText } from '../text.ts'

export interface Criteria {
  readonly criteria: readonly QueryCriterion[]
  readonly criteriaOperator: CriteriaOperator
}

/**
 * Checks criteria against the schemas that they are asked of.
 * @throws VALIDATION_ERROR naming the criterion, for an unknown alias, dimension or segment, or a value that cannot be compared
 */
export function assertCriteria({ criteria }: Criteria, schemas: readonly Schema[], model: Model): void {
  criteria.forEach((criterion, index) => {
    const fault = findCriterionFault(criterion, schemas, model)
    if (fault !== undefined) throw invalid(`criteria[${index}].${fault}`)
  })
}

/** @throws PERMISSION_DENIED for a criterion on an attribute that the role may not read in a schema that defines it */
export function assertCanSearch({ criteria }: Criteria, schemas: readonly Schema[], role: Role): void {
  for (const { attributeAlias } of criteria) {
    const hidden = schemas.find(
      (schema) => schema.attribute(attributeAlias) && !canRead(role, schema.id, attributeAlias),
    )
    if (hidden) throw denied(`Your role may not search the attribute '${attributeAlias}'`)
  }
}

/** What is wrong with a criterion, as `field problem`, or undefined. */
export function findCriterionFault(
  criterion: QueryCriterion,
  schemas: readonly Schema[],
  model: Model,
): string | undefined {
  const alias = criterion.attributeAlias
  const [first, ...others] = schemas.flatMap((schema) => schema.attribute(alias) ?? [])
  if (first === undefined) return `attributeAlias names the unknown attribute '${shorten(alias, 64)}'`
  const scopeFault = findScopeFault(criterion.scope ?? {}, model)
  if (scopeFault !== undefined) return `scope ${scopeFault}`
  return operatorOf(criterion).findFault(criterion.value ?? '', [first, ...others])
}

/** Whether the record of `schema` with these values satisfies the criteria; no criteria are satisfied by every record. */
export function matchesCriteria(
  { criteria, criteriaOperator }: Criteria,
  layers: ValueLayers,
  schema: Schema,
  model: Model,
): boolean {
  if (criteria.length === 0) return true
  const holds = (criterion: QueryCriterion): boolean => matchesCriterion(criterion, layers, schema, model)
  return criteriaOperator === 'and' ? criteria.every(holds) : criteria.some(holds)
}

/** A record whose schema does not define the alias matches no criterion on it. */
export function matchesCriterion(
  criterion: QueryCriterion,
  layers: ValueLayers,
  schema: Schema,
  model: Model,
): boolean {
  const attribute = schema.attribute(criterion.attributeAlias)
  if (attribute === undefined) return false
  const operator = operatorOf(criterion)
  const test = operator.test(criterion.value ?? '', attribute)
  const isFound = judgedValues(criterion, layers, schema, attribute, model).some((item) => test(item.value))
  return isFound !== operator.isNegated
}

/** With a scope: the effective values of the combinations that agree with it. Without: the values in any scope. */
function judgedValues(
  { scope }: QueryCriterion,
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

/** From here on it pays to find out all at once which value is in force where. */
const MANY_COMBINATIONS = 64

function valuesWithin(scope: Scope, layers: ValueLayers, { alias }: Attribute, grid: Grid): readonly ScopedValue[] {
  const { values, cells } = valuesInForce(layers, alias, grid)
  const found = new Set<number>()
  const places = projectOnto(grid, NO_GRID, scope)
  for (let cell = 0; cell < cells.length; cell += 1)
    if (places[cell]! >= 0 && cells[cell]! >= 0) found.add(cells[cell]!)
  return [...found].map((index) => values[index]!)
}

/** Whether any text value that `role` may read contains `query` (folded by `foldText`). */
export function matchesText(query: string, layers: ValueLayers, schema: Schema, role: Role, model: Model): boolean {
  return schema.attributes.some((attribute) => {
    if (!dataTypeOf(attribute).isText || !canRead(role, schema.id, attribute.alias)) return false
    const own = scopedValues(layers.own, attribute.alias)
    const contains = (item: ScopedValue): boolean => containsText(foldText(item.value as string), query)
    return own.some(contains) || inheritedValues(layers, schema, attribute.alias, model).some(contains)
  })
}
