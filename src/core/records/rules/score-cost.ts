// The cost of a completeness score, known beforehand: a cheap score is computed on the main thread.
import { type Grid, gridOf } from '../../scopes/grid.ts'
import type { Model, Schema } from '../../model/rules/model.ts'
import { operatorOf } from '../../search/rules/operators.ts'

interface ScoreCost {
  /**
   * The number of examined combinations: of required attributes, by the criteria of their guards, and in the schema's
   * list.
   */
  readonly combinations: number
  /** The number of criteria that compare values: each may read all values of the record. */
  readonly comparisons: number
}

interface KnownCosts {
  readonly dimensions: Model['dimensions']
  readonly byStates: Map<string, ScoreCost>
}

const costsOf = new WeakMap<Schema, KnownCosts>()

/**
 * Returns the maximum cost of scoring a record of the schema. Cached while schema and dimensions stay the same.
 * @param stateIds `any`: each attribute that some state requires counts once
 */
function costOfScore(schema: Schema, stateIds: readonly string[] | 'any', { dimensions }: Model): ScoreCost {
  let known = costsOf.get(schema)
  if (known?.dimensions !== dimensions) {
    known = { dimensions, byStates: new Map() }
    costsOf.set(schema, known)
  }
  const key = stateIds === 'any' ? '' : stateIds.join(' ')
  const cost = known.byStates.get(key) ?? countCost(schema, stateIds, dimensions)
  known.byStates.set(key, cost)
  return cost
}

function countCost(schema: Schema, stateIds: readonly string[] | 'any', dimensions: Model['dimensions']): ScoreCost {
  const sizeOf = (alias: string): number => gridOf(schema.attribute(alias)?.dimensionIds ?? [], dimensions).size
  const grids = new Set<Grid>()
  let combinations = 0
  let comparisons = 0
  for (const attribute of schema.attributes) {
    const times =
      stateIds === 'any'
        ? Math.min(1, attribute.requiredInStateIds.length)
        : stateIds.filter((stateId) => attribute.requiredInStateIds.includes(stateId)).length
    if (times === 0) continue
    const criteria = attribute.guard?.criteria ?? []
    const grid = gridOf(attribute.dimensionIds, dimensions)
    grids.add(grid)
    const guarded = criteria.reduce((sum, { attributeAlias }) => sum + sizeOf(attributeAlias) + grid.size, 0)
    combinations += times * (grid.size + guarded)
    comparisons += times * criteria.filter((criterion) => operatorOf(criterion).operand !== 'none').length
  }
  combinations += grids.size * (schema.combinations?.length ?? 0)
  return { combinations, comparisons }
}

/** The costs up to which a score is quick. Larger scores would block other work for more than a few milliseconds. */
const QUICK = { combinations: 4000, characters: 131_072, compared: 4_000_000 }

/** @param characters characters of JSON of the record's values and of its parent's values */
export function isQuicklyScored(
  schema: Schema,
  stateIds: readonly string[],
  model: Model,
  characters: number,
): boolean {
  const { combinations, comparisons } = costOfScore(schema, stateIds, model)
  return (
    combinations <= QUICK.combinations && characters <= QUICK.characters && comparisons * characters <= QUICK.compared
  )
}

/** Whether the index stores completeness of the schema: only if the print of a record (`score-print.ts`) is quick and short. */
export function isScoreIndexed(schema: Schema, model: Model): boolean {
  return costOfScore(schema, 'any', model).combinations <= QUICK.combinations
}
