// Guards: an attribute with a guard is visible only where its guard holds. Interface §4.1 (completeness), decisions §3.
import type { Attribute } from './attributes.ts'
import { findCriterionFault, matchesCriteria } from './criteria.ts'
import type { Model, Schema } from './model.ts'
import type { ValueLayers } from './record.ts'
import type { Scope } from './scope.ts'

/** Whether `attribute` is visible in the record for `combination`: its guard is judged on the other values in that scope. */
export function isVisible(
  attribute: Attribute,
  combination: Scope,
  layers: ValueLayers,
  schema: Schema,
  model: Model,
): boolean {
  const { guard } = attribute
  if (guard === null) return true
  const criteria = guard.criteria.map((criterion) => ({ ...criterion, scope: { ...combination, ...criterion.scope } }))
  return matchesCriteria({ criteria, criteriaOperator: guard.criteriaOperator }, layers, schema, model)
}

/** What is wrong with the guards of a schema, naming the attribute, or undefined. */
export function findGuardFault(schema: Schema, model: Model): string | undefined {
  for (const { alias, guard } of schema.attributes) {
    for (const [index, criterion] of (guard?.criteria ?? []).entries()) {
      const fault = findCriterionFault(criterion, [schema], model)
      if (fault !== undefined) return `attribute '${alias}': guard.criteria[${index}].${fault}`
    }
  }
  return undefined
}
