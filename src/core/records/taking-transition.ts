// Moves a record to another state: decides whether its transition may be taken, and writes the new state.
// Contract 1 §3.1, 2 §4.
import { type ChangeOrigin, LIFECYCLE_CHANGE } from './rules/changes.ts'
import { decideTransition, type GateOf, isGated, NAMED_MISSING } from './rules/transition.ts'
import { assertStateFitsPending } from '../model/rules/model-change.ts'
import { hasPermission, type Role } from '../accounts/rules/permissions.ts'
import type { RecordTransaction, Transaction } from '../../store/port.ts'
import type { StoredRecord } from '../../store/record-port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { gateInSteps, loadSubject, type Subject } from './record-completeness.ts'
import { assertMatches, type IfMatch } from './precondition.ts'
import { findRecord, readableRecord } from './readable-records.ts'
import { appendAudit } from './record-writing.ts'

/** Returns the transition, if taking it depends on completeness. */
export function findGated({ workflow, record }: Subject, transitionId: string, role: Role) {
  const transition = workflow.transitions.find((candidate) => candidate.id === transitionId)
  return isGated(transition, record.lifecycleStateId, role.id) ? transition : undefined
}

interface Moving {
  readonly id: string
  readonly transitionId: string
  readonly ifMatch: IfMatch
}

/**
 * Moves a record in a transaction that may be long: it scores the gate itself, and so sees earlier writes of the
 * transaction.
 */
export async function moveRecord(
  tx: Transaction,
  system: System,
  caller: Caller,
  { id, transitionId, ifMatch }: Moving,
  pause: () => Promise<void>,
): Promise<StoredRecord> {
  const record = await findRecord(tx, id)
  assertMatches(ifMatch, record.version)
  const subject = await loadSubject(tx, record)
  const stateId = await decideMove(subject, caller, transitionId, pause)
  return readableRecord(caller.role, await enterState(tx, system, caller, { record, stateId }))
}

/** Returns the state to which the transition leads. @throws TRANSITION_ERROR, CONFLICT if that state is being removed */
export async function decideMove(
  subject: Subject,
  caller: Caller,
  transitionId: string,
  pause: () => Promise<void>,
): Promise<string> {
  const view = { callerId: caller.id, role: caller.role, limit: NAMED_MISSING }
  const gated = findGated(subject, transitionId, caller.role)
  const gate = gated && (await gateInSteps(subject, gated.toStateId, view, pause))
  // `decideState` requests the gate only for a gated transition, and only for its target state.
  return decideState(subject, caller, transitionId, () => gate!)
}

interface Taking {
  readonly subject: Subject
  readonly transitionId: string
  readonly gateOf: GateOf
}

/** Throws as `decideMove` does. */
export async function takeTransition(
  tx: Transaction,
  system: System,
  caller: Caller,
  { subject, transitionId, gateOf }: Taking,
): Promise<StoredRecord> {
  const stateId = decideState(subject, caller, transitionId, gateOf)
  const moved = await enterState(tx, system, caller, { record: subject.record, stateId })
  // A transition needs no permission, so its answer must not show values that a GET refuses.
  // A role that changes values sees them in the answer.
  const isSeen = hasPermission(caller.role, 'records.read') || hasPermission(caller.role, 'records.update')
  return isSeen ? readableRecord(caller.role, moved) : { ...moved, valuesJson: '{}' }
}

function decideState(subject: Subject, { role }: Caller, transitionId: string, gateOf: GateOf): string {
  const { record, workflow, schema, model } = subject
  const { toStateId } = decideTransition(workflow, record.lifecycleStateId, transitionId, role.id, gateOf)
  assertStateFitsPending(toStateId, schema, model)
  return toStateId
}

interface StateChange {
  readonly record: StoredRecord
  readonly stateId: string
  /** Undefined: the request of the caller. */
  readonly origin?: ChangeOrigin | undefined
}

/** Puts the record in the state by a transition, without any check. */
export async function enterState(
  tx: RecordTransaction,
  system: System,
  caller: Caller,
  { record, stateId, origin }: StateChange,
): Promise<StoredRecord> {
  const timestamp = system.now().toISOString()
  const version = appendAudit(tx, system, caller, {
    recordId: record.id,
    schemaId: record.schemaId,
    action: 'transition',
    changes: [{ attributeAlias: LIFECYCLE_CHANGE, scope: {}, oldValue: record.lifecycleStateId, newValue: stateId }],
    timestamp,
    origin,
  })
  const moved = { ...record, lifecycleStateId: stateId, updatedAt: timestamp, updatedBy: caller.id, version }
  await tx.records.update(record, moved)
  return moved
}
