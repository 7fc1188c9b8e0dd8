// The changes of all records as other systems follow them: in commit order from a cursor on, as they come, or backwards.
// Contract 2 §4, 3 §3.
import { setImmediate as othersTurn } from 'node:timers/promises'
import { assertPermission, hasPermission, type Role } from '../../domain/accounts/permissions.ts'
import type { AuditAction } from '../../domain/records/changes.ts'
import { invalid } from '../../domain/errors.ts'
import type { Store } from '../../storage/port.ts'
import type { Caller } from '../accounts/caller.ts'
import { type AuditEntryView, readableEntry, sizeOf } from './audit-entries.ts'
import type { ChangeBell } from './change-bell.ts'
import { readCursor, writeCursor } from './cursors.ts'
import type { StoredAuditEntry } from '../../storage/audit-port.ts'

/** What a caller sees that may not read the audit trail. */
export interface ChangeNote {
  readonly entityId: string
  readonly action: AuditAction
  readonly timestamp: string
}

export interface ChangePage {
  readonly items: readonly (AuditEntryView | ChangeNote)[]
  /** Where the next page begins, also after an empty page: then what will be written next. */
  readonly cursor: string
}

export interface FeedQuery {
  /** A cursor or `latest`: what was committed after it, oldest first. Neither: from the beginning. */
  readonly after?: string | undefined
  /** The same: what was committed before it, newest first. */
  readonly before?: string | undefined
  readonly limit: number
  /** Seconds to wait for something, where there is nothing after the cursor. */
  readonly wait?: number | undefined
}

/** Characters of the values on one page. */
const MAX_PAGE = 4 * 1024 * 1024

const LATEST = 'latest'

export function createChangeFeed(deps: { store: Store; bell: ChangeBell }) {
  const { store, bell } = deps

  async function placeOf(cursor: string, parameter: string): Promise<number> {
    return cursor === LATEST ? store.read.audit.newest() : readCursor(cursor, parameter)
  }

  /** Waits until there is something, for as long as the client does. */
  async function readWaiting(caller: Caller, from: number, query: FeedQuery, signal: AbortSignal) {
    const end = performance.now() + (query.wait ?? 0) * 1000
    for (;;) {
      const since = bell.rung
      const entries = await readAfter(store, from, query.limit)
      const milliseconds = end - performance.now()
      if (entries.length > 0 || milliseconds <= 0 || signal.aborted || bell.isClosed) return entries
      await bell.wait(caller.id, { since, milliseconds, signal })
    }
  }

  return {
    /**
     * Entries of attributes that are hidden from the caller are there without their changes; who may not read the trail gets
     * notes of them.
     * @throws VALIDATION_ERROR for text that is no cursor, and parameters that do not go together; PERMISSION_DENIED;
     * RATE_LIMITED where too many requests of the caller wait
     */
    async list(caller: Caller, query: FeedQuery, signal: AbortSignal): Promise<ChangePage> {
      const { after, before, limit, wait = 0 } = query
      const view = viewOf(caller.role)
      if (before === undefined) {
        const from = after === undefined ? 0 : await placeOf(after, 'after')
        const entries = await readWaiting(caller, from, query, signal)
        return { items: entries.map(view), cursor: writeCursor(entries.at(-1)?.sequence ?? from) }
      }
      if (after !== undefined) throw invalid('after and before do not go together')
      if (wait > 0) throw invalid('wait goes with after: nothing new comes before a cursor')
      const to = await placeOf(before, 'before')
      const entries = await readBefore(store, to, limit)
      const oldest = entries.at(-1)?.sequence
      return { items: entries.map(view), cursor: writeCursor(oldest === undefined ? to : oldest - 1) }
    },
  }
}

export type ChangeFeed = ReturnType<typeof createChangeFeed>

/** @throws PERMISSION_DENIED for a role that may see neither entries nor notes */
function viewOf(role: Role): (entry: StoredAuditEntry) => AuditEntryView | ChangeNote {
  if (!hasPermission(role, 'audit.read') && hasPermission(role, 'records.read'))
    return ({ entityId, action, timestamp }) => ({ entityId, action, timestamp })
  assertPermission(role, 'audit.read')
  return (entry) => readableEntry(role, entry)
}

function readAfter({ read }: Store, from: number, limit: number): Promise<StoredAuditEntry[]> {
  return readPieces(limit, (last, left) => read.audit.listAfter(last?.sequence ?? from, left))
}

function readBefore({ read }: Store, to: number, limit: number): Promise<StoredAuditEntry[]> {
  return readPieces(limit, (last, left) => read.audit.listBefore(last?.sequence ?? to + 1, left))
}

/** Piece by piece, with turns for others between them: fewer than `limit` where they are large together. */
async function readPieces(
  limit: number,
  readNext: (last: StoredAuditEntry | undefined, left: number) => Promise<StoredAuditEntry[]>,
): Promise<StoredAuditEntry[]> {
  const entries: StoredAuditEntry[] = []
  let size = 0
  for (;;) {
    const piece = await readNext(entries.at(-1), limit - entries.length)
    for (const entry of piece) size += sizeOf(entry)
    entries.push(...piece)
    if (piece.length === 0 || entries.length === limit || size > MAX_PAGE) return entries
    await othersTurn()
  }
}
