// Which categories a record is in, as a change of the record like any other: audit entry, version, change feed.
// Contract 3 §3, 3 §10.
import { type CategoryPlace, type ChangeOrigin, diffCategories } from '../../domain/records/changes.ts'
import type { Transaction } from '../../storage/port.ts'
import type { StoredRecord } from '../../storage/record-port.ts'
import type { System } from '../../machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { appendAudit } from './record-writing.ts'

export interface CategoryUpdate {
  readonly record: StoredRecord
  /** All that the record is to have, in categories that exist. */
  readonly places: readonly CategoryPlace[]
  /** Without it: the request of the caller. */
  readonly origin?: ChangeOrigin | undefined
}

/** Replaces the record's assignments and resolves to the record as it is then: the same where they are so already. */
export async function assignCategories(
  tx: Transaction,
  system: System,
  caller: Caller,
  { record, places, origin }: CategoryUpdate,
): Promise<StoredRecord> {
  const { id: recordId, schemaId } = record
  const before = await tx.categories.assignmentsOf(recordId)
  if (diffCategories(before, places).length === 0) return record
  await tx.categories.setAssignments(recordId, places)
  // As they are read, in their order: what was sent has any.
  const changes = diffCategories(before, await tx.categories.assignmentsOf(recordId))
  const timestamp = system.now().toISOString()
  const what = { recordId, schemaId, action: 'update', changes, timestamp, origin } as const
  const version = appendAudit(tx, system, caller, what)
  const updated: StoredRecord = { ...record, updatedAt: timestamp, updatedBy: caller.id, version }
  await tx.records.update(record, updated)
  return updated
}
