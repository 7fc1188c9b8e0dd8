// Guards: an attribute with a guard is visible only where its guard holds. Contract 1 §4.1 (completeness), 2 §3.
import type { Attribute } from './attributes.ts'
import { findCriterionFault } from '../../search/rules/judge-attribute.ts'
import { projectOnto } from '../../scopes/grid.ts'
import type { Model, Schema } from './model.ts'
import { dependenciesOf, type ValueSheet } from '../../scopes/value-sheet.ts'

/**
 * Where `attribute` is visible in the record: for each combination of its dimensions 1 or 0; undefined: everywhere. The
 * guard is judged on the other values in that scope. Combinations that are alike in the dimensions of those values are
 * judged once. Yields after each criterion, so that other work gets a turn.
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
    // Once the result is settled everywhere, no further criterion is needed.
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

/** The fault of a schema's guards, naming the attribute, or undefined. */
export function findGuardFault(schema: Schema, model: Model): string | undefined {
  for (const { alias, guard } of schema.attributes) {
    for (const [index, criterion] of (guard?.criteria ?? []).entries()) {
      const fault = findCriterionFault(criterion, [schema], model)
      if (fault !== undefined) return `attribute '${alias}': guard.criteria[${index}].${fault}`
    }
  }
  return undefined
}
