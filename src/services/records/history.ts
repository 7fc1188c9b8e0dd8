// The use cases of history: a record as it was, and bringing it back. Contract 3 §3, 3 §10.
import { assertPermission } from '../../domain/accounts/permissions.ts'
import { conflict } from '../../domain/errors.ts'
import type { Store } from '../../storage/port.ts'
import type { StoredRecord } from '../../storage/record-port.ts'
import type { System } from '../../machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import type { IfMatch } from './precondition.ts'
import { readableRecord } from './readable-records.ts'
import { assertMayRestore, type RestoreInput, restoreRecord } from './restoring.ts'
import { assertKnown, findVersion, isKnown } from './versions.ts'

export function createHistoryService(deps: { store: Store; system: System; maxRecords: number }) {
  const { store, system, maxRecords } = deps
  return {
    /**
     * The record as it was in a version, also of one that was deleted: as far as the caller may read its attributes.
     * @throws NOT_FOUND where there was no such version, or its history is not kept; PERMISSION_DENIED without audit.read
     */
    async getVersion({ role }: Caller, id: string, wanted: number, signal: AbortSignal): Promise<StoredRecord> {
      assertPermission(role, 'audit.read')
      const { version, updatedAt, updatedBy, record } = assertKnown(await findVersion(store, id, wanted, signal))
      const { schemaId, parentId, lifecycleStateId, createdAt, createdBy } = record
      const head = { id, schemaId, parentId, lifecycleStateId, createdAt, updatedAt, createdBy, updatedBy, version }
      return readableRecord(role, { ...head, valuesJson: JSON.stringify(record.values) })
    },

    /**
     * Gives the record its values of a version again; a deleted one comes back whole. What it was then stays the same, so it is
     * found before anything is written.
     * @throws NOT_FOUND, CONFLICT where the version is not kept and for a unique value, PRECONDITION_FAILED, VALIDATION_ERROR,
     * PERMISSION_DENIED, LIMIT_EXCEEDED
     */
    async restore(
      caller: Caller,
      id: string,
      input: RestoreInput,
      ifMatch: IfMatch,
      signal: AbortSignal,
    ): Promise<StoredRecord> {
      assertMayRestore(caller)
      const found = await findVersion(store, id, input.version, signal)
      if (!isKnown(found) && found.isLost) throw conflict(found.reason)
      const restoring = { id, input, past: assertKnown(found), ifMatch, maxRecords }
      const restored = await store.transaction((tx) => restoreRecord(tx, system, caller, restoring))
      return readableRecord(caller.role, restored)
    },
  }
}

export type HistoryService = ReturnType<typeof createHistoryService>
