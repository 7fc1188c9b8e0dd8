// Decides which transitions a record may take. Contract 1 §3.1, 2 §4, 3 §9.7.
import * as v from 'valibot'
import type { OutputOf } from '../../../kernel/input/validation.ts'
import { MissingFieldShape, type Gate } from './completeness.ts'
import { PimletError, shorten } from '../../../kernel/errors.ts'
import { scopeKey } from '../../scopes/scope.ts'
import type { Transition, Workflow } from '../../model/rules/workflow.ts'

type RefusalReason = 'role' | 'completeness'

export const AvailableTransitionShape = v.object({
  id: v.string(),
  fromStateId: v.string(),
  toStateId: v.string(),
  name: v.string(),
  allowedRoleIds: v.array(v.string()),
  requiresCompleteness: v.boolean(),
  allowed: v.pipe(v.boolean(), v.description('Whether the caller may take the transition now.')),
  reasons: v.pipe(v.array(v.picklist(['role', 'completeness'])), v.description('The obstacles.')),
  missing: v.pipe(
    v.array(MissingFieldShape),
    v.description('The first required fields without a value. Empty if the transition does not require completeness.'),
  ),
})
export type AvailableTransition = OutputOf<typeof AvailableTransitionShape>

/** The completeness gate of a state. Computed only if a transition requires completeness. */
export type GateOf = (stateId: string) => Gate

/** Returns the transitions that leave `stateId`, with the reasons why the caller may not take them. */
export function listTransitions(
  workflow: Workflow,
  stateId: string,
  roleId: string,
  gateOf: GateOf,
): AvailableTransition[] {
  // The workflow contains names by language; the answer contains only the members that contract 1 §2.4 names.
  return transitionsFrom(workflow, stateId).map(({ names: _names, ...transition }) => {
    const { lacking, missing } = transition.requiresCompleteness ? gateOf(transition.toStateId) : OPEN
    const reasons: RefusalReason[] = []
    if (!transition.allowedRoleIds.includes(roleId)) reasons.push('role')
    if (lacking > 0) reasons.push('completeness')
    return { ...transition, allowed: reasons.length === 0, reasons, missing }
  })
}

const OPEN: Gate = { lacking: 0, missing: [] }

export function transitionsFrom(workflow: Workflow, stateId: string): Transition[] {
  return workflow.transitions.filter((transition) => transition.fromStateId === stateId)
}

/** The most missing fields that a list of transitions names, in all its transitions together. */
const MAX_MISSING_LISTED = 1000

/** Returns the states for which a list of transitions scores the record, and the most missing fields of each state. */
export function gatesToList(workflow: Workflow, stateId: string): { stateIds: string[]; limit: number } {
  const gated = transitionsFrom(workflow, stateId).filter(({ requiresCompleteness }) => requiresCompleteness)
  const stateIds = [...new Set(gated.map(({ toStateId }) => toStateId))]
  return { stateIds, limit: Math.floor(MAX_MISSING_LISTED / Math.max(1, gated.length)) }
}

/** Returns the default state for scoring a record in `stateId`: the next state that requires completeness. */
export function stateToScore(workflow: Workflow, stateId: string): string {
  return (
    transitionsFrom(workflow, stateId).find(({ requiresCompleteness }) => requiresCompleteness)?.toStateId ?? stateId
  )
}

/**
 * Returns whether taking the transition depends on completeness. A role that may not take the transition is refused
 * before.
 */
export function isGated(transition: Transition | undefined, stateId: string, roleId: string): boolean {
  if (transition === undefined || !transition.requiresCompleteness) return false
  return transition.fromStateId === stateId && transition.allowedRoleIds.includes(roleId)
}

/**
 * Returns the transition that moves a record from `stateId`.
 * @throws TRANSITION_ERROR if the transition does not exist, leaves another state or is not for the role, or the record
 * is incomplete
 */
export function decideTransition(
  workflow: Workflow,
  stateId: string,
  transitionId: string,
  roleId: string,
  gateOf: GateOf,
): Transition {
  const transition = workflow.transitions.find((candidate) => candidate.id === transitionId)
  if (transition === undefined)
    throw refusal(`The workflow '${workflow.id}' has no transition '${shorten(transitionId)}'`)
  const nameOf = (id: string): string => workflow.states.find((state) => state.id === id)?.name ?? id
  const move = `The transition from '${nameOf(stateId)}' to '${nameOf(transition.toStateId)}'`
  if (transition.fromStateId !== stateId)
    throw refusal(`${move} is not allowed: '${transition.id}' leaves '${nameOf(transition.fromStateId)}'`)
  if (!transition.allowedRoleIds.includes(roleId)) throw refusal(`${move} is not allowed for your role`)
  if (!isGated(transition, stateId, roleId)) return transition
  const gate = gateOf(transition.toStateId)
  if (gate.lacking > 0)
    throw refusal(`${move} is not allowed: the record is not complete for the target state: ${describeGate(gate)}`)
  return transition
}

/** The most missing fields that the message of a refusal names. */
export const NAMED_MISSING = 5

/**
 * Returns a text such as `'name' (language=de), 'price' and 3 more have no value`. Fields that the caller may not know
 * are only counted.
 */
function describeGate({ lacking, missing }: Gate): string {
  const named = missing.slice(0, NAMED_MISSING).map(({ attributeAlias, scope }) => {
    const where = scopeKey(scope)
    return where === '' ? `'${attributeAlias}'` : `'${attributeAlias}' (${shorten(where, 200)})`
  })
  const others = lacking - named.length
  const verb = lacking === 1 ? 'has' : 'have'
  if (named.length === 0) return `${others} required ${others === 1 ? 'field' : 'fields'} ${verb} no value`
  return `${named.join(', ')}${others > 0 ? ` and ${others} more` : ''} ${verb} no value`
}

function refusal(message: string): PimletError {
  return new PimletError('TRANSITION_ERROR', message)
}
