// The searches of home about a schema: records by state, completeness by scope, and records that wait for the user.
import type { Model, Schema } from '../../src/core/model/rules/model.ts'
import type { Workflow } from '../../src/core/model/rules/workflow.ts'
import { countedCells } from '../../src/core/records/rules/completeness.ts'
import { combinationAt, gridOf } from '../../src/core/scopes/grid.ts'
import { type Scope, scopeKey } from '../../src/core/scopes/scope.ts'

/** Each cell and each task is one search. */
const MAX_CELLS = 24
const MAX_TASKS = 6

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

/** Records that a user may move on, by one transition. */
interface Task {
  readonly transitionId: string
  readonly name: string
  readonly fromStateId: string
  readonly where: readonly object[]
}

/** The tasks of a role: transitions that the role may take. With a gate, a task counts only complete records. */
export function tasksFor(roleId: string, { states, transitions }: Workflow): Task[] {
  const order = new Map(states.map(({ id }, index) => [id, index]))
  return transitions
    .filter(({ allowedRoleIds }) => allowedRoleIds.includes(roleId))
    .filter(({ fromStateId, toStateId }) => order.get(toStateId)! > order.get(fromStateId)!)
    .slice(0, MAX_TASKS)
    .map(({ id, name, fromStateId, toStateId, requiresCompleteness }) => ({
      transitionId: id,
      name,
      fromStateId,
      where: requiresCompleteness
        ? [{ field: 'completeness', operator: 'equals', value: 100, stateId: toStateId }]
        : [],
    }))
}

/** The schema that home shows: the requested schema, else the last shown, else the first. */
export function chooseSchema<Of extends { readonly id: string }>(
  schemas: readonly Of[],
  ...wanted: readonly unknown[]
): Of | undefined {
  for (const id of wanted) {
    const found = schemas.find((schema) => schema.id === id)
    if (found !== undefined) return found
  }
  return schemas[0]
}
