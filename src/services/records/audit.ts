// The audit trail as clients read it: of one record, newest first, and of the workspace, in commit order from a cursor.
// Contract 1 §2.5, 1 §4.1, 2 §4.
import { type AuditEntry, LIFECYCLE_CHANGE } from '../../domain/records/changes.ts'
import { invalid, notFound, shorten } from '../../domain/errors.ts'
import { assertCanRead, canRead, readableChanges, type Role } from '../../domain/accounts/permissions.ts'
import type { Store, StoredAuditEntry, TrailFilter } from '../../storage/port.ts'
import type { Caller } from '../accounts/caller.ts'
import { readCursor, writeCursor } from './cursors.ts'
import { findSequence, walkTrail } from './trail.ts'

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
    /**
     * Newest first; also of a record that was deleted. Fewer than the limit where they are large together.
     * @throws NOT_FOUND for a record that there never was, or of which nothing is kept; VALIDATION_ERROR for a `before` that
     * names no entry of the record; PERMISSION_DENIED for an attribute that the caller may not read
     */
    async listOf(
      caller: Caller,
      recordId: string,
      { limit, before: beforeId, ...filter }: TrailListQuery,
      signal: AbortSignal,
    ): Promise<AuditEntryView[]> {
      await assertKnown(store, caller.role, recordId, filter.attributeAlias)
      const { audit } = store.read
      const before = beforeId === undefined ? undefined : await findSequence(audit, recordId, beforeId, signal)
      if (beforeId !== undefined && before === undefined)
        throw invalid(`before names '${shorten(beforeId, 128)}', which is no entry of the record '${recordId}'`)
      const entries: AuditEntryView[] = []
      let size = 0
      for await (const stored of walkTrail(audit, recordId, { ...filter, before, expected: limit }, signal)) {
        if (!isAsked(caller.role, stored, filter.attributeAlias)) continue
        size += sizeOf(stored)
        if (entries.length > 0 && size > MAX_PAGE) break
        entries.push(readableEntry(caller.role, stored))
        if (entries.length === limit) break
      }
      return entries
    },

    /** In commit order, from the beginning without a cursor. @throws VALIDATION_ERROR for text that is no cursor */
    async listChanges(caller: Caller, after: string | undefined, limit: number): Promise<ChangePage> {
      const from = after === undefined ? 0 : readCursor(after, 'after')
      const entries = await store.read.audit.listAfter(from, limit)
      return {
        items: entries.map((entry) => readableEntry(caller.role, entry)),
        cursor: writeCursor(entries.at(-1)?.sequence ?? from),
      }
    },
  }
}

/** Characters of the values on one page of a trail. */
const MAX_PAGE = 32 * 1024 * 1024

export interface TrailListQuery extends TrailFilter {
  readonly limit: number
  /** ID of an entry: only older ones. */
  readonly before?: string | undefined
}

export type AuditService = ReturnType<typeof createAuditService>

function readableEntry(role: Role, stored: StoredAuditEntry): AuditEntryView {
  const { id, entityId, userId, timestamp, action, version, origin } = stored
  // A transition names no attribute, whatever attributes are called: nobody's role hides it.
  const changes = action === 'transition' ? stored.changes : readableChanges(role, stored.schemaId, stored.changes)
  return { id, entityId, userId, timestamp, action, changes, version, origin }
}

/** That there is something to tell, and that the caller may know of the attribute that it asks for. */
async function assertKnown(store: Store, role: Role, recordId: string, alias: string | undefined): Promise<void> {
  const newest = await store.snapshot(async ({ audit, records }) => {
    const { entries } = await audit.readTrail(recordId, { limit: 1 })
    // Creation writes an entry, which may have become too old to be kept.
    if (entries.length === 0 && !(await records.existing([recordId])).has(recordId)) throw notFound('Record', recordId)
    return entries[0]
  })
  if (newest !== undefined && alias !== undefined && alias !== LIFECYCLE_CHANGE)
    assertCanRead(role, newest.schemaId, alias)
}

/** Whether the caller may know that the entry changed this attribute. */
function isAsked(role: Role, { action, schemaId }: StoredAuditEntry, alias: string | undefined): boolean {
  return alias === undefined || action === 'transition' || canRead(role, schemaId, alias)
}

/** About how many characters its values have. */
function sizeOf({ changes }: StoredAuditEntry): number {
  return changes.reduce((size, { oldValue, newValue }) => size + lengthOf(oldValue) + lengthOf(newValue) + 100, 0)
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8
}
