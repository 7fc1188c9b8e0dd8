// The schema that home shows, and the records that wait for the user.
import type { CellAsked, Matrix } from '../../src/statistics/rules/completeness-matrix.ts'
import type { Transition, Workflow } from '../../src/core/model/rules/workflow.ts'

const MAX_TASKS = 6

/** Records that a user may move by one transition. */
interface Task {
  readonly transition: Transition
  readonly where: readonly object[]
}

/**
 * Returns the tasks of a role: transitions that the role may take. A transition with a gate counts only complete
 * records.
 */
export function tasksFor(roleId: string, { states, transitions }: Workflow): Task[] {
  const order = new Map(states.map(({ id }, index) => [id, index]))
  return transitions
    .filter(({ allowedRoleIds }) => allowedRoleIds.includes(roleId))
    .filter(({ fromStateId, toStateId }) => order.get(toStateId)! > order.get(fromStateId)!)
    .slice(0, MAX_TASKS)
    .map((transition) => ({
      transition,
      where: transition.requiresCompleteness
        ? [{ field: 'completeness', operator: 'equals', value: 100, stateId: transition.toStateId }]
        : [],
    }))
}

/** Returns the schema that home shows: the requested schema, or else the last shown, or else the first. */
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

/** The most columns: more columns would break their names. */
const MOST_COLUMNS = 6

interface MatrixLine {
  readonly id: string
  readonly cells: readonly { readonly cell: CellAsked | null; readonly count: number }[]
}

interface ShownMatrix {
  /** True: the segments of the wide dimension are lines, the worst first. */
  readonly isTurned: boolean
  readonly heads: readonly string[]
  readonly lines: readonly MatrixLine[]
}

/** @param counts complete records, by row and column of the matrix */
export function shownMatrix(
  { columns, rows, cells }: Pick<Matrix, 'columns' | 'rows' | 'cells'>,
  counts: readonly (readonly (number | null)[])[],
): ShownMatrix {
  const at = (row: number, column: number) => ({ cell: cells[row]![column]!, count: counts[row]?.[column] ?? 0 })
  if (columns.length <= MOST_COLUMNS) {
    const lines = rows.map((id, row) => ({ id, cells: columns.map((_, column) => at(row, column)) }))
    return { isTurned: false, heads: columns, lines }
  }
  const lines = columns.map((id, column) => ({ id, cells: rows.map((_, row) => at(row, column)) }))
  return { isTurned: true, heads: rows, lines: lines.toSorted((one, other) => meanOf(one) - meanOf(other)) }
}

function meanOf({ cells }: MatrixLine): number {
  const counted = cells.filter(({ cell }) => cell !== null)
  return counted.reduce((sum, { count }) => sum + count, 0) / Math.max(1, counted.length)
}
