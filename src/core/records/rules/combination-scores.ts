// The completeness of a record in each combination of segments, for example in each language and market. Contract 3 §1,
// 3 §11.
//
// The combinations are those of all dimensions that scope required attributes, as far as the schema lets them count. In
// each combination the fields count that agree with it. A field of an attribute without dimensions counts in all
// combinations, and a German field in all markets. So a field may count many times. A record is complete if it is complete
// in every combination.
import * as v from 'valibot'
import type { OutputOf } from '../../../kernel/input/validation.ts'
import type { Attribute } from '../../model/rules/attributes.ts'
import { invalid } from '../../../kernel/errors.ts'
import { combinationAt, type Grid, gridOf, projectOnto } from '../../scopes/grid.ts'
import type { Model, Schema } from '../../model/rules/model.ts'
import { countedCells, type FieldSink, type IsCounted, Percentage, percentageOf } from './completeness.ts'
import { ScopeShape } from '../../scopes/scope.ts'

export const CombinationScoreShape = v.object({
  scope: v.pipe(ScopeShape, v.description('A full combination of the dimensions that scope required attributes.')),
  filled: v.number(),
  total: v.pipe(v.number(), v.description('The required fields of this combination.')),
  percentage: Percentage,
})
export type CombinationScore = OutputOf<typeof CombinationScoreShape>

/** The most combinations with a separate score. */
export const MAX_COMBINATIONS = 10_000

/** Receives the fields while a record is scored (`tallyInSteps`) for the same state and attributes. */
export class CombinationScores implements FieldSink {
  readonly #grid: Grid
  /** Undefined: all. */
  readonly #isCounted: Uint8Array | undefined
  readonly #totals: Int32Array
  readonly #lacking: Int32Array
  readonly #projections = new Map<Grid, Int32Array>()

  constructor(schema: Schema, stateId: string, model: Model, isCounted: IsCounted) {
    this.#grid = commonGrid(
      schema.attributes.filter((attribute) => attribute.requiredInStateIds.includes(stateId) && isCounted(attribute)),
      model,
    )
    this.#isCounted = countedCells(schema, this.#grid, model)
    this.#totals = new Int32Array(this.#grid.size)
    this.#lacking = new Int32Array(this.#grid.size)
  }

  add(grid: Grid, isRequired: Uint8Array, isMissing: Uint8Array): void {
    if (grid.size === 0) return
    let cells = this.#projections.get(grid)
    if (cells === undefined) {
      cells = projectOnto(this.#grid, grid)
      this.#projections.set(grid, cells)
    }
    for (let cell = 0; cell < cells.length; cell += 1) {
      this.#totals[cell]! += isRequired[cells[cell]!]!
      this.#lacking[cell]! += isMissing[cells[cell]!]!
    }
  }

  /** In the order of combinations. */
  *scores(): Generator<CombinationScore, void> {
    for (let cell = 0; cell < this.#totals.length; cell += 1) {
      if (this.#isCounted?.[cell] === 0) continue
      const total = this.#totals[cell]!
      const filled = total - this.#lacking[cell]!
      yield { scope: combinationAt(this.#grid, cell), filled, total, percentage: percentageOf(filled, total) }
    }
  }
}

/**
 * @param stateId the scored state; undefined: any state
 * @throws VALIDATION_ERROR if the required attributes of a schema have too many combinations
 */
export function assertFewCombinations(
  schemas: readonly Schema[],
  stateId: string | undefined,
  model: Model,
  field: string,
): void {
  for (const { id, attributes } of schemas) {
    const required = attributes.filter(({ requiredInStateIds }) =>
      stateId === undefined ? requiredInStateIds.length > 0 : requiredInStateIds.includes(stateId),
    )
    const { size } = commonGrid(required, model)
    if (size <= MAX_COMBINATIONS) continue
    const many = `${size} combinations of segments, more than ${MAX_COMBINATIONS}`
    throw invalid(`${field}: what the schema '${id}' requires has ${many}`)
  }
}

/** Returns the combinations of all dimensions of the attributes. A dimension without segments has no fields. */
function commonGrid(attributes: readonly Attribute[], { dimensions }: Model): Grid {
  const scoped = attributes.filter(({ dimensionIds }) => gridOf(dimensionIds, dimensions).size > 0)
  return gridOf([...new Set(scoped.flatMap(({ dimensionIds }) => dimensionIds))], dimensions)
}
