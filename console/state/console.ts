// The state of the console, created once per page and available to every place (`useConsole()` of `context.ts`).
import { effect } from '@preact/signals'
import { type Call, makeCall } from '../api/call.ts'
import { hasWords, language, speak, spoken } from '../words/words.ts'
import type { Browser } from './browser.ts'
import { Cache } from './cache.ts'
import { Commands } from './commands.ts'
import { Drafts } from './drafts.ts'
import { Jobs } from './jobs.ts'
import { Keys } from './keys.ts'
import { Live } from './live.ts'
import { ModelState } from './model.ts'
import { Offline } from './offline.ts'
import { Preferences } from './preferences.ts'
import { tellMissing } from './renewed.ts'
import { Router } from './router.ts'
import { ScopeState } from './scope.ts'
import { Session } from './session.ts'
import { Status } from './status.ts'
import { Thumbs } from './thumbs.ts'
import { Undo } from './undo.ts'
import { own } from '../../src/kernel/own.ts'

export interface Console {
  readonly browser: Browser
  readonly call: Call
  readonly session: Session
  readonly router: Router
  readonly model: ModelState
  readonly scope: ScopeState
  readonly cache: Cache
  readonly live: Live
  readonly drafts: Drafts
  readonly undo: Undo
  readonly preferences: Preferences
  readonly offline: Offline
  readonly commands: Commands
  readonly keys: Keys
  readonly status: Status
  readonly jobs: Jobs
  readonly thumbs: Thumbs
}

const IDLENESS = 30_000
/** Milliseconds until the footer loads its jobs: the content of the page has priority. */
const JOBS_LATER = 1000
/** Kinds of changes that change the model. */
const OF_MODEL: ReadonlySet<string> = new Set(['schema', 'dimension', 'workflow', 'role', 'catalog'])
/** Prefixes of cache keys, and the kinds of changes that affect them: changes of records affect none. */
const WITHOUT_RECORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  exports: new Set(['exportJob']),
  model: OF_MODEL,
  people: new Set(['role']),
}

export function makeConsole(browser: Browser): Console {
  const call: Call = makeCall({
    fetch: browser.fetch,
    get ended() {
      return session.ended
    },
    token: () => session.token,
    renewedToken: (refused) => session.renewedToken(refused),
    onReached: (isReached) => offline.note(isReached),
  })
  const session = makeSession(browser, call)
  const offline = new Offline(browser, () => call('GET /healthz'))
  const router = new Router(browser)
  const model = new ModelState(call, language)
  const commands = new Commands()
  const preferences = new Preferences(browser, call, (send) => offline.write(send))
  return {
    browser,
    call,
    session,
    router,
    model,
    scope: new ScopeState(browser, router, model.dimensions),
    cache: new Cache(browser.now),
    live: new Live(browser, call),
    drafts: new Drafts(browser, () => session.user.peek()?.id),
    undo: new Undo(),
    preferences,
    offline,
    commands,
    keys: new Keys(() => commands.list.peek(), {
      isMac: browser.isMac,
      hasLetters: () => preferences.letterKeys.peek(),
      now: browser.now,
    }),
    status: new Status(browser),
    jobs: new Jobs(call, browser),
    thumbs: new Thumbs(call, browser),
  }
}

function makeSession(browser: Browser, call: Call): Session {
  return new Session(browser, {
    login: async (username, password) => (await call('POST /api/v1/auth/login', { body: { username, password } })).body,
    refresh: async () => (await call('POST /api/v1/auth/refresh')).body,
    // The request sends its own token, because the session has already dropped it.
    logout: async (token) => {
      const headers = { Authorization: `Bearer ${token}` }
      await browser.fetch('/api/v1/auth/logout', { method: 'POST', headers, keepalive: true, credentials: 'omit' })
    },
  })
}

/** Starts everything that runs by itself. */
export function startConsole(console: Console): void {
  const { browser, session, preferences, live, cache, model, offline } = console
  effect(() => {
    // Words that failed to load are loaded when the server answers again.
    void offline.isOffline.value
    speak(preferences.language.value, browser.languages).catch(async () => {
      // Before the first words are loaded, `ahead.ts` reports the failure.
      if (hasWords()) await tellMissing(console)
    })
  })
  session.ended.addEventListener('abort', () => preferences.leave())
  effect(() => {
    if (!offline.isOffline.value) cache.refreshFailed()
  })
  live.subscribe((changes, isCut) => {
    // The model is read at once, so that an open sheet gets its new columns.
    if (changes.some(({ entityType }) => OF_MODEL.has(entityType))) void model.load().catch(() => undefined)
    const records = changes.map(({ entityId }) => entityId)
    // Changes of this user are skipped: the code that writes also reads again.
    const others = changes.filter(({ userId }) => userId !== session.user.peek()?.id)
    cache.markChanged((key) => {
      const kinds = own(WITHOUT_RECORDS, key.split(' ')[0]!)
      if (kinds !== undefined) return others.some(({ entityType }) => kinds.has(entityType))
      return isCut || !key.startsWith('record ') || records.some((id) => key.startsWith(`record ${id}`))
    })
    // The page of a removed part of the model shows the removal at once.
    for (const { action, entityType, entityId } of others)
      if (action === 'delete')
        cache.refreshAll(`${entityType === 'role' ? 'people' : 'model'} ${entityType} ${entityId}`)
  })
  const look = () => {
    session.checkIdleness()
    browser.after(IDLENESS, look)
  }
  look()
  void session.start()
}

/** Loads the data that a page needs before its first place, in parallel. @throws the errors of a call */
export async function loadWorkspace({ browser, model, preferences, jobs, session, live }: Console): Promise<void> {
  await Promise.all([model.load(), preferences.load(session.user.peek()?.id)])
  // The user's language may differ from the browser's.
  await spoken()
  if (!model.may('records.read')) return
  live.start()
  const userId = session.user.peek()?.id
  // A footer without jobs keeps nobody from working.
  if (userId !== undefined) browser.after(JOBS_LATER, () => void jobs.load(userId).catch(() => undefined))
}
