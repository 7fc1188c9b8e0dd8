// The schema that home shows, and the records that wait for the user.
import type { Workflow } from '../../src/core/model/rules/workflow.ts'

const MAX_TASKS = 6

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
