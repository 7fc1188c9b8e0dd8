// Names for the IDs in a job's rules; a deleted part of the model keeps its ID.
import type { ModelState } from '../state/model.ts'

/** Returns the name of a state, which may belong to any workflow. */
export function stateNameIn(model: ModelState, stateId: string): string {
  const workflows = [...(model.workspace.value?.workflows.values() ?? [])]
  const holder = workflows.find(({ states }) => states.some(({ id }) => id === stateId))
  return holder === undefined ? stateId : model.stateName(holder.id, stateId)
}

export function catalogNameIn(model: ModelState, catalogId: string): string {
  return model.workspace.value?.catalogs.find(({ id }) => id === catalogId)?.name ?? catalogId
}
