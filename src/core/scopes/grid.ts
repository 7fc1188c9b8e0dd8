// The combinations of the segments of some dimensions, as numbers: cell 0, 1, 2, … in the order of dimensions and segments.
// A rule may be asked for thousands of combinations. It is computed once for each cell of the few dimensions that it
// depends on.
import { type Scope, type SegmentedDimension, segmentOf } from './scope.ts'

export interface Grid {
  readonly dimensionIds: readonly string[]
  /** For each dimension: segment ID → its place, in the order of the segments. */
  readonly places: readonly ReadonlyMap<string, number>[]
  /** How many cells it has: 1 without dimensions, 0 where one has no segments. */
  readonly size: number
}

/** Without dimensions: one cell. */
export const NO_GRID: Grid = { dimensionIds: [], places: [], size: 1 }

type Dimensions = ReadonlyMap<string, SegmentedDimension>

const gridsOf = new WeakMap<Dimensions, Map<string, Grid>>()

/** Dimensions that `dimensions` lacks count as having no segments. */
export function gridOf(dimensionIds: readonly string[], dimensions: Dimensions): Grid {
  let grids = gridsOf.get(dimensions)
  if (grids === undefined) {
    grids = new Map()
    gridsOf.set(dimensions, grids)
  }
  const key = dimensionIds.join(';')
  const known = grids.get(key)
  if (known !== undefined) return known
  const places = dimensionIds.map(
    (id) => new Map((dimensions.get(id)?.segments ?? []).map((segment, place) => [segment.id, place])),
  )
  const grid = { dimensionIds, places, size: places.reduce((size, segments) => size * segments.size, 1) }
  grids.set(key, grid)
  return grid
}

/** The combination that a cell stands for. */
export function combinationAt({ dimensionIds, places, size }: Grid, cell: number): Scope {
  const combination: Record<string, string> = {}
  let stride = size
  let rest = cell
  for (const [index, dimensionId] of dimensionIds.entries()) {
    stride /= places[index]!.size
    combination[dimensionId] = segmentAt(places[index]!, Math.floor(rest / stride))
    rest %= stride
  }
  return combination
}

const segmentsOf = new WeakMap<ReadonlyMap<string, number>, readonly string[]>()

function segmentAt(places: ReadonlyMap<string, number>, place: number): string {
  let segments = segmentsOf.get(places)
  if (segments === undefined) {
    segments = [...places.keys()]
    segmentsOf.set(places, segments)
  }
  return segments[place]!
}

/** Writes `mark` into every cell that agrees with `scope`; dimensions that the grid does not have do not matter. */
export function paint(cells: Int32Array | Uint8Array, grid: Grid, scope: Scope, mark: number): void {
  const { dimensionIds, places, size } = grid
  if (size === 0) return
  let starts = [0]
  let stride = size
  // After the last dimension that the scope names, the matching cells are adjacent.
  let run = size
  for (let index = 0; index < dimensionIds.length; index += 1) {
    const outer = stride
    stride /= places[index]!.size
    const segment = segmentOf(scope, dimensionIds[index]!)
    if (segment === undefined) continue
    const place = places[index]!.get(segment)
    if (place === undefined) return
    starts = startsWithin(starts, run / outer, outer, place * stride)
    run = stride
  }
  for (const start of starts) cells.fill(mark, start, start + run)
}

/** Every start of `count` blocks of `width` cells behind each of `starts`, moved by `shift`. */
function startsWithin(starts: readonly number[], count: number, width: number, shift: number): number[] {
  if (count === 1) return starts.map((start) => start + shift)
  return starts.flatMap((start) => Array.from({ length: count }, (_, block) => start + block * width + shift))
}

/**
 * For each cell of `from` the cell of `to` that has the same segments, of the dimensions that both have; -1 for a cell
 * that does not agree with `within`.
 */
export function projectOnto(from: Grid, to: Grid, within: Scope = {}): Int32Array {
  let cells: Int32Array = new Int32Array(1)
  for (let index = 0; index < from.dimensionIds.length; index += 1) {
    const dimensionId = from.dimensionIds[index]!
    const { size } = from.places[index]!
    const wanted = segmentOf(within, dimensionId)
    const only = wanted === undefined ? undefined : (from.places[index]!.get(wanted) ?? -1)
    cells = widen(cells, size, strideOf(to, dimensionId), only)
  }
  return cells
}

/** Repeats each cell for each of `count` segments; with `only`, only that segment agrees. */
function widen(cells: Int32Array, count: number, stride: number, only: number | undefined): Int32Array {
  const wide = new Int32Array(cells.length * count)
  let at = 0
  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index]!
    for (let place = 0; place < count; place += 1) {
      wide[at] = cell < 0 || (only !== undefined && only !== place) ? -1 : cell + stride * place
      at += 1
    }
  }
  return wide
}

/**
 * The distance between two cells that differ only in neighbouring segments of the dimension; 0 if the grid lacks the
 * dimension.
 */
function strideOf({ dimensionIds, places, size }: Grid, dimensionId: string): number {
  let stride = size
  for (let index = 0; index < dimensionIds.length; index += 1) {
    stride /= places[index]!.size
    if (dimensionIds[index] === dimensionId) return stride
  }
  return 0
}

/** 1 for each cell that agrees with at least one of `scopes`. */
export function cellsOfAny(scopes: readonly Scope[], grid: Grid): Uint8Array {
  const cells = new Uint8Array(grid.size)
  const painted = new Set<number>()
  for (const scope of scopes) {
    const part = partOf(scope, grid)
    if (part < 0 || painted.has(part)) continue
    painted.add(part)
    paint(cells, grid, scope, 1)
    if (part === 0) break
  }
  return cells
}

/** The same number for scopes that agree with the same cells; 0: with all cells, -1: with none. */
function partOf(scope: Scope, { dimensionIds, places }: Grid): number {
  let part = 0
  for (let index = 0; index < dimensionIds.length; index += 1) {
    const segment = segmentOf(scope, dimensionIds[index]!)
    const place = segment === undefined ? 0 : (places[index]!.get(segment) ?? -2) + 1
    if (place < 0) return -1
    part = part * (places[index]!.size + 1) + place
  }
  return part
}
