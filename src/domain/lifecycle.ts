// Which transitions a record may take. Interface §3.1; decisions §4.
import { PimletError, shorten } from './errors.ts'
import type { Transition, Workflow } from './workflows.ts'

export type RefusalReason = 'role' | 'completeness'

export interface AvailableTransition extends Transition {
  /** Whether the caller may take it now. */
  readonly allowed: boolean
  /** Why not; empty where it is allowed. */
  readonly reasons: readonly RefusalReason[]
}

/** Whether the record is 100% complete for a state. Asked only where a transition requires it. */
export type IsComplete = (stateId: string) => boolean

/** The transitions that leave `stateId`, with what stands in the caller's way. */
export function listTransitions(
  workflow: Workflow,
  stateId: string,
  roleId: string,
  isComplete: IsComplete,
): AvailableTransition[] {
  return workflow.transitions
    .filter((transition) => transition.fromStateId === stateId)
    .map((transition) => {
      const reasons = findRefusalReasons(transition, roleId, isComplete)
      return { ...transition, allowed: reasons.length === 0, reasons }
    })
}

/**
 * The transition that moves a record from `stateId`.
 * @throws TRANSITION_ERROR where it does not exist, leaves another state, is not for the role, or the record is incomplete
 */
export function decideTransition(
  workflow: Workflow,
  stateId: string,
  transitionId: string,
  roleId: string,
  isComplete: IsComplete,
): Transition {
  const transition = workflow.transitions.find((candidate) => candidate.id === transitionId)
  if (transition === undefined)
    throw refusal(`The workflow '${workflow.id}' has no transition '${shorten(transitionId)}'`)
  const nameOf = (id: string): string => workflow.states.find((state) => state.id === id)?.name ?? id
  const move = `The transition from '${nameOf(stateId)}' to '${nameOf(transition.toStateId)}'`
  if (transition.fromStateId !== stateId)
    throw refusal(`${move} is not allowed: '${transition.id}' leaves '${nameOf(transition.fromStateId)}'`)
  const [reason] = findRefusalReasons(transition, roleId, isComplete)
  if (reason === 'role') throw refusal(`${move} is not allowed for your role`)
  if (reason === 'completeness')
    throw refusal(`${move} is not allowed: the record is not complete for the target state`)
  return transition
}

function findRefusalReasons(transition: Transition, roleId: string, isComplete: IsComplete): RefusalReason[] {
  const reasons: RefusalReason[] = []
  if (!transition.allowedRoleIds.includes(roleId)) reasons.push('role')
  if (transition.requiresCompleteness && !isComplete(transition.toStateId)) reasons.push('completeness')
  return reasons
}

function refusal(message: string): PimletError {
  return new PimletError('TRANSITION_ERROR', message)
}
