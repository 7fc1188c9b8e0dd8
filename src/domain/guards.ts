// Guards: an attribute with a guard is visible only where its guard holds. Interface §4.1 (completeness), decisions §3.
import type { Attribute } from './attributes.ts'
import { findCriterionFault, matchesCriteria } from './criteria.ts'
import type { Model, Schema } from './model.ts'
import type { ValueLayers } from './record.ts'
import { restrictScope, type Scope, scopeKey } from './scope.ts'

/**
 * Whether `attribute` is visible in the record for a combination: its guard is judged on the other values in that scope,
 * once for all combinations that are alike in the dimensions of those values.
 */
export function visibilityOf(
  { guard }: Attribute,
  layers: ValueLayers,
  schema: Schema,
  model: Model,
): (combination: Scope) => boolean {
  if (guard === null) return () => true
  const { criteria, criteriaOperator } = guard
  const asked = new Set(criteria.flatMap(({ attributeAlias }) => schema.attribute(attributeAlias)?.dimensionIds ?? []))
  const known = new Map<string, boolean>()
  return (combination) => {
    const scope = restrictScope(combination, [...asked])
    const key = scopeKey(scope)
    const judged = known.get(key)
    if (judged !== undefined) return judged
    const inScope = criteria.map((criterion) => ({ ...criterion, scope: { ...scope, ...criterion.scope } }))
    const holds = matchesCriteria({ criteria: inScope, criteriaOperator }, layers, schema, model)
    known.set(key, holds)
    return holds
  }
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
