// The use cases of history: a record as it was. Contract 3 §3, 3 §10.
import { assertPermission } from '../../domain/accounts/permissions.ts'
import type { Store } from '../../storage/port.ts'
import type { StoredRecord } from '../../storage/record-port.ts'
import type { Caller } from '../accounts/caller.ts'
import { readableRecord } from './readable-records.ts'
import { assertKnown, findVersion } from './versions.ts'

export function createHistoryService(deps: { store: Store }) {
  const { store } = deps
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
  }
}

export type HistoryService = ReturnType<typeof createHistoryService>
