// The audit trail of one record for clients, newest first. Contract 1 §2.5, 1 §4.1, 2 §4, 3 §3.
import { LIFECYCLE_CHANGE } from './rules/changes.ts'
import { invalid, notFound, shorten } from '../../kernel/errors.ts'
import { assertCanRead, canRead, type Role } from '../accounts/rules/permissions.ts'
import type { HeldMemory, HeldPage } from '../../kernel/held-memory.ts'
import type { Store } from '../../store/port.ts'
import type { Caller } from '../accounts/caller.ts'
import { type AuditEntryView, readableEntry } from './rules/readable-entry.ts'
import { findSequence, sizeOf, walkTrail } from './trail.ts'
import type { StoredAuditEntry } from '../../store/audit-port.ts'
import type { TrailListQuery } from './rules/audit-trail.ts'

interface Answering<Answer> {
  readonly signal: AbortSignal
  /** Makes the answer; until it resolves, the memory of the entries is counted. */
  readonly answer: (entries: AuditEntryView[]) => Promise<Answer>
}

export function createAuditService(deps: { store: Store; held: HeldMemory }) {
  const { store, held } = deps
  return {
    /**
     * Newest first, also for a deleted record. Fewer entries than the limit if they are large together.
     * @throws NOT_FOUND for a record that never existed, or of which nothing is kept
     * @throws VALIDATION_ERROR for a `before` that names no entry of the record
     * @throws PERMISSION_DENIED for an attribute that the caller may not read
     * @throws UNAVAILABLE if requests hold too much memory
     */
    async listOf<Answer>(
      caller: Caller,
      recordId: string,
      { limit, before: beforeId, ...filter }: TrailListQuery,
      { signal, answer }: Answering<Answer>,
    ): Promise<Answer> {
      await assertKnown(store, caller.role, recordId, filter.attributeAlias)
      const { audit } = store.read
      const before = beforeId === undefined ? undefined : await findSequence(audit, recordId, beforeId, signal)
      if (beforeId !== undefined && before === undefined)
        throw invalid(`before names '${shorten(beforeId, 128)}', which is not an entry of the record '${recordId}'`)
      const page = held.pageOf(caller.id, MAX_PAGE)
      try {
        const trail = walkTrail(audit, recordId, { ...filter, before, expected: limit }, signal)
        const asked = (stored: StoredAuditEntry): boolean => isAsked(caller.role, stored, filter.attributeAlias)
        const entries = await takePage(trail, { limit, page, asked })
        return await answer(entries.map((stored) => readableEntry(caller.role, stored)))
      } finally {
        page.leave()
      }
    },
  }
}

interface PageOptions {
  readonly limit: number
  readonly page: HeldPage
  readonly asked: (stored: StoredAuditEntry) => boolean
}

async function takePage(
  trail: AsyncIterable<StoredAuditEntry>,
  { limit, page, asked }: PageOptions,
): Promise<StoredAuditEntry[]> {
  const entries: StoredAuditEntry[] = []
  let size = 0
  for await (const stored of trail) {
    if (!asked(stored)) continue
    size += sizeOf(stored)
    if (entries.length > 0 && size > MAX_PAGE) break
    entries.push(stored)
    if (entries.length === limit) break
    await page.grow(size)
  }
  return entries
}

/** The most characters of the values on one page of a trail. */
const MAX_PAGE = 4 * 1024 * 1024

/** Checks that the record has a trail, and that the caller may read the attribute of the filter. */
async function assertKnown(store: Store, role: Role, recordId: string, alias: string | undefined): Promise<void> {
  const newest = await store.snapshot(async ({ audit, records }) => {
    const { entries } = await audit.readTrail(recordId, { limit: 1 })
    // The entry of the creation may be too old to be kept.
    if (entries.length === 0 && !(await records.existing([recordId])).has(recordId)) throw notFound('Record', recordId)
    return entries[0]
  })
  if (newest !== undefined && alias !== undefined && alias !== LIFECYCLE_CHANGE)
    assertCanRead(role, newest.schemaId, alias)
}

/** Returns whether the caller may know that the entry changed this attribute. */
function isAsked(role: Role, { action, schemaId }: StoredAuditEntry, alias: string | undefined): boolean {
  return alias === undefined || action === 'transition' || canRead(role, schemaId, alias)
}
