// Workflows: states and the transitions between them. Contract 1 §2.4, 1 §3.1, 2 §3.
import * as v from 'valibot'
import { invalid } from '../../../kernel/errors.ts'
import { keepNames, type Named, NamesInput } from './names.ts'
import { firstDuplicate, Flag, Id, listOf, Name, NewId, type OutputOf } from '../../../kernel/input/validation.ts'

const State = v.object({ id: Id, name: v.optional(Name), names: v.optional(NamesInput) })

export const TransitionInput = v.object({
  id: Id,
  fromStateId: Id,
  toStateId: Id,
  name: v.optional(Name),
  names: v.optional(NamesInput),
  allowedRoleIds: listOf(Id, 1000),
  requiresCompleteness: v.optional(Flag, false),
})

export const WorkflowInput = v.object({
  id: v.optional(NewId),
  name: Name,
  initialStateId: Id,
  states: listOf(State, 200),
  transitions: v.optional(listOf(TransitionInput, 1000), []),
})

export type Transition = Omit<OutputOf<typeof TransitionInput>, 'name' | 'names'> & Named

export interface Workflow extends Omit<OutputOf<typeof WorkflowInput>, 'id' | 'states' | 'transitions'> {
  readonly id: string
  readonly states: readonly (Named & { readonly id: string })[]
  readonly transitions: readonly Transition[]
}

/** Returns the workflow that `input` describes. @throws VALIDATION_ERROR if its parts do not fit together */
export function defineWorkflow(id: string, input: v.InferOutput<typeof WorkflowInput>): Workflow {
  const stateIds = input.states.map((state) => state.id)
  const stateTwice = firstDuplicate(stateIds)
  if (stateTwice !== undefined) throw invalid(`states: the ID '${stateTwice}' occurs twice`)
  const transitionTwice = firstDuplicate(input.transitions.map((transition) => transition.id))
  if (transitionTwice !== undefined) throw invalid(`transitions: the ID '${transitionTwice}' occurs twice`)
  const known = new Set(stateIds)
  const assertState = (stateId: string, field: string): void => {
    if (!known.has(stateId)) throw invalid(`${field} names the unknown state '${stateId}'`)
  }
  assertState(input.initialStateId, 'initialStateId')
  input.transitions.forEach((transition, index) => {
    assertState(transition.fromStateId, `transitions[${index}].fromStateId`)
    assertState(transition.toStateId, `transitions[${index}].toStateId`)
  })
  return {
    id,
    name: input.name,
    initialStateId: input.initialStateId,
    states: input.states.map((state) => ({ id: state.id, name: state.name ?? state.id, ...keepNames(state.names) })),
    transitions: input.transitions.map(({ names, ...transition }) => ({
      ...transition,
      name: transition.name ?? transition.id,
      ...keepNames(names),
    })),
  }
}

/** Returns the IDs of the states that `after` lacks. */
export function removedStates(before: Workflow, after: Workflow): string[] {
  const kept = new Set(after.states.map((state) => state.id))
  return before.states.map((state) => state.id).filter((id) => !kept.has(id))
}

/** The workflow that the first start puts into an empty workspace. */
export const DEFAULT_WORKFLOW: Workflow = {
  id: 'wf-default',
  name: 'Default',
  initialStateId: 'state-draft',
  states: [
    { id: 'state-draft', name: 'Draft' },
    { id: 'state-review', name: 'Review' },
    { id: 'state-published', name: 'Published' },
  ],
  transitions: [
    defaultTransition('tr-submit', 'Submit for review', 'state-draft', 'state-review', ['role-admin', 'role-editor']),
    {
      ...defaultTransition('tr-publish', 'Publish', 'state-review', 'state-published', ['role-admin', 'role-editor']),
      requiresCompleteness: true,
    },
    defaultTransition('tr-send-back', 'Send back to draft', 'state-review', 'state-draft', ['role-admin']),
    defaultTransition('tr-unpublish', 'Unpublish', 'state-published', 'state-draft', ['role-admin', 'role-editor']),
  ],
}

function defaultTransition(
  id: string,
  name: string,
  fromStateId: string,
  toStateId: string,
  allowedRoleIds: string[],
): Transition {
  return { id, name, fromStateId, toStateId, allowedRoleIds, requiresCompleteness: false }
}
