// The changes of all records, of the model and of the accounts, for other systems. Callers read them in commit order
// after a cursor, as they happen, or backwards. Contract 2 §4, 3 §3, 3 §3.1.
import { assertPermission, hasPermission, type Role } from '../accounts/rules/permissions.ts'
import type { ChangeNote } from '../records/rules/changes.ts'
import type { AccountEntry } from './rules/account-entry.ts'
import { type ModelEntry, readableModelEntry } from './rules/model-entry.ts'
import { invalid } from '../../kernel/errors.ts'
import type { HeldMemory, HeldPage } from '../../kernel/held-memory.ts'
import { pageSlices } from '../../kernel/turn-slices.ts'
import type { Store } from '../../store/port.ts'
import type { Caller } from '../accounts/caller.ts'
import { type AuditEntryView, readableEntry } from '../records/rules/readable-entry.ts'
import { sizeOf } from '../records/trail.ts'
import { type ChangeBell, newsNow } from './change-bell.ts'
import { readCursor, writeCursor } from './rules/cursors.ts'
import type { StoredAuditEntry } from '../../store/audit-port.ts'
import type { FeedEntry } from '../../store/feed-port.ts'

export const CHANGED_TYPES = ['record', 'model', 'account'] as const
/** The kinds of entities whose changes the feed lists. */
export type ChangedType = (typeof CHANGED_TYPES)[number]

/** A record entry, with its type if the request asks for several types. */
type RecordEntryView = AuditEntryView & { readonly entityType?: 'record' }

interface ChangePage {
  readonly items: readonly (RecordEntryView | ModelEntry | AccountEntry | ChangeNote)[]
  /** The cursor of the next page. After an empty page: the place of entries still to be written. */
  readonly cursor: string
  /** The number of the caller's unread notices; undefined: not requested. */
  readonly unread?: number
}

interface FeedQuery {
  /** A cursor or `latest`: entries after it, oldest first. Neither: from the beginning. */
  readonly after?: string | undefined
  /** A cursor or `latest`: entries before it, newest first. */
  readonly before?: string | undefined
  readonly limit: number
  readonly types: ReadonlySet<ChangedType>
  /** Seconds to wait if nothing follows the cursor. */
  readonly wait?: number | undefined
  /** The number of unread notices that the client knows: another number ends the wait. */
  readonly unread?: number | undefined
}

/** A query whose page is counted. */
interface HeldQuery extends FeedQuery {
  readonly page: HeldPage
}

/** The most characters of the values on one page. */
const MAX_PAGE = 4 * 1024 * 1024

const LATEST = 'latest'

export function createChangeFeed(deps: { store: Store; bell: ChangeBell; held: HeldMemory }) {
  const { store, bell, held } = deps

  async function placeOf(cursor: string, parameter: string): Promise<number> {
    return cursor === LATEST ? store.read.feed.newest() : readCursor(cursor, parameter)
  }

  /** Waits for entries, as long as the client does. */
  function readWaiting(caller: Caller, from: number, query: HeldQuery, signal: AbortSignal) {
    const known = query.unread
    const read = async () => {
      const entries = await readAfter(store, from, query)
      return known === undefined ? { entries } : { entries, unread: await countUnread(store, caller) }
    }
    return bell.lookForNews(caller, { seconds: query.wait ?? 0, signal }, read, ({ entries, unread }) =>
      newsNow(entries.length > 0 || unread !== known),
    )
  }

  async function read(caller: Caller, query: HeldQuery, signal: AbortSignal): Promise<ChangePage> {
    const { after, before, wait = 0 } = query
    const view = viewOf(caller.role, query.types)
    if (before === undefined) {
      const from = after === undefined ? 0 : await placeOf(after, 'after')
      const { seen, caller: present } = await readWaiting(caller, from, query, signal)
      const { entries, ...notices } = seen
      const items = entries.map(present.role === caller.role ? view : viewOf(present.role, query.types))
      return { items, cursor: writeCursor(entries.at(-1)?.sequence ?? from), ...notices }
    }
    if (after !== undefined) throw invalid('after and before do not go together')
    if (wait > 0) throw invalid('wait needs after: there is nothing new before a cursor')
    if (query.unread !== undefined) throw invalid('unread needs after: it is asked for with what is new')
    const to = await placeOf(before, 'before')
    const entries = await readBefore(store, to, query)
    const oldest = entries.at(-1)?.sequence
    return { items: entries.map(view), cursor: writeCursor(oldest === undefined ? to : oldest - 1) }
  }

  return {
    /**
     * Entries about attributes that are hidden from the caller come without their changes. A caller who may not read the
     * trail gets notes of the entries.
     * @throws VALIDATION_ERROR for text that is no cursor, and parameters that do not go together
     * @throws PERMISSION_DENIED
     * @throws RATE_LIMITED if too many requests of the caller wait
     * @throws UNAVAILABLE if requests hold too much memory
     * @param answer makes the answer: until then the memory of the page is counted
     */
    async list<Answer>(
      caller: Caller,
      query: FeedQuery,
      signal: AbortSignal,
      answer: (page: ChangePage) => Promise<Answer>,
    ): Promise<Answer> {
      const page = held.pageOf(caller.id, MAX_PAGE)
      try {
        return await answer(await read(caller, { ...query, page }, signal))
      } finally {
        page.leave()
      }
    },
  }
}

/** An API key has no notices. */
async function countUnread({ read }: Store, { id, kind }: Caller): Promise<number> {
  return kind === 'user' ? read.notices.countUnread(id) : 0
}

/** @throws PERMISSION_DENIED for a role that may see neither entries nor notes of one of the types */
function viewOf(role: Role, types: ReadonlySet<ChangedType>): (entry: FeedEntry) => ChangePage['items'][number] {
  if (types.has('account')) assertPermission(role, 'users.manage')
  const asksForMore = types.has('record') || types.has('model')
  const hasNotesAlone = !hasPermission(role, 'audit.read') && hasPermission(role, 'records.read')
  if (asksForMore && !hasNotesAlone) assertPermission(role, 'audit.read')
  return (found) => {
    if (found.kind === 'run' || found.kind === 'bulk')
      throw new Error(`The feed of changes has an entry of the kind ${found.kind}`)
    if (found.kind === 'account') return found.entry
    // Roles also belong to the accounts: a caller who may read accounts may read the changes of roles.
    const isOfAccount = types.has('account') && found.kind === 'model' && found.entry.entityType === 'role'
    if (hasNotesAlone && !isOfAccount) return noteOf(found.entry)
    if (found.kind === 'model') return readableModelEntry(role, found.entry)
    const view = readableEntry(role, found.entry)
    return types.size === 1 ? view : { ...view, entityType: 'record' }
  }
}

function noteOf({ entityId, action, timestamp }: StoredAuditEntry | ModelEntry): ChangeNote {
  return { entityId, action, timestamp }
}

type Asked = Pick<HeldQuery, 'limit' | 'types' | 'page'>

function readAfter({ read }: Store, from: number, { types, ...asked }: Asked): Promise<FeedEntry[]> {
  return readPieces(asked, (last, left) => read.feed.listAfter(last?.sequence ?? from, types, left))
}

function readBefore({ read }: Store, to: number, { types, ...asked }: Asked): Promise<FeedEntry[]> {
  return readPieces(asked, (last, left) => read.feed.listBefore(last?.sequence ?? to + 1, types, left))
}

/** Reads in pieces, between which other work runs. Returns fewer entries than `limit` if they are large. */
async function readPieces(
  { limit, page }: Pick<Asked, 'limit' | 'page'>,
  readNext: (last: FeedEntry | undefined, left: number) => Promise<FeedEntry[]>,
): Promise<FeedEntry[]> {
  const entries: FeedEntry[] = []
  let size = 0
  for (;;) {
    const piece = await readNext(entries.at(-1), limit - entries.length)
    for (const found of piece) size += found.kind === 'record' ? sizeOf(found.entry) : JSON.stringify(found).length
    entries.push(...piece)
    if (piece.length === 0 || entries.length === limit || size > MAX_PAGE) return entries
    await page.grow(size)
    await pageSlices.take()
  }
}
