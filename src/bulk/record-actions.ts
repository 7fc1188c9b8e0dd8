// Applies the actions of a bulk job to one record. All actions are judged before the record is written, with one audit
// entry for each kind of change. Contract 3 §2, 3 §10.
import { aliasesOf, type BulkAction, permissionsOf } from './rules/bulk-actions.ts'
import { updateOf } from './rules/value-actions.ts'
import { assertCanWrite, assertPermission } from '../core/accounts/rules/permissions.ts'
import {
  type CategoryPlace,
  type Change,
  type ChangeOrigin,
  diffCategories,
  diffValues,
  LIFECYCLE_CHANGE,
  loseCategories,
} from '../core/records/rules/changes.ts'
import type { Model, Schema } from '../core/model/rules/model.ts'
import { parseValues, stringifyValues, type Values } from '../core/records/rules/record.ts'
import { replaceValues } from '../core/values/values.ts'
import type { CategoryReads } from '../store/category-port.ts'
import type { ChangingTransaction } from '../core/records/rehearsal.ts'
import type { Reads } from '../store/port.ts'
import type { RecordReads, StoredRecord } from '../store/record-port.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Caller } from '../core/accounts/caller.ts'
import { decideMove, enterState } from '../core/records/taking-transition.ts'
import { findModelOf } from '../core/records/readable-records.ts'
import { assignCategories, type CategoryStep, placesAfter } from '../core/records/record-categories.ts'
import { type CheckedUpdate, checkUpdate, writeUpdate } from '../core/records/record-writing.ts'
import { removeRecord } from '../core/records/records.ts'

/** The reads that judging needs. */
interface PlanReads extends Pick<Reads, 'model' | 'files'> {
  readonly records: Pick<RecordReads, 'get' | 'existing'>
  readonly categories: Pick<CategoryReads, 'assignmentsOf' | 'existing'>
}

/** The changes of a record; an absent member stays unchanged. */
export interface RecordPlan {
  readonly record: StoredRecord
  readonly schema: Schema
  readonly update?: CheckedUpdate | undefined
  readonly stateId?: string | undefined
  readonly places?: readonly CategoryPlace[] | undefined
  readonly isDeleted: boolean
  /** All changes; empty: nothing changes. */
  readonly changes: readonly Change[]
}

/** The record after the actions so far. */
interface Draft {
  readonly values: Values
  /** Written attributes, each with all of its values. */
  readonly update: Values
  readonly stateId: string
  readonly places: readonly CategoryPlace[] | undefined
}

interface PlanContext {
  readonly reads: PlanReads
  readonly caller: Caller
  readonly record: StoredRecord
  readonly parent: StoredRecord | undefined
  readonly schema: Schema
  readonly model: Model
  readonly pause: () => Promise<void>
}

/** @throws errors of the actions' endpoints, except for unique values, which are checked when the record is written */
export async function planRecord(
  reads: PlanReads,
  caller: Caller,
  record: StoredRecord,
  actions: readonly BulkAction[],
  pause: () => Promise<void>,
): Promise<RecordPlan> {
  for (const permission of permissionsOf(actions)) assertPermission(caller.role, permission)
  const { model, schema } = await findModelOf(reads, record)
  const parent = record.parentId === null ? undefined : await reads.records.get(record.parentId)
  const context: PlanContext = { reads, caller, record, parent, schema, model, pause }
  let draft: Draft = {
    values: parseValues(record),
    update: {},
    stateId: record.lifecycleStateId,
    places: undefined,
  }
  for (const action of actions) draft = await follow(context, draft, action)
  return summarize(context, draft, actions)
}

async function follow(context: PlanContext, draft: Draft, action: BulkAction): Promise<Draft> {
  const { reads, record, caller, parent, schema, model } = context
  if ('transition' in action) {
    const stateId = await decideMove(subjectOf(context, draft), caller, action.transition, context.pause)
    return { ...draft, stateId }
  }
  const step = categoryStepOf(action)
  if (step !== undefined) {
    const before = draft.places ?? (await reads.categories.assignmentsOf(record.id))
    return { ...draft, places: await placesAfter(reads, before, step, step.op) }
  }
  const isInput = 'setValues' in action || 'patchValues' in action
  // Without this check, the outcome would reveal the values of a hidden attribute.
  if (!isInput) assertCanWrite(caller.role, schema.id, aliasesOf([action]))
  const inherited = parent === undefined ? null : parseValues(parent)
  const update = updateOf(action, { values: draft.values, inherited, schema, model, role: caller.role })
  if (update === undefined) return draft
  assertCanWrite(caller.role, schema.id, Object.keys(update))
  return { ...draft, values: replaceValues(draft.values, update), update: { ...draft.update, ...update } }
}

function subjectOf({ record, parent, schema, model }: PlanContext, { values, update, stateId }: Draft) {
  const isSame = Object.keys(update).length === 0
  const valuesJson = isSame ? record.valuesJson : stringifyValues(values)
  const workflow = model.workflows.get(schema.workflowId)!
  return { record: { ...record, lifecycleStateId: stateId, valuesJson }, parent, schema, workflow, model }
}

function categoryStepOf(action: BulkAction): CategoryStep | undefined {
  if ('setCategories' in action) return { op: 'setCategories', categories: action.setCategories }
  if ('addCategories' in action) return { op: 'addCategories', categories: action.addCategories }
  return 'removeCategories' in action ? { op: 'removeCategories', categories: action.removeCategories } : undefined
}

async function summarize(
  { reads, caller, record, schema }: PlanContext,
  { update, stateId, places }: Draft,
  actions: readonly BulkAction[],
): Promise<RecordPlan> {
  if (actions.some((action) => 'delete' in action)) {
    const lost = loseCategories(await reads.categories.assignmentsOf(record.id))
    return { record, schema, isDeleted: true, changes: [...diffValues(parseValues(record), {}), ...lost] }
  }
  const isWritten = Object.keys(update).length > 0
  const checked = isWritten ? await checkUpdate(reads, caller, { record, schema, update }) : undefined
  const before = places === undefined ? [] : await reads.categories.assignmentsOf(record.id)
  const moved = places === undefined ? [] : diffCategories(before, places)
  const oldValue = record.lifecycleStateId
  const move = { attributeAlias: LIFECYCLE_CHANGE, scope: {}, oldValue, newValue: stateId }
  const isMoved = stateId !== oldValue
  const isUpdated = checked !== undefined && checked.changes.length > 0
  return {
    record,
    schema,
    update: isUpdated ? checked : undefined,
    stateId: isMoved ? stateId : undefined,
    places: moved.length > 0 ? places : undefined,
    isDeleted: false,
    changes: [...(isUpdated ? checked.changes : []), ...(isMoved ? [move] : []), ...moved],
  }
}

/** @throws CONFLICT for a unique value that another record holds */
export async function writePlan(
  tx: ChangingTransaction,
  system: System,
  caller: Caller,
  plan: RecordPlan,
  { origin, pause }: { readonly origin: ChangeOrigin; readonly pause: () => Promise<void> },
): Promise<void> {
  const { update, stateId, places, isDeleted } = plan
  if (isDeleted) {
    await removeRecord(tx, system, caller, { id: plan.record.id, origin }, pause)
    return
  }
  let { record } = plan
  if (update !== undefined) record = await writeUpdate(tx, system, caller, update, origin)
  if (stateId !== undefined) record = await enterState(tx, system, caller, { record, stateId, origin })
  if (places !== undefined) await assignCategories(tx, system, caller, { record, places, origin })
}
