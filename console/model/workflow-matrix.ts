// A workflow as a matrix from × to: the transitions between two states, their roles, and their gate. Contract 2 §3.
import type { Endpoints } from '../api/types.ts'

export type StoredWorkflow = Endpoints['GET /api/v1/workflows/:id']['reply']
export type Transition = StoredWorkflow['transitions'][number]
type State = StoredWorkflow['states'][number]

interface MatrixRow {
  readonly from: State
  /** One cell for each state, in their order. */
  readonly cells: readonly MatrixCell[]
}

interface MatrixCell {
  readonly to: State
  readonly transitions: readonly Transition[]
  /** The cell of a state with itself is closed; a stored transition is shown nevertheless. */
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

/** A new transition with a unique ID. */
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
    ...(to.names === undefined ? {} : { names: to.names }),
    allowedRoleIds: [...roleIds],
    requiresCompleteness: false,
  }
}

export function withTransition(workflow: StoredWorkflow, transition: Transition): readonly Transition[] {
  const isThere = workflow.transitions.some(({ id }) => id === transition.id)
  if (!isThere) return [...workflow.transitions, transition]
  return workflow.transitions.map((one) => (one.id === transition.id ? transition : one))
}

/** Removes a state, and the transitions from and to the state. */
export function withoutState(workflow: StoredWorkflow, stateId: string): Partial<StoredWorkflow> {
  const states = workflow.states.filter(({ id }) => id !== stateId)
  return {
    states,
    transitions: workflow.transitions.filter((one) => one.fromStateId !== stateId && one.toStateId !== stateId),
    ...(workflow.initialStateId === stateId ? { initialStateId: states[0]?.id ?? '' } : {}),
  }
}
