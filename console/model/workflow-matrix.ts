// A workflow as a matrix from × to: which transitions lead from one state to another, who may take them, and their gate. Contract 2 §3.
import type { Endpoints } from '../api/types.ts'

export type StoredWorkflow = Endpoints['GET /api/v1/workflows/:id']['reply']
export type Transition = StoredWorkflow['transitions'][number]
type State = StoredWorkflow['states'][number]

interface MatrixRow {
  readonly from: State
  /** One for each state, in their order. */
  readonly cells: readonly MatrixCell[]
}

interface MatrixCell {
  readonly to: State
  readonly transitions: readonly Transition[]
  /** From a state to itself nothing leads by itself; one that is stored is shown all the same. */
  readonly isSame: boolean
}

export function matrixOf({ states, transitions }: Pick<StoredWorkflow, 'states' | 'transitions'>): MatrixRow[] {
  return states.map((from) => ({
    from,
    cells: states.map((to) => ({
      to,
      transitions: transitions.filter(({ fromStateId, toStateId }) => fromStateId === from.id && toStateId === to.id),
      isSame: from.id === to.id,
    })),
  }))
}

/** A new transition, with an ID that no other has. */
export function newTransition(
  workflow: StoredWorkflow,
  from: State,
  to: State,
  roleIds: readonly string[],
): Transition {
  const taken = new Set(workflow.transitions.map(({ id }) => id))
  const base = `tr-${from.id}-${to.id}`.slice(0, 100)
  let id = base
  for (let count = 2; taken.has(id); count += 1) id = `${base}-${count}`
  return {
    id,
    fromStateId: from.id,
    toStateId: to.id,
    name: to.name,
    allowedRoleIds: [...roleIds],
    requiresCompleteness: false,
  }
}

export function withTransition(workflow: StoredWorkflow, transition: Transition): readonly Transition[] {
  const isThere = workflow.transitions.some(({ id }) => id === transition.id)
  if (!isThere) return [...workflow.transitions, transition]
  return workflow.transitions.map((one) => (one.id === transition.id ? transition : one))
}

/** The states without one, and without the transitions that lead from it or to it. */
export function withoutState(workflow: StoredWorkflow, stateId: string): Partial<StoredWorkflow> {
  const states = workflow.states.filter(({ id }) => id !== stateId)
  return {
    states,
    transitions: workflow.transitions.filter((one) => one.fromStateId !== stateId && one.toStateId !== stateId),
    ...(workflow.initialStateId === stateId ? { initialStateId: states[0]?.id ?? '' } : {}),
  }
}
