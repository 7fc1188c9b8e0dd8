// Which value is in force in every combination at once: the one rule for scopes (`scope.ts`), worked out for whole grids.
import { type Grid, paint } from './grid.ts'
import { scopedValues, type ValueLayers } from '../records/rules/record.ts'
import type { ScopedValue } from './scope.ts'

export interface ValuesInForce {
  /** The parent's, then the record's own. */
  readonly values: readonly ScopedValue[]
  /** For each cell of the grid the place of its value in `values`; -1 where none covers it. */
  readonly cells: Int32Array
}

export function valuesInForce({ own, inherited }: ValueLayers, alias: string, grid: Grid): ValuesInForce {
  const layers = [inherited ?? {}, own].map((values) => scopedValues(values, alias))
  return { values: layers.flat(), cells: cellsInForce(layers, grid) }
}

/** For each cell the place of its value in all `layers` together, where later layers win over earlier ones; -1: none. */
export function cellsInForce(layers: readonly (readonly ScopedValue[])[], grid: Grid): Int32Array {
  const cells = new Int32Array(grid.size).fill(-1)
  let offset = 0
  for (const values of layers) {
    // A more specific value overwrites a less specific one.
    for (const { scope, index } of byRank(values, grid)) paint(cells, grid, scope, offset + index)
    offset += values.length
  }
  return cells
}

function byRank(values: readonly ScopedValue[], { dimensionIds }: Grid) {
  return values
    .map(({ scope }, index) => ({ scope, index, rank: rankOf(scope, dimensionIds) }))
    .filter(({ rank }) => rank >= 0)
    .sort((one, other) => one.rank - other.rank || other.index - one.index)
}

/**
 * Higher with each dimension that the scope names, and, on a tie, with earlier dimensions; -1 where it names another
 * dimension, and so covers nothing.
 */
function rankOf(scope: ScopedValue['scope'], dimensionIds: readonly string[]): number {
  const named = Object.keys(scope).length
  let found = 0
  let which = 0
  for (const dimensionId of dimensionIds) {
    const isNamed = named > 0 && Object.hasOwn(scope, dimensionId)
    which = which * 2 + Number(isNamed)
    found += Number(isNamed)
  }
  return found === named ? named * 2 ** dimensionIds.length + which : -1
}
