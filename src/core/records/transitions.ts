// The use cases of the lifecycle: the completeness of a record, its possible transitions, and taking a transition.
// Contract 1 §2.3, 1 §2.4, 1 §3.1, 1 §4.1, 2 §4, 3 §1, 3 §9.6, 3 §9.7.
import type { CompletenessShape } from './rules/completeness.ts'
import type { OutputOf } from '../../kernel/input/validation.ts'
import { assertFewCombinations } from './rules/combination-scores.ts'
import type { MissingField } from './rules/completeness.ts'
import { PimletError } from '../../kernel/errors.ts'
import { type AvailableTransition, gatesToList, listTransitions, NAMED_MISSING } from './rules/transition.ts'
import type { Store, Transaction } from '../../store/port.ts'
import type { StoredRecord } from '../../store/record-port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import {
  assertState,
  gatesNow,
  gatesOf,
  type GateView,
  isQuick,
  isStillTrue,
  findSubject,
  loadSubject,
  readGates,
  scoreNow,
} from './record-completeness.ts'
import { keepAnswer } from '../requests/idempotent-requests.ts'
import { assertMatches, type IfMatch } from './precondition.ts'
import { findGated, takeTransition } from './taking-transition.ts'
import { findRecord } from './readable-records.ts'
import type { StoredGates } from '../../store/search-port.ts'

/**
 * The score that the caller may know: without attributes that are hidden from the caller, or whose guard names hidden
 * attributes.
 */
export interface CompletenessResult extends Omit<OutputOf<typeof CompletenessShape>, 'missing'> {
  /** JSON of the scores in each combination of segments; undefined: not requested. */
  readonly combinationsJson?: string | undefined
  /** The missing fields. If they may be many: pieces of JSON, in which commas separate the fields. */
  readonly missing: readonly MissingField[] | AsyncIterable<string[]>
}

/** The most tries to take a transition while its record or model changes during the scoring. */
const MAX_TRIES = 5

export function createLifecycleService(deps: { store: Store; system: System }) {
  const { store, system } = deps
  return {
    /**
     * Scores the record for its state, or for `stateId`.
     * @throws NOT_FOUND; VALIDATION_ERROR if the workflow does not have the state, or has too many combinations for
     * separate scores; UNAVAILABLE if it exceeds its time
     */
    async scoreCompleteness(
      { id: callerId, role }: Caller,
      id: string,
      { stateId, by }: { readonly stateId?: string | undefined; readonly by?: 'combination' | undefined },
      signal: AbortSignal,
    ): Promise<CompletenessResult> {
      const subject = await store.snapshot((reads) => findSubject(reads, id))
      const { record, workflow, schema, model } = subject
      if (stateId !== undefined) assertState(workflow, stateId)
      const lifecycleStateId = stateId ?? record.lifecycleStateId
      const what = { entityId: record.id, lifecycleStateId }
      const byCombination = by === 'combination'
      if (byCombination) assertFewCombinations([schema], lifecycleStateId, model, 'by')
      else if (isQuick(subject, [lifecycleStateId])) return { ...what, ...scoreNow(subject, lifecycleStateId, role) }
      const query = { recordId: record.id, stateId: lifecycleStateId, byCombination, role, callerId }
      const { score, combinationsJson, missingJson } = await store.read.completeness.score(query, signal)
      return { ...what, ...score, combinationsJson, missing: missingJson }
    },

    /** Lists every transition that leaves the record's state. @throws NOT_FOUND, UNAVAILABLE if it exceeds its time */
    async listTransitions(
      { id: callerId, role }: Caller,
      id: string,
      signal: AbortSignal,
    ): Promise<AvailableTransition[]> {
      const subject = await store.snapshot((reads) => findSubject(reads, id))
      const { workflow, record } = subject
      const { lifecycleStateId } = record
      const { stateIds, limit } = gatesToList(workflow, lifecycleStateId)
      const view = { callerId, role, limit }
      const gates = isQuick(subject, stateIds)
        ? gatesNow(subject, view)
        : gatesOf(await readGates(store.read, subject, stateIds, view, signal))
      return listTransitions(workflow, lifecycleStateId, role.id, gates)
    },

    /** @throws NOT_FOUND, PRECONDITION_FAILED, TRANSITION_ERROR; UNAVAILABLE if scoring its gate exceeds its time */
    async transition(
      caller: Caller,
      id: string,
      transitionId: string,
      ifMatch: IfMatch,
      signal: AbortSignal,
    ): Promise<StoredRecord> {
      const view = { callerId: caller.id, role: caller.role, limit: NAMED_MISSING }
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        // No other writer runs during a transaction. So a long score is computed before, and counts if nothing has
        // changed.
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

/** Scores the gate of the transition ahead, if this takes long; undefined: the gate is quick, or nothing depends on it. */
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
  const transition = findGated(subject, transitionId, view.role)
  if (transition === undefined || isQuick(subject, [transition.toStateId])) return undefined
  return readGates(store.read, subject, [transition.toStateId], view, signal)
}

interface Move {
  readonly id: string
  readonly transitionId: string
  readonly ifMatch: IfMatch
  readonly view: GateView
  readonly gates: StoredGates | undefined
}

/** Resolves to the moved record; undefined: its gate must be scored again first. */
async function move(
  tx: Transaction,
  system: System,
  caller: Caller,
  { id, transitionId, ifMatch, view, gates }: Move,
): Promise<StoredRecord | undefined> {
  const record = await findRecord(tx, id)
  assertMatches(ifMatch, record.version)
  const subject = await loadSubject(tx, record)
  const gated = findGated(subject, transitionId, view.role)
  const isNow = gated === undefined || isQuick(subject, [gated.toStateId])
  if (!isNow && (gates === undefined || !(await isStillTrue(gates.basis, subject, tx)))) return undefined
  return takeTransition(tx, system, caller, {
    subject,
    transitionId,
    gateOf: isNow ? gatesNow(subject, view) : gatesOf(gates!),
  })
}
