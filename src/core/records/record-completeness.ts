// The completeness of a record, for the use cases of the lifecycle. Quick scores are computed here, and long ones in a
// reader thread. Contract 3 §9.6, 3 §9.7.
import {
  type Completeness,
  type Gate,
  gateOf,
  scoreCompleteness,
  type ScoreSubject,
  tallyCompleteness,
  tallyInSteps,
} from './rules/completeness.ts'
import { invalid, shorten } from '../../kernel/errors.ts'
import { mayKnow } from '../model/rules/hidden-rules.ts'
import type { GateOf } from './rules/transition.ts'
import type { Model, Schema } from '../model/rules/model.ts'
import type { Role } from '../accounts/rules/permissions.ts'
import { isQuicklyScored } from './rules/score-cost.ts'
import type { Workflow } from '../model/rules/workflow.ts'
import type { CommittedReads, Reads } from '../../store/port.ts'
import type { StoredRecord } from '../../store/record-port.ts'
import { findModelOf, findRecord } from './readable-records.ts'
import type { ScoreBasis, StoredGates } from '../../store/search-port.ts'
import { parseValues } from './rules/record.ts'

/** A record, with everything that decides its completeness and its transitions. */
export interface Subject {
  readonly record: StoredRecord
  /** The parent of a variant; undefined: the record is no variant. */
  readonly parent: StoredRecord | undefined
  readonly schema: Schema
  readonly workflow: Workflow
  readonly model: Model
}

/** @throws NOT_FOUND */
export async function findSubject(reads: Reads, recordId: string): Promise<Subject> {
  return loadSubject(reads, await findRecord(reads, recordId))
}

export async function loadSubject(reads: Reads, record: StoredRecord): Promise<Subject> {
  const { model, schema } = await findModelOf(reads, record)
  const parent = record.parentId === null ? undefined : await reads.records.get(record.parentId)
  // A workflow cannot be deleted while a schema uses it.
  return { record, parent, schema, workflow: model.workflows.get(schema.workflowId)!, model }
}

/** @throws VALIDATION_ERROR if the workflow does not have the state */
export function assertState({ id, states }: Workflow, stateId: string): void {
  if (!states.some((state) => state.id === stateId))
    throw invalid(`stateId names '${shorten(stateId, 128)}', which is not a state of the workflow '${id}'`)
}

export function isQuick({ record, parent, schema, model }: Subject, stateIds: readonly string[]): boolean {
  const characters = record.valuesJson.length + (parent?.valuesJson.length ?? 0)
  return isQuicklyScored(schema, stateIds, model, characters)
}

/** Returns the completeness that the role may know. Only for a record for which `isQuick` is true. */
export function scoreNow(subject: Subject, stateId: string, role: Role): Completeness {
  return scoreCompleteness(layersOf(subject), stateId, mayKnow(role, subject.schema.id))
}

export interface GateView {
  /** The caller. */
  readonly callerId: string
  readonly role: Role
  /** The most missing fields that the gate names for each state. */
  readonly limit: number
}

/** Scores each state at most once. Only if `isQuick` is true. */
export function gatesNow(subject: Subject, { role, limit }: GateView): GateOf {
  const { schema } = subject
  const known = new Map<string, Gate>()
  return (stateId) => {
    const gate =
      known.get(stateId) ?? gateOf(tallyCompleteness(layersOf(subject), stateId), mayKnow(role, schema.id), limit)
    known.set(stateId, gate)
    return gate
  }
}

/** Returns the score for one state, even if it takes long: `pause` is called between steps of a few milliseconds. */
export async function gateInSteps(
  subject: Subject,
  stateId: string,
  { role, limit }: GateView,
  pause: () => Promise<void>,
): Promise<Gate> {
  const steps = tallyInSteps(layersOf(subject), stateId)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return gateOf(step.value, mayKnow(role, subject.schema.id), limit)
    await pause()
  }
}

/** Returns the gates from scores that a reader thread made. */
export function gatesOf({ gates }: StoredGates): GateOf {
  return (stateId) => gates.find((gate) => gate.stateId === stateId)!
}

/** Resolves to whether the scores were made from the data that a transaction sees now. */
export async function isStillTrue(basis: ScoreBasis, { record, parent }: Subject, reads: Reads): Promise<boolean> {
  return (
    basis.recordVersion === record.version &&
    basis.parentVersion === (parent?.version ?? null) &&
    basis.modelVersion === (await reads.modelVersion())
  )
}

/** @throws NOT_FOUND, UNAVAILABLE if scoring exceeds its time */
export function readGates(
  reads: CommittedReads,
  { record }: Subject,
  stateIds: readonly string[],
  view: GateView,
  signal: AbortSignal,
): Promise<StoredGates> {
  return reads.completeness.gates({ recordId: record.id, stateIds, ...view }, signal)
}

function layersOf({ record, parent, schema, model }: Subject): ScoreSubject {
  const layers = { own: parseValues(record), inherited: parent === undefined ? null : parseValues(parent) }
  return { layers, schema, model }
}
