// Use cases of notices: reading them, and which of them a person gets, and how. Contract 5 §3, 5 §7.
import type { Caller } from '../core/accounts/caller.ts'
import { keepAnswer } from '../core/requests/idempotent-requests.ts'
import { denied, invalid } from '../kernel/errors.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Reads, Store, Transaction } from '../store/port.ts'
import { nameAll } from './persons.ts'
import { MESSENGER_ID } from './rules/messenger-setup.ts'
import type { NoticeSettings, NoticesQuery, SettingsInput } from './rules/notice.ts'
import { writeCursor } from '../kernel/input/cursors.ts'
import { readPlace } from './rules/places.ts'
import { nextSummaryAt, NO_SUMMARY, type SummarySettings } from './rules/summary.ts'

export function createNoticeService({ store, system }: { readonly store: Store; readonly system: System }) {
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
        const items = page.map(({ notice, isRead }) => ({
          ...notice,
          actor: notice.actor && nameOf(notice.actor),
          read: isRead,
        }))
        return { items, next: found.length > limit ? writeCursor([page.at(-1)!.n]) : null }
      }),

    count: async (caller: Caller): Promise<{ unread: number }> => ({ unread: await countUnread(store.read, caller) }),

    /** @param ids undefined: all */
    read: (caller: Caller, ids: readonly string[] | undefined): Promise<{ unread: number }> =>
      store.transaction(async (tx) => {
        if (caller.kind === 'user') await tx.notices.markRead(caller.id, ids)
        return keepAnswer(tx, caller, { unread: await countUnread(tx, caller) })
      }),

    getSettings: async ({ id, kind }: Caller) =>
      show(store.read, kind === 'user' ? await store.read.noticeSettings.get(id) : undefined),

    /** Members that are left out stay as they are. @throws PERMISSION_DENIED for an API key, VALIDATION_ERROR */
    setSettings: (caller: Caller, input: SettingsInput) =>
      store.transaction(async (tx) => {
        if (caller.kind !== 'user') throw denied('An API key gets no notices')
        const before = await tx.noticeSettings.get(caller.id)
        const settings = {
          id: caller.id,
          off: [...new Set(input.off ?? before?.off)],
          email: input.email === undefined ? (before?.email ?? null) : input.email,
          summary: input.summary ?? before?.summary ?? NO_SUMMARY,
        }
        if (settings.summary.isOn && settings.email === null) throw invalid('email must be given for a daily summary')
        await (before === undefined ? tx.noticeSettings.insert(settings) : tx.noticeSettings.update(settings))
        if (input.summary !== undefined) await plan(tx, caller.id, settings.summary, system.now())
        return show(tx, settings)
      }),
  }
}

async function countUnread({ notices }: Pick<Transaction, 'notices'> | Store['read'], caller: Caller): Promise<number> {
  return caller.kind === 'user' ? notices.countUnread(caller.id) : 0
}

/** @param stored undefined: nothing was chosen yet */
async function show(reads: Pick<Reads, 'messengers'>, stored: NoticeSettings | undefined) {
  const isAvailable = (await reads.messengers.get(MESSENGER_ID)) !== undefined
  const { off = [], email = null, summary = NO_SUMMARY } = stored ?? {}
  return { off, email, summary: { ...summary, isAvailable } }
}

/** Notes when the next summary is due. A day that has had its summary gets no second one. */
async function plan(tx: Transaction, id: string, summary: SummarySettings, now: Date): Promise<void> {
  const { day = '', through = 0 } = (await tx.summaries.get(id)) ?? {}
  const nextAt = summary.isOn ? nextSummaryAt(now, summary).toISOString() : null
  await tx.summaries.put({ id, nextAt, day, failures: 0, through })
}
