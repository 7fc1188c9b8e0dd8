// Sends daily summaries, by one server. A summary is noted before it is sent: a server that dies while it sends leaves the
// person without a summary of this day, and sends no second one. Contract 5 §7.
import type { StoredUser } from '../core/accounts/rules/account.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Message } from '../kernel/messenger.ts'
import type { Messengers, SendingFault } from '../kernel/messengers.ts'
import type { Log } from '../kernel/observing/log.ts'
import type { Store, Transaction } from '../store/port.ts'
import { type Round, type Rounds, startRounds } from '../store/rounds.ts'
import { ownAddress } from './messenger-service.ts'
import { MESSENGER_ID } from './rules/messenger-setup.ts'
import type { NoticeSettings } from './rules/notice.ts'
import { localDay, nextSummaryAt, retryAt, type SummarySettings, type SummaryState } from './rules/summary.ts'
import { writeSummary } from './rules/summary-text.ts'
import { type SummaryWords, wordsFor } from './rules/summary-words.ts'
import { gatherSummary, type SummaryContent } from './summary-content.ts'
import { readSummaryWords } from './summary-files.ts'

/** Milliseconds between two rounds. */
const INTERVAL = 60_000
/** People of one round. */
const MAX_PEOPLE = 200
/** Failures in a row that end a round: the server of messages is away. */
const MAX_FAULTS = 3
const DAY = 86_400_000

interface SummaryDeps {
  readonly store: Store
  readonly system: System
  readonly log: Log
  readonly messengers: Messengers
  readonly publicUrl: string
  /** For tests. */
  readonly interval?: number | undefined
}

/** Begins at once, where no other server does so already, and again every minute. */
export function startSummaries(deps: SummaryDeps): Rounds {
  return startRounds({
    store: deps.store,
    name: 'summaries',
    interval: deps.interval ?? INTERVAL,
    round: (round) => sendDue(deps, round),
    onFault: (error) => deps.log.warn({ err: error }, 'daily summaries could not be sent'),
  })
}

async function sendDue(deps: SummaryDeps, { store, signal, pause }: Round): Promise<void> {
  let faults = 0
  for (let people = 0; people < MAX_PEOPLE && faults < MAX_FAULTS && !signal.aborted; people += 1) {
    if ((await store.read.messengers.get(MESSENGER_ID)) === undefined) return
    const [due] = await store.read.summaries.due(deps.system.now().toISOString(), 1)
    if (due === undefined) return
    await store.whenCalm()
    try {
      const taken = await store.transaction((tx) => take(tx, due.id, deps.system.now()))
      const fault = taken && (await sendTo(deps, store, taken, signal))
      if (taken !== undefined) faults = fault === undefined ? 0 : faults + 1
    } catch (error) {
      signal.throwIfAborted()
      deps.log.warn({ err: error, userId: due.id }, 'a daily summary could not be made')
      await store.transaction((tx) => putOff(tx, due.id, deps.system.now()))
    }
    await pause()
  }
}

/** Tries again in a day, so that one person keeps no other from the summary. */
async function putOff(tx: Transaction, userId: string, now: Date): Promise<void> {
  const state = await tx.summaries.get(userId)
  const nextAt = new Date(now.getTime() + DAY).toISOString()
  if (state !== undefined) await tx.summaries.put({ ...state, nextAt })
}

/** A person whose summary is noted as sent. */
interface Taken {
  readonly user: StoredUser
  readonly settings: NoticeSettings & { readonly email: string; readonly summary: SummarySettings }
  readonly before: SummaryState
}

/** Undefined: the person gets none now. */
async function take(tx: Transaction, userId: string, now: Date): Promise<Taken | undefined> {
  const state = await tx.summaries.get(userId)
  if (state === undefined || state.nextAt === null || state.nextAt > now.toISOString()) return undefined
  const user = await tx.users.get(userId)
  const settings = await tx.noticeSettings.get(userId)
  const { email, summary } = settings ?? {}
  if (user === undefined || summary?.isOn !== true || email === undefined || email === null) {
    await tx.summaries.put({ ...state, nextAt: null })
    return undefined
  }
  const day = localDay(now, summary.timeZone)
  await tx.summaries.put({ ...state, day, nextAt: nextSummaryAt(now, summary).toISOString() })
  // Disabled people may be enabled again.
  if (user.disabled || day === state.day) return undefined
  return { user, settings: { ...settings!, email, summary }, before: state }
}

async function sendTo(
  { system, log, messengers, publicUrl }: SummaryDeps,
  store: Store,
  { user, settings, before }: Taken,
  signal: AbortSignal,
): Promise<SendingFault | undefined> {
  const now = system.now()
  const content = await gatherSummary(store.read, { user, settings, after: before.through, now })
  const stored = await store.read.messengers.get(MESSENGER_ID)
  if (stored === undefined || content.work.length + content.news.length === 0) return undefined
  const words = wordsFor(settings.summary.language, readSummaryWords())
  const message = messageOf(content, { user, settings, now, words, publicUrl: ownAddress(publicUrl) })
  const fault = await messengers.send(stored, message, signal)
  if (fault !== undefined) log.warn({ userId: user.id }, `a daily summary could not be sent: ${fault.message}`)
  await store.transaction((tx) => note(tx, { settings, before, now, through: content.through, fault }))
  return fault
}

interface MessageParts extends Pick<Taken, 'user' | 'settings'> {
  readonly now: Date
  readonly words: SummaryWords
  readonly publicUrl: string | null
}

function messageOf(content: SummaryContent, { user, settings, now, words, publicUrl }: MessageParts): Message {
  const { timeZone } = settings.summary
  return {
    id: `summary-${user.id}-${localDay(now, timeZone)}`,
    to: { userId: user.id, name: user.name, address: settings.email },
    language: words.language,
    createdAt: now.toISOString(),
    ...writeSummary({ ...content, name: user.name, words, publicUrl }),
  }
}

interface Outcome extends Pick<Taken, 'settings' | 'before'> {
  readonly now: Date
  readonly through: number
  readonly fault: SendingFault | undefined
}

/** Stores how it went. A failed summary is due again on the same day, as if it had not been taken. */
async function note(tx: Transaction, { settings, before, now, through, fault }: Outcome): Promise<void> {
  const at = now.toISOString()
  const messenger = await tx.messengers.get(MESSENGER_ID)
  if (messenger !== undefined) {
    const news =
      fault === undefined ? { lastSentAt: at, lastFailure: null } : { lastFailure: { at, message: fault.message } }
    await tx.messengers.update({ ...messenger, ...news })
  }
  const state = await tx.summaries.get(before.id)
  if (state === undefined) return
  if (fault === undefined) return tx.summaries.put({ ...state, failures: 0, through })
  const failures = before.failures + 1
  const again = fault.isPermanent ? undefined : retryAt(now, failures, settings.summary)
  // A person who has changed the settings meanwhile has another moment already.
  if (again === undefined || state.nextAt === null) return tx.summaries.put({ ...state, failures: 0 })
  await tx.summaries.put({ ...state, day: before.day, failures, nextAt: again.toISOString() })
}
