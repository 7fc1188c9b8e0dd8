// Guards: an attribute with a guard is visible only if its guard is true. Contract 1 §4.1 (completeness), 2 §3.
import type { Attribute } from './attributes.ts'
import { findCriterionFault } from '../../search/rules/judge-attribute.ts'
import { projectOnto } from '../../scopes/grid.ts'
import type { Model, Schema } from './model.ts'
import { dependenciesOf, type ValueSheet } from '../../scopes/value-sheet.ts'

/**
 * Returns 1 for each combination in which `attribute` is visible in the record, else 0; undefined: it is visible
 * everywhere. The guard judges the other values in this combination. Combinations that agree in the dimensions of those
 * values are judged once. Yields after each criterion, so that other work can run.
 */
export function* judgeGuard(
  { guard, dimensionIds }: Attribute,
  schema: Schema,
  sheet: ValueSheet,
): Generator<void, Uint8Array | undefined> {
  if (guard === null || guard.criteria.length === 0) return undefined
  const asked = new Set(guard.criteria.flatMap((criterion) => dependenciesOf(criterion, dimensionIds, schema)))
  const narrow = sheet.grid(dimensionIds.filter((id) => asked.has(id)))
  const isAnd = guard.criteriaOperator === 'and'
  const holds = new Uint8Array(narrow.size).fill(Number(isAnd))
  for (const criterion of guard.criteria) {
    // When the result is certain everywhere, no further criterion is needed.
    if (!holds.includes(Number(isAnd))) break
    const table = sheet.judge(criterion, dimensionIds)
    const places = table.grid === narrow ? undefined : projectOnto(narrow, table.grid)
    for (let cell = 0; cell < holds.length; cell += 1) {
      const isHeld = table.holds[places === undefined ? cell : places[cell]!]!
      holds[cell] = isAnd ? holds[cell]! & isHeld : holds[cell]! | isHeld
    }
    yield
  }
  const places = projectOnto(sheet.grid(dimensionIds), narrow)
  const isVisible = new Uint8Array(places.length)
  for (let cell = 0; cell < places.length; cell += 1) isVisible[cell] = holds[places[cell]!]!
  return isVisible
}

/** Returns the fault of a schema's guards, naming the attribute; undefined: none. */
export function findGuardFault(schema: Schema, model: Model): string | undefined {
  for (const { alias, guard } of schema.attributes) {
    for (const [index, criterion] of (guard?.criteria ?? []).entries()) {
      const fault = findCriterionFault(criterion, [schema], model)
      if (fault !== undefined) return `attribute '${alias}': guard.criteria[${index}].${fault}`
    }
  }
  return undefined
}
