// The name of a transition in the user's language: the workflow contains these names, the transitions of a record do
// not.
import type { ModelState } from '../state/model.ts'

export function transitionName(
  model: ModelState,
  workflowId: string,
  transition: { readonly id: string; readonly name: string },
): string {
  const { transitions = [] } = model.workspace.value?.workflows.get(workflowId) ?? {}
  return model.nameOf(transitions.find(({ id }) => id === transition.id) ?? transition)
}
