// The use cases of history: past versions of a record, restoring them, and the list of deleted records that can come
// back. Contract 3 §3, 3 §10.
import { setImmediate as othersTurn } from 'node:timers/promises'
import { assertPermission } from '../accounts/rules/permissions.ts'
import { conflict } from '../../kernel/errors.ts'
import type { Store } from '../../store/port.ts'
import type { StoredRecord } from '../../store/record-port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { keepAnswer } from '../requests/idempotent-requests.ts'
import { readCursor, writeCursor } from '../feed/rules/cursors.ts'
import type { IfMatch } from './precondition.ts'
import { readableRecord } from './readable-records.ts'
import { findFormerAliases } from './renamed-versions.ts'
import { assertMayRestore, restoreRecord } from './restoring.ts'
import { type RestoreInput } from './rules/restored-values.ts'
import { assertKnown, findVersion, isKnown } from './versions.ts'
import type { DeletedRecord } from '../../store/audit-port.ts'
import type { DeletedPage, DeletedView } from './rules/past-record.ts'

export function createHistoryService(deps: { store: Store; system: System; maxRecords: number }) {
  const { store, system, maxRecords } = deps
  return {
    /**
     * Returns a past version of a record, even of a deleted record. The version contains only attributes that the
     * caller may read.
     * @throws NOT_FOUND if the version never existed, or its history is not kept
     */
    async getVersion({ role }: Caller, id: string, wanted: number, signal: AbortSignal): Promise<StoredRecord> {
      const { version, updatedAt, updatedBy, record } = assertKnown(await findVersion(store, id, wanted, signal))
      const { schemaId, parentId, lifecycleStateId, createdAt, createdBy } = record
      const head = { id, schemaId, parentId, lifecycleStateId, createdAt, updatedAt, createdBy, updatedBy, version }
      return readableRecord(role, { ...head, valuesJson: JSON.stringify(record.values) })
    },

    /**
     * Lists deleted records that can come back, the latest first. `after`: the cursor of the previous page.
     * @throws PERMISSION_DENIED without audit.read, VALIDATION_ERROR for text that is no cursor
     */
    async listDeleted(
      { role }: Caller,
      after: string | undefined,
      limit: number,
      signal: AbortSignal,
    ): Promise<DeletedPage> {
      assertPermission(role, 'audit.read')
      // The next page continues before the deletion at which this page ends.
      let before = after === undefined ? undefined : readCursor(after, 'after') + 1
      const items: DeletedView[] = []
      // A record whose schema is deleted cannot be restored.
      const { schemas } = await store.read.model()
      while (!signal.aborted) {
        const piece = await store.read.audit.listDeletions({ before, limit: limit - items.length })
        items.push(...piece.items.filter(({ schemaId }) => schemas.has(schemaId)).map(toView))
        before = piece.next ?? 0
        if (piece.next === undefined || items.length === limit) break
        await othersTurn()
      }
      return { items, cursor: writeCursor(Math.max(0, (before ?? 0) - 1)) }
    },

    /**
     * Restores the values of a version; a deleted record comes back as a whole. A past version never changes, so it is
     * found before the transaction.
     * @throws NOT_FOUND, PRECONDITION_FAILED, VALIDATION_ERROR, PERMISSION_DENIED, LIMIT_EXCEEDED, CONFLICT for a
     * version that is not kept and for a unique value
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
      const past = assertKnown(found)
      const former = await findFormerAliases(store, past, signal)
      const restoring = { id, input, past, former, ifMatch, maxRecords }
      return store.transaction(async (tx) => {
        const restored = await restoreRecord(tx, system, caller, restoring)
        return keepAnswer(tx, caller, readableRecord(caller.role, restored))
      })
    },
  }
}

function toView({ recordId, schemaId, removed, timestamp, userId }: DeletedRecord): DeletedView {
  return { entityId: recordId, schemaId, version: removed.version, deletedAt: timestamp, deletedBy: userId }
}
