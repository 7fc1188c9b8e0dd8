// Which combinations of scopes the completeness of a schema is counted for: by home, and by the counts of days. Contract 5 §6.
import type { Model, Schema } from '../../core/model/rules/model.ts'
import type { Workflow } from '../../core/model/rules/workflow.ts'
import { countedCells } from '../../core/records/rules/completeness.ts'
import { combinationAt, gridOf } from '../../core/scopes/grid.ts'
import { type Scope, scopeKey } from '../../core/scopes/scope.ts'

/** Most cells of the matrix, since each cell is one search. */
const MAX_CELLS = 24

export interface CellAsked {
  readonly scope: Scope
  /** The criteria of the two searches. */
  readonly complete: readonly object[]
  readonly lacking: readonly object[]
}

/** Completeness by scope: rows of one dimension, columns of another; null: a combination that does not count. */
export interface Matrix {
  /** The state whose requirements count. */
  readonly stateId: string
  readonly columnDimensionId: string | undefined
  readonly rowDimensionId: string | undefined
  readonly columns: readonly string[]
  readonly rows: readonly string[]
  /** By row, then by column. */
  readonly cells: readonly (readonly (CellAsked | null)[])[]
  /** The number of all cells; at most 24 of them are searched. */
  readonly total: number
}

/** Undefined if the schema requires nothing. */
export function matrixOf(schema: Schema, workflow: Workflow, model: Model): Matrix | undefined {
  const stateId = gatedState(schema, workflow)
  if (stateId === undefined) return undefined
  const [first, second] = dimensionsOf(schema, stateId, model)
  const columns = segmentsOf(first, model)
  const rows = segmentsOf(second, model)
  const shownColumns = columns.slice(0, MAX_CELLS)
  const shownRows = rows.slice(0, Math.max(1, Math.floor(MAX_CELLS / shownColumns.length)))
  const isCounted = countedIn(schema, [first, second], model)
  const cellAt = (row: string, column: string): CellAsked | null => {
    const scope: Scope = { ...(first && { [first]: column }), ...(second && { [second]: row }) }
    return isCounted(scope) ? cellOf(scope, stateId) : null
  }
  return {
    stateId,
    columnDimensionId: first,
    rowDimensionId: second,
    columns: shownColumns,
    rows: shownRows,
    cells: shownRows.map((row) => shownColumns.map((column) => cellAt(row, column))),
    total: rows.length * columns.length,
  }
}

function cellOf(scope: Scope, stateId: string): CellAsked {
  const asked = { field: 'completeness', scope, stateId }
  return {
    scope,
    complete: [{ ...asked, operator: 'equals', value: 100 }],
    lacking: [{ ...asked, operator: 'lt', value: 100 }],
  }
}

/**
 * The last state, in the order of the workflow, that only complete records can reach; else the last state that requires
 * anything.
 */
function gatedState(schema: Schema, { states, transitions }: Workflow): string | undefined {
  const gated = new Set(transitions.filter((one) => one.requiresCompleteness).map(({ toStateId }) => toStateId))
  const required = states
    .map(({ id }) => id)
    .filter((id) => schema.attributes.some(({ requiredInStateIds }) => requiredInStateIds.includes(id)))
  return required.findLast((id) => gated.has(id)) ?? required.at(-1)
}

/** The two dimensions that scope the most required attributes. */
function dimensionsOf(schema: Schema, stateId: string, { dimensions }: Model): string[] {
  const required = schema.attributes.filter(({ requiredInStateIds }) => requiredInStateIds.includes(stateId))
  const used = [...dimensions.values()]
    .filter(({ segments }) => segments.length > 0)
    .map(({ id }) => ({ id, count: required.filter(({ dimensionIds }) => dimensionIds.includes(id)).length }))
    .filter(({ count }) => count > 0)
  return used
    .sort((one, other) => other.count - one.count)
    .slice(0, 2)
    .map(({ id }) => id)
}

/** '' stands for all segments, if there is no such dimension. */
function segmentsOf(dimensionId: string | undefined, { dimensions }: Model): string[] {
  if (dimensionId === undefined) return ['']
  return (dimensions.get(dimensionId)?.segments ?? []).map(({ id }) => id)
}

function countedIn(schema: Schema, ids: readonly (string | undefined)[], model: Model): (scope: Scope) => boolean {
  const grid = gridOf(
    ids.filter((id) => id !== undefined),
    model.dimensions,
  )
  const counted = countedCells(schema, grid, model)
  if (counted === undefined) return () => true
  const keys = new Set<string>()
  for (let cell = 0; cell < grid.size; cell += 1) if (counted[cell] === 1) keys.add(scopeKey(combinationAt(grid, cell)))
  return (scope) => keys.has(scopeKey(scope))
}
