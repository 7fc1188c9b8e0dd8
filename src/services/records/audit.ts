// The audit trail as clients read it: of one record, newest first, and of the workspace, in commit order from a cursor.
// Contract 1 §2.5, 1 §4.1, 2 §4.
import type { AuditEntry } from '../../domain/records/changes.ts'
import { invalid, notFound } from '../../domain/errors.ts'
import { readableChanges, type Role } from '../../domain/accounts/permissions.ts'
import type { Store, StoredAuditEntry } from '../../storage/port.ts'
import type { Caller } from '../accounts/caller.ts'

/** As clients see it. */
export interface AuditEntryView extends AuditEntry {
  /** The record's after the change: what its ETag said then. */
  readonly version: number
}

export interface ChangePage {
  readonly items: readonly AuditEntryView[]
  /** Where the next page begins, also after an empty page: then what will be written next. */
  readonly cursor: string
}

export function createAuditService(deps: { store: Store }) {
  const { store } = deps
  return {
    /** Newest first; also of a record that was deleted. @throws NOT_FOUND for a record that there never was, or of which nothing is kept */
    async listOf(caller: Caller, recordId: string, limit: number): Promise<AuditEntryView[]> {
      const entries = await store.snapshot(async ({ audit, records }) => {
        const found = await audit.listOf(recordId, limit)
        // Creation writes an entry, which may have become too old to be kept.
        if (found.length === 0 && !(await records.existing([recordId])).has(recordId))
          throw notFound('Record', recordId)
        return found
      })
      return entries.map((entry) => readableEntry(caller.role, entry))
    },

    /** In commit order, from the beginning without a cursor. @throws VALIDATION_ERROR for text that is no cursor */
    async listChanges(caller: Caller, after: string | undefined, limit: number): Promise<ChangePage> {
      const from = after === undefined ? 0 : readCursor(after)
      const entries = await store.read.audit.listAfter(from, limit)
      return {
        items: entries.map((entry) => readableEntry(caller.role, entry)),
        cursor: writeCursor(entries.at(-1)?.sequence ?? from),
      }
    },
  }
}

export type AuditService = ReturnType<typeof createAuditService>

function readableEntry(role: Role, stored: StoredAuditEntry): AuditEntryView {
  const { id, entityId, userId, timestamp, action, version, origin } = stored
  // A transition names no attribute, whatever attributes are called: nobody's role hides it.
  const changes = action === 'transition' ? stored.changes : readableChanges(role, stored.schemaId, stored.changes)
  return { id, entityId, userId, timestamp, action, changes, version, origin }
}

function writeCursor(sequence: number): string {
  return Buffer.from(`after:${sequence}`).toString('base64url')
}

function readCursor(cursor: string): number {
  const sequence = Number(/^after:(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1])
  if (!Number.isSafeInteger(sequence) || writeCursor(sequence) !== cursor)
    throw invalid('after must be a cursor that this endpoint returned')
  return sequence
}
