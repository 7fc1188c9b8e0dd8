// The use cases of the lifecycle: how complete a record is, which transitions it may take, and taking one.
// Interface §2.3, §2.4, §3.1 and §4.1; decisions §4.
import { LIFECYCLE_CHANGE } from '../domain/changes.ts'
import { scoreCompleteness, type MissingField } from '../domain/completeness.ts'
import { invalid, shorten } from '../domain/errors.ts'
import { type AvailableTransition, decideTransition, type IsComplete, listTransitions } from '../domain/lifecycle.ts'
import { assertStateFitsPending } from '../domain/model-change.ts'
import type { Model, Schema } from '../domain/model.ts'
import { canRead } from '../domain/permissions.ts'
import type { ValueLayers } from '../domain/record.ts'
import type { Workflow } from '../domain/workflows.ts'
import type { Reads, Store } from '../storage/port.ts'
import type { StoredRecord } from '../storage/record-port.ts'
import type { System } from '../system.ts'
import type { Caller } from './caller.ts'
import { assertMatches, type IfMatch } from './precondition.ts'
import { parseValues, readableRecord } from './readable-records.ts'
import { appendAudit, findModelOf, findRecord } from './record-writing.ts'

export interface CompletenessResult {
  readonly entityId: string
  /** The state that the record is scored for. */
  readonly lifecycleStateId: string
  readonly filled: number
  readonly total: number
  readonly percentage: number
  /** Without the attributes that are hidden from the caller, which count all the same. */
  readonly missing: readonly MissingField[]
}

export function createLifecycleService(deps: { store: Store; system: System }) {
  const { store, system } = deps
  return {
    /**
     * Scores for the record's state, or for `stateId` where that is given.
     * @throws NOT_FOUND; VALIDATION_ERROR where the record's workflow has no such state
     */
    async scoreCompleteness(caller: Caller, id: string, stateId?: string): Promise<CompletenessResult> {
      const subject = await loadSubject(store.read, await findRecord(store.read, id))
      const { record, schema, workflow } = subject
      if (stateId !== undefined && !workflow.states.some((state) => state.id === stateId))
        throw invalid(`stateId names '${shorten(stateId, 128)}', which is no state of the workflow '${workflow.id}'`)
      const lifecycleStateId = stateId ?? record.lifecycleStateId
      const { missing, ...score } = scoreCompleteness(subject.layers, schema, lifecycleStateId, subject.model)
      return {
        entityId: record.id,
        lifecycleStateId,
        ...score,
        missing: missing.filter((field) => canRead(caller.role, schema.id, field.attributeAlias)),
      }
    },

    /** Every transition that leaves the record's state. @throws NOT_FOUND */
    async listTransitions(caller: Caller, id: string): Promise<AvailableTransition[]> {
      const subject = await loadSubject(store.read, await findRecord(store.read, id))
      const { workflow, record } = subject
      return listTransitions(workflow, record.lifecycleStateId, caller.role.id, completenessOf(subject))
    },

    /** @throws NOT_FOUND, PRECONDITION_FAILED, TRANSITION_ERROR */
    transition: (caller: Caller, id: string, transitionId: string, ifMatch: IfMatch): Promise<StoredRecord> =>
      store.transaction(async (tx) => {
        const record = await findRecord(tx, id)
        assertMatches(ifMatch, record.version)
        const subject = await loadSubject(tx, record)
        const oldValue = record.lifecycleStateId
        const isComplete = completenessOf(subject)
        const { toStateId } = decideTransition(subject.workflow, oldValue, transitionId, caller.role.id, isComplete)
        assertStateFitsPending(toStateId, subject.schema, subject.model)
        const timestamp = system.now().toISOString()
        const version = await appendAudit(tx, system, caller, {
          recordId: id,
          schemaId: record.schemaId,
          action: 'transition',
          changes: [{ attributeAlias: LIFECYCLE_CHANGE, scope: {}, oldValue, newValue: toStateId }],
          timestamp,
        })
        const moved: StoredRecord = {
          ...record,
          lifecycleStateId: toStateId,
          updatedAt: timestamp,
          updatedBy: caller.id,
          version,
        }
        await tx.records.update(moved)
        return readableRecord(caller.role, moved)
      }),
  }
}

export type LifecycleService = ReturnType<typeof createLifecycleService>

/** A record with all that its completeness and its transitions depend on. */
interface Subject {
  readonly record: StoredRecord
  readonly schema: Schema
  readonly workflow: Workflow
  readonly layers: ValueLayers
  readonly model: Model
}

async function loadSubject(reads: Reads, record: StoredRecord): Promise<Subject> {
  const { model, schema } = await findModelOf(reads, record)
  const parent = record.parentId === null ? undefined : await reads.records.get(record.parentId)
  const layers = { own: parseValues(record), inherited: parent === undefined ? null : parseValues(parent) }
  // A workflow cannot be deleted while a schema has it.
  return { record, schema, workflow: model.workflows.get(schema.workflowId)!, layers, model }
}

/** Scores each state at most once. */
function completenessOf({ layers, schema, model }: Subject): IsComplete {
  const known = new Map<string, boolean>()
  return (stateId) => {
    const isComplete = known.get(stateId) ?? scoreCompleteness(layers, schema, stateId, model).missing.length === 0
    known.set(stateId, isComplete)
    return isComplete
  }
}
