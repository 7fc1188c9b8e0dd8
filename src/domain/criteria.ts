// What a search means: a plain predicate over one record. Interface §4.2; decisions §5. `storage/search` makes
// sets of the same criteria, `guards.ts` judges them for many combinations at once, and both are tested against this file.
import type { Attribute } from './attributes.ts'
import { type CriteriaOperator, isUnary, type Operator, type QueryCriterion } from './criterion.ts'
import { type DataType, dataTypeOf, type EqualityKey, parseNumber } from './datatypes.ts'
import { parseDate, parseDateTime } from './dates.ts'
import { denied, invalid, shorten } from './errors.ts'
import { type Grid, gridOf, NO_GRID, projectOnto } from './grid.ts'
import { valuesInForce } from './in-force.ts'
import type { Model, Schema } from './model.ts'
import { canRead, type Role } from './permissions.ts'
import { effectiveValueIn, inheritedValues, scopedValues, type ValueLayers } from './record.ts'
import { combinationsOf, restrictScope, type Scope, type ScopedValue } from './scope.ts'
import { findScopeFault } from './schemas.ts'
import { containsText, foldText } from './text.ts'

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
  const attributes = schemas.flatMap((schema) => schema.attribute(alias) ?? [])
  if (attributes.length === 0) return `attributeAlias names the unknown attribute '${shorten(alias, 64)}'`
  const scopeFault = findScopeFault(criterion.scope ?? {}, model)
  if (scopeFault !== undefined) return `scope ${scopeFault}`
  if (criterion.operator !== 'gt' && criterion.operator !== 'lt') return undefined
  const orders = attributes.flatMap((attribute) => dataTypeOf(attribute).order ?? [])
  if (orders.length === 0) return `operator '${criterion.operator}' does not apply to the attribute '${alias}'`
  if (orders.some((order) => parseComparand(criterion.value!, order) !== undefined)) return undefined
  return `value must be a ${orders.includes('number') ? 'number' : 'date'} for the operator '${criterion.operator}'`
}

/** The number (time: milliseconds) that a criterion's value stands for in an order, or undefined. */
export function parseComparand(text: string, order: 'number' | 'time'): number | undefined {
  if (order === 'number') return parseNumber(text)
  return parseDate(text) ?? parseDateTime(text)
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
  const test = valueTest(criterion, dataTypeOf(attribute))
  const isFound = judgedValues(criterion, layers, schema, attribute, model).some((item) => test(item.value))
  return isFound !== isNegation(criterion.operator)
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

/** How a test looks at a value. Whoever asks many tests of the same values remembers what it sees. */
export interface ValueReader {
  fold(text: string): string
  keys(value: unknown): readonly EqualityKey[]
}

/** The test that one value must pass; for `notEquals` and `isEmpty` the test of their opposites. */
export function valueTest(
  { operator, value = '' }: QueryCriterion,
  type: DataType,
  reader: ValueReader = { fold: foldText, keys: (candidate) => type.equalityKeys(candidate) },
): (value: unknown) => boolean {
  if (isUnary(operator)) return (candidate) => !type.isEmpty(candidate)
  if (operator === 'contains') {
    if (!type.isText) return () => false
    const wanted = foldText(value)
    return (candidate) => containsText(reader.fold(candidate as string), wanted)
  }
  if (operator === 'gt' || operator === 'lt') {
    const bound = type.order === undefined ? undefined : parseComparand(value, type.order)
    if (bound === undefined) return () => false
    const isBeyond = (key: EqualityKey): boolean =>
      operator === 'gt' ? (key as number) > bound : (key as number) < bound
    return (candidate) => reader.keys(candidate).some(isBeyond)
  }
  const wanted = type.parseKey(value)
  return (candidate) => wanted !== undefined && reader.keys(candidate).includes(wanted)
}

/** Whether the operator asks that no value passes its test. */
export function isNegation(operator: Operator): boolean {
  return operator === 'notEquals' || operator === 'isEmpty'
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
