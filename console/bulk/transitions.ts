// Transitions that a role may carry out on many records. Both states distinguish transitions of the same name.
import type { Workflow } from '../../src/core/model/rules/workflow.ts'

export function transitionsFor(
  roleId: string,
  { states, transitions }: Workflow,
  nameOf: (stateId: string) => string,
): { readonly id: string; readonly name: string }[] {
  const order = new Map(states.map(({ id }, index) => [id, index]))
  return transitions
    .filter(({ allowedRoleIds }) => allowedRoleIds.includes(roleId))
    .toSorted((one, other) => order.get(one.fromStateId)! - order.get(other.fromStateId)!)
    .map(({ id, name, fromStateId, toStateId }) => ({
      id,
      name: `${name} (${nameOf(fromStateId)} → ${nameOf(toStateId)})`,
    }))
}
