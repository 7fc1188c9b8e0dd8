// The use cases of the lifecycle: how complete a record is, which transitions it may take, and taking one.
// Contract 1 §2.3, 1 §2.4, 1 §3.1, 1 §4.1, 2 §4, 3 §9.6, 3 §9.7.
import { LIFECYCLE_CHANGE } from '../../domain/records/changes.ts'
import type { MissingField } from '../../domain/records/completeness.ts'
import { PimletError } from '../../domain/errors.ts'
import {
  type AvailableTransition,
  decideTransition,
  type GateOf,
  isGated,
  listTransitions,
  NAMED_MISSING,
  transitionsFrom,
} from '../../domain/records/lifecycle.ts'
import { assertStateFitsPending } from '../../domain/model/model-change.ts'
import type { Store, Transaction } from '../../storage/port.ts'
import type { StoredRecord } from '../../storage/record-port.ts'
import type { System } from '../../machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import {
  assertState,
  gateInSteps,
  gatesNow,
  gatesOf,
  type GateView,
  isQuick,
  isStillTrue,
  findSubject,
  loadSubject,
  readGates,
  scoreNow,
  type Subject,
} from './completeness.ts'
import { keepAnswer } from '../requests/idempotency.ts'
import { assertMatches, type IfMatch } from './precondition.ts'
import { readableRecord } from './readable-records.ts'
import { appendAudit, findRecord } from './record-writing.ts'
import type { StoredGates } from '../../storage/search-port.ts'

/** A score as far as the caller may know of it: without attributes that are hidden from it, or depend on such. */
export interface CompletenessResult {
  readonly entityId: string
  /** The state that the record is scored for. */
  readonly lifecycleStateId: string
  readonly filled: number
  readonly total: number
  readonly percentage: number
  /** JSON of the fields, separated by commas, in pieces, where there may be many. */
  readonly missing: readonly MissingField[] | AsyncIterable<string[]>
}

/** How many missing fields the list of transitions names, of all of them together. */
const MAX_MISSING_LISTED = 1000

/** Tries to take a transition whose record or model changes while its completeness is scored. */
const MAX_TRIES = 5

export function createLifecycleService(deps: { store: Store; system: System }) {
  const { store, system } = deps
  return {
    /**
     * Scores for the record's state, or for `stateId` where that is given.
     * @throws NOT_FOUND; VALIDATION_ERROR where the record's workflow has no such state; UNAVAILABLE where it takes too long
     */
    async scoreCompleteness(
      { id: callerId, role }: Caller,
      id: string,
      stateId: string | undefined,
      signal: AbortSignal,
    ): Promise<CompletenessResult> {
      const subject = await store.snapshot((reads) => findSubject(reads, id))
      const { record, workflow } = subject
      if (stateId !== undefined) assertState(workflow, stateId)
      const lifecycleStateId = stateId ?? record.lifecycleStateId
      const what = { entityId: record.id, lifecycleStateId }
      if (isQuick(subject, [lifecycleStateId])) return { ...what, ...scoreNow(subject, lifecycleStateId, role) }
      const query = { recordId: record.id, stateId: lifecycleStateId, role, callerId }
      const { score, missingJson } = await store.read.completeness.score(query, signal)
      return { ...what, ...score, missing: missingJson }
    },

    /** Every transition that leaves the record's state. @throws NOT_FOUND, UNAVAILABLE where it takes too long */
    async listTransitions(
      { id: callerId, role }: Caller,
      id: string,
      signal: AbortSignal,
    ): Promise<AvailableTransition[]> {
      const subject = await store.snapshot((reads) => findSubject(reads, id))
      const { workflow, record } = subject
      const { lifecycleStateId } = record
      const gated = transitionsFrom(workflow, lifecycleStateId).filter(
        ({ requiresCompleteness }) => requiresCompleteness,
      )
      const stateIds = [...new Set(gated.map(({ toStateId }) => toStateId))]
      const view = { callerId, role, limit: Math.floor(MAX_MISSING_LISTED / Math.max(1, gated.length)) }
      const gates = isQuick(subject, stateIds)
        ? gatesNow(subject, view)
        : gatesOf(await readGates(store.read, subject, stateIds, view, signal))
      return listTransitions(workflow, lifecycleStateId, role.id, gates)
    },

    /** @throws NOT_FOUND, PRECONDITION_FAILED, TRANSITION_ERROR; UNAVAILABLE where its gate takes too long */
    async transition(
      caller: Caller,
      id: string,
      transitionId: string,
      ifMatch: IfMatch,
      signal: AbortSignal,
    ): Promise<StoredRecord> {
      const view = { callerId: caller.id, role: caller.role, limit: NAMED_MISSING }
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        // Nobody writes while a transaction runs: what may be long is scored before, and holds if nothing has changed.
        const gates = await scoreAhead(store, id, transitionId, view, signal)
        const moved = await store.transaction(async (tx) => {
          const record = await move(tx, system, caller, { id, transitionId, ifMatch, view, gates })
          return record && keepAnswer(tx, caller, record)
        })
        if (moved !== undefined) return moved
      }
      const why = 'or the model changed each time while its completeness was scored. Try again.'
      throw new PimletError('UNAVAILABLE', `The record '${id}' ${why}`, { retryAfter: 1 })
    },
  }
}

export type LifecycleService = ReturnType<typeof createLifecycleService>

/** The gate of the transition where it is long to score; undefined where it is quick, or nothing depends on it. */
async function scoreAhead(
  store: Store,
  id: string,
  transitionId: string,
  view: GateView,
  signal: AbortSignal,
): Promise<StoredGates | undefined> {
  const subject = await store.snapshot(async (reads) => {
    const record = await reads.records.get(id)
    return record && loadSubject(reads, record)
  })
  if (subject === undefined) return undefined
  const transition = findGated(subject, transitionId, view)
  if (transition === undefined || isQuick(subject, [transition.toStateId])) return undefined
  return readGates(store.read, subject, [transition.toStateId], view, signal)
}

function findGated({ workflow, record }: Subject, transitionId: string, { role }: GateView) {
  const transition = workflow.transitions.find((candidate) => candidate.id === transitionId)
  return isGated(transition, record.lifecycleStateId, role.id) ? transition : undefined
}

interface Move {
  readonly id: string
  readonly transitionId: string
  readonly ifMatch: IfMatch
  readonly view: GateView
  readonly gates: StoredGates | undefined
}

/** Resolves to the moved record, or undefined where its gate must be scored anew before. */
async function move(
  tx: Transaction,
  system: System,
  caller: Caller,
  { id, transitionId, ifMatch, view, gates }: Move,
): Promise<StoredRecord | undefined> {
  const record = await findRecord(tx, id)
  assertMatches(ifMatch, record.version)
  const subject = await loadSubject(tx, record)
  const gated = findGated(subject, transitionId, view)
  const isNow = gated === undefined || isQuick(subject, [gated.toStateId])
  if (!isNow && (gates === undefined || !(await isStillTrue(gates.basis, subject, tx)))) return undefined
  return takeTransition(tx, system, caller, {
    subject,
    transitionId,
    gateOf: isNow ? gatesNow(subject, view) : gatesOf(gates!),
  })
}

/** The same in a transaction that may be long: the gate is scored in it, so that it sees what was written before. */
export async function moveRecord(
  tx: Transaction,
  system: System,
  caller: Caller,
  { id, transitionId, ifMatch }: Pick<Move, 'id' | 'transitionId' | 'ifMatch'>,
  pause: () => Promise<void>,
): Promise<StoredRecord> {
  const view = { callerId: caller.id, role: caller.role, limit: NAMED_MISSING }
  const record = await findRecord(tx, id)
  assertMatches(ifMatch, record.version)
  const subject = await loadSubject(tx, record)
  const gated = findGated(subject, transitionId, view)
  const gate = gated && (await gateInSteps(subject, gated.toStateId, view, pause))
  // It is asked for where the transition is gated, and for its target alone.
  return takeTransition(tx, system, caller, { subject, transitionId, gateOf: () => gate! })
}

interface Taking {
  readonly subject: Subject
  readonly transitionId: string
  readonly gateOf: GateOf
}

async function takeTransition(
  tx: Transaction,
  system: System,
  caller: Caller,
  { subject, transitionId, gateOf }: Taking,
): Promise<StoredRecord> {
  const { record } = subject
  const oldValue = record.lifecycleStateId
  const { toStateId } = decideTransition(subject.workflow, oldValue, transitionId, caller.role.id, gateOf)
  assertStateFitsPending(toStateId, subject.schema, subject.model)
  const timestamp = system.now().toISOString()
  const version = appendAudit(tx, system, caller, {
    recordId: record.id,
    schemaId: record.schemaId,
    action: 'transition',
    changes: [{ attributeAlias: LIFECYCLE_CHANGE, scope: {}, oldValue, newValue: toStateId }],
    timestamp,
  })
  const moved = { ...record, lifecycleStateId: toStateId, updatedAt: timestamp, updatedBy: caller.id, version }
  await tx.records.update(record, moved)
  return readableRecord(caller.role, moved)
}
