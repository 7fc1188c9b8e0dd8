// Use cases of notices: reading them, and which kinds a person gets. Contract 5 §3.
import type { Caller } from '../core/accounts/caller.ts'
import { keepAnswer } from '../core/requests/idempotent-requests.ts'
import { denied } from '../kernel/errors.ts'
import type { Store, Transaction } from '../store/port.ts'
import { nameAll, type NamedActor } from './persons.ts'
import type { Notice, NoticeKind } from './rules/notice.ts'
import { readPlace, writePlace } from './rules/places.ts'

interface NoticeView extends Omit<Notice, 'actor'> {
  /** null: the server. */
  readonly actor: NamedActor | null
  readonly read: boolean
}

interface NoticesQuery {
  readonly unread: boolean
  readonly limit: number
  readonly after?: string | undefined
}

export function createNoticeService({ store }: { store: Store }) {
  return {
    /** The newest first; `next`: the cursor of the next page. An API key has none. @throws VALIDATION_ERROR for a cursor that is none */
    list: (caller: Caller, { unread, limit, after }: NoticesQuery) =>
      store.snapshot(async (reads) => {
        const place = after === undefined ? undefined : (readPlace(after, ['number'])[0] as number)
        const asked = { isUnread: unread, after: place, limit: limit + 1 }
        const found = caller.kind === 'user' ? await reads.notices.list(caller.id, asked) : []
        const page = found.slice(0, limit)
        const nameOf = await nameAll(
          reads,
          page.flatMap(({ notice }) => notice.actor ?? []),
        )
        const items = page.map(({ notice, isRead }): NoticeView => ({
          ...notice,
          actor: notice.actor && nameOf(notice.actor),
          read: isRead,
        }))
        return { items, next: found.length > limit ? writePlace([page.at(-1)!.n]) : null }
      }),

    count: async (caller: Caller): Promise<{ unread: number }> => ({ unread: await countUnread(store.read, caller) }),

    /** @param ids undefined: all */
    read: (caller: Caller, ids: readonly string[] | undefined): Promise<{ unread: number }> =>
      store.transaction(async (tx) => {
        if (caller.kind === 'user') await tx.notices.markRead(caller.id, ids)
        return keepAnswer(tx, caller, { unread: await countUnread(tx, caller) })
      }),

    getSettings: async ({ id, kind }: Caller): Promise<{ off: readonly NoticeKind[] }> => {
      const settings = kind === 'user' ? await store.read.noticeSettings.get(id) : undefined
      return { off: settings?.off ?? [] }
    },

    /** @throws PERMISSION_DENIED for an API key */
    setSettings: (caller: Caller, off: readonly NoticeKind[]): Promise<{ off: readonly NoticeKind[] }> =>
      store.transaction(async (tx) => {
        if (caller.kind !== 'user') throw denied('An API key gets no notices')
        const settings = { id: caller.id, off: [...new Set(off)] }
        const isKnown = (await tx.noticeSettings.get(caller.id)) !== undefined
        await (isKnown ? tx.noticeSettings.update(settings) : tx.noticeSettings.insert(settings))
        return { off: settings.off }
      }),
  }
}

export type NoticeService = ReturnType<typeof createNoticeService>

async function countUnread({ notices }: Pick<Transaction, 'notices'> | Store['read'], caller: Caller): Promise<number> {
  return caller.kind === 'user' ? notices.countUnread(caller.id) : 0
}
