// The name of a transition in the language of the user: the workflow has it, the transitions of a record do not.
import type { ModelState } from '../state/model.ts'

export function transitionName(
  model: ModelState,
  workflowId: string,
  transition: { readonly id: string; readonly name: string },
): string {
  const { transitions = [] } = model.workspace.value?.workflows.get(workflowId) ?? {}
  return model.nameOf(transitions.find(({ id }) => id === transition.id) ?? transition)
}
