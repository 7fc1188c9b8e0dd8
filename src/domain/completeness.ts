// How complete a record is for a lifecycle state. Interface §2.3 and §4.1; decisions §4.
import { dataTypeOf } from './datatypes.ts'
import { visibilityOf } from './guards.ts'
import type { Model, Schema } from './model.ts'
import { effectiveValueIn, type ValueLayers } from './record.ts'
import { agreementWith, combinationsOf, type Scope } from './scope.ts'

export interface MissingField {
  readonly attributeAlias: string
  /** The full combination of the attribute's dimensions. */
  readonly scope: Scope
}

export interface Completeness {
  readonly filled: number
  readonly total: number
  /** Whole percent, rounded down; 100 where nothing is required. */
  readonly percentage: number
  /** In schema order. */
  readonly missing: readonly MissingField[]
}

/** Scores `layers` against the attributes that `stateId` requires, in every combination that counts. */
export function scoreCompleteness(layers: ValueLayers, schema: Schema, stateId: string, model: Model): Completeness {
  const missing: MissingField[] = []
  let total = 0
  for (const attribute of schema.attributes) {
    if (!attribute.requiredInStateIds.includes(stateId)) continue
    const type = dataTypeOf(attribute)
    const isVisible = visibilityOf(attribute, layers, schema, model)
    // A market that speaks two of five languages has no missing text in the other three.
    const counts =
      schema.combinations === null ? () => true : agreementWith(schema.combinations, attribute.dimensionIds)
    for (const combination of combinationsOf(attribute.dimensionIds, model.dimensions)) {
      if (!counts(combination) || !isVisible(combination)) continue
      total += 1
      const value = effectiveValueIn(layers, attribute.alias, combination, attribute.dimensionIds)
      if (value === undefined || type.isEmpty(value.value))
        missing.push({ attributeAlias: attribute.alias, scope: combination })
    }
  }
  const filled = total - missing.length
  return { filled, total, percentage: total === 0 ? 100 : Math.floor((100 * filled) / total), missing }
}
