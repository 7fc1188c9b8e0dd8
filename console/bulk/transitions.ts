// Transitions that a role may carry out on many records. Both states distinguish transitions of the same name.
import type { Workflow } from '../../src/core/model/rules/workflow.ts'
import type { ModelState } from '../state/model.ts'

export function transitionsFor(
  roleId: string,
  { id: workflowId, states, transitions }: Workflow,
  model: Pick<ModelState, 'nameOf' | 'stateName'>,
): { readonly id: string; readonly name: string }[] {
  const order = new Map(states.map(({ id }, index) => [id, index]))
  return transitions
    .filter(({ allowedRoleIds }) => allowedRoleIds.includes(roleId))
    .toSorted((one, other) => order.get(one.fromStateId)! - order.get(other.fromStateId)!)
    .map(({ fromStateId, toStateId, ...transition }) => ({
      id: transition.id,
      name: `${model.nameOf(transition)} (${model.stateName(workflowId, fromStateId)} → ${model.stateName(workflowId, toStateId)})`,
    }))
}
