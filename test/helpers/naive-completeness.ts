// Computes completeness as the contract defines it, combination by combination and slowly, for comparison with the fast
// way.
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import type { Completeness } from '../../src/core/records/rules/completeness.ts'
import { matchesCriterion } from '../../src/core/search/rules/judge-attribute.ts'
import { dataTypeOf } from '../../src/core/datatypes/data-types.ts'
import type { Model, Schema } from '../../src/core/model/rules/model.ts'
import { effectiveValueIn, type ValueLayers } from '../../src/core/records/rules/record.ts'
import { agree, combinationsOf, type Scope } from '../../src/core/scopes/scope.ts'

export function naiveCompleteness(layers: ValueLayers, schema: Schema, stateId: string, model: Model): Completeness {
  const required = schema.attributes
    .filter((attribute) => attribute.requiredInStateIds.includes(stateId))
    .flatMap((attribute) =>
      combinationsOf(attribute.dimensionIds, model.dimensions).map((scope) => ({ attribute, scope })),
    )
    .filter(({ scope }) => schema.combinations === null || schema.combinations.some((entry) => agree(entry, scope)))
    .filter(({ attribute, scope }) => isVisible(attribute, scope, layers, schema, model))
  const missing = required
    .filter(({ attribute, scope }) => {
      const value = effectiveValueIn(layers, attribute.alias, scope, attribute.dimensionIds)
      return value === undefined || dataTypeOf(attribute).isEmpty(value.value)
    })
    .map(({ attribute, scope }) => ({ attributeAlias: attribute.alias, scope }))
  const total = required.length
  const filled = total - missing.length
  return { filled, total, percentage: total === 0 ? 100 : Math.floor((100 * filled) / total), missing }
}

function isVisible({ guard }: Attribute, combination: Scope, layers: ValueLayers, schema: Schema, model: Model) {
  if (guard === null) return true
  const criteria = guard.criteria.map((criterion) => ({ ...criterion, scope: { ...combination, ...criterion.scope } }))
  const holds = criteria.map((criterion) => matchesCriterion(criterion, layers, schema, model))
  if (holds.length === 0) return true
  return guard.criteriaOperator === 'and' ? holds.every(Boolean) : holds.some(Boolean)
}
