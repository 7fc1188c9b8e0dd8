// Creates a deleted record again, under its ID, with state, parent and categories as far as they still exist. Contract
// 3 §3, 3 §10.
import { assertCanWrite, assertPermission } from '../accounts/rules/permissions.ts'
import type { ChangeOrigin } from './rules/changes.ts'
import { assertStateFitsPending } from '../model/rules/model-change.ts'
import type { PastRecord } from './rules/past-record.ts'
import type { Values } from './rules/record.ts'
import { withoutEmptyAttributes } from '../values/values.ts'
import type { Transaction } from '../../store/port.ts'
import type { StoredRecord } from '../../store/record-port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { enterState } from './taking-transition.ts'
import { assignCategories } from './record-categories.ts'
import { findModelOf } from './readable-records.ts'
import { createRecord } from './records.ts'

interface Reviving {
  readonly id: string
  /** The target. */
  readonly past: PastRecord
  readonly origin: ChangeOrigin
  /** 0: no limit. */
  readonly maxRecords: number
  /** Values whose references may name deleted records. */
  readonly known?: Values
}

/**
 * Writes a creation, a transition and a change of categories.
 * @throws PERMISSION_DENIED without `records.create`, or without `categories.write` if categories come back
 * @throws errors of creating a record
 */
export async function reviveRecord(
  tx: Transaction,
  system: System,
  caller: Caller,
  { id, past, origin, maxRecords, known }: Reviving,
): Promise<StoredRecord> {
  assertPermission(caller.role, 'records.create')
  const categoryIds = await tx.categories.existing(past.categories.map(({ categoryId }) => categoryId))
  const places = past.categories.filter(({ categoryId }) => categoryIds.has(categoryId))
  if (places.length > 0) assertPermission(caller.role, 'categories.write')
  const values = withoutEmptyAttributes(past.values)
  // The caller did not send the values, so only a caller who could send them may receive their faults.
  assertCanWrite(caller.role, past.schemaId, Object.keys(values))
  const input = {
    id,
    schemaId: past.schemaId,
    parentId: await findParent(tx, past),
    values,
    origin,
    created: { at: past.createdAt, by: past.createdBy },
    known,
    past: past.values,
  }
  const made = await createRecord(tx, system, caller, input, maxRecords)
  const record = await putInState(tx, system, caller, { record: made, stateId: past.lifecycleStateId, origin })
  return assignCategories(tx, system, caller, { record, places, origin })
}

/** Returns the parent; null: the parent is deleted, or can be no parent any more. */
async function findParent(tx: Transaction, { parentId, schemaId }: PastRecord): Promise<string | null> {
  const parent = parentId === null ? undefined : await tx.records.get(parentId)
  return parent !== undefined && parent.schemaId === schemaId && parent.parentId === null ? parent.id : null
}

interface Move {
  readonly record: StoredRecord
  readonly stateId: string
  readonly origin: ChangeOrigin
}

/**
 * Writes a separate transition. No gate checks it, because the record was in that state before. If the state is
 * deleted, nothing is written.
 */
async function putInState(tx: Transaction, system: System, caller: Caller, move: Move): Promise<StoredRecord> {
  const { record, stateId } = move
  const { model, schema } = await findModelOf(tx, record)
  const isThere = model.workflows.get(schema.workflowId)?.states.some(({ id }) => id === stateId) === true
  if (!isThere || stateId === record.lifecycleStateId) return record
  assertStateFitsPending(stateId, schema, model)
  return enterState(tx, system, caller, move)
}
