// A browser for tests of the console's state: its clock stands still until the test moves it, and tabs receive messages
// at once.
import type { Browser, Channel, KeptText, PageEvent } from '../../console/state/browser.ts'

export interface FakeBrowser extends Browser {
  readonly requests: { readonly url: string; readonly init: RequestInit }[]
  reloads: number
  isShown: boolean
  /** Answers requests; throws like fetch if no server answers. */
  answer: (url: string, init: RequestInit) => Response | Promise<Response>
  /** Moves the clock, and runs all due timers. */
  pass(milliseconds: number): Promise<void>
  emit(what: PageEvent): void
  /** The tab's history, with navigation. */
  readonly entries: { url: string; state: unknown }[]
  travel(by: number): void
}

/** Tabs of one browser share storage and channel. */
export interface FakeTabs {
  open(address?: string): FakeBrowser
}

interface Timer {
  readonly at: number
  readonly work: () => void
}

export function makeTabs(): FakeTabs {
  const shared = makeStorage()
  const listeners: { readonly owner: object; readonly listen: (message: unknown) => void }[] = []
  const clock = { now: Date.parse('2026-03-02T09:00:00Z'), timers: new Set<Timer>() }
  const openChannel = (owner: object): Channel => ({
    tell(message) {
      const copy: unknown = structuredClone(message)
      for (const other of listeners) if (other.owner !== owner) queueMicrotask(() => other.listen(copy))
    },
    listen: (listen) => void listeners.push({ owner, listen }),
  })
  return { open: (address = '/console/') => makeBrowser(address, shared, clock, openChannel) }
}

export function fakeBrowser(address?: string): FakeBrowser {
  return makeTabs().open(address)
}

function makeBrowser(
  first: string,
  shared: KeptText,
  clock: { now: number; timers: Set<Timer> },
  openChannel: (owner: object) => Channel,
): FakeBrowser {
  const heard = new Map<PageEvent, Set<() => void>>()
  const entries = [{ url: first, state: null as unknown }]
  let at = 0
  const owner = {}
  const browser: FakeBrowser = {
    requests: [],
    entries,
    reloads: 0,
    isShown: true,
    answer: () => json({}),
    fetch: async (url, init) => {
      browser.requests.push({ url, init })
      const answer = await browser.answer(url, init)
      if (init.signal?.aborted === true) throw new DOMException('Aborted', 'AbortError')
      return answer
    },
    shared,
    own: makeStorage(),
    history: {
      get state() {
        return entries[at]!.state
      },
      pushState(state, _, url) {
        entries.splice(at + 1, Infinity, { url, state: structuredClone(state) })
        at += 1
      },
      replaceState(state, _, url) {
        entries[at] = { url: url ?? entries[at]!.url, state: structuredClone(state) }
      },
      back: () => browser.travel(-1),
    },
    random: () => 0,
    languages: ['en-GB'],
    spoken: ['en', 'de'],
    isMac: false,
    now: () => clock.now,
    after(milliseconds, work) {
      const timer = { at: clock.now + milliseconds, work }
      clock.timers.add(timer)
      return () => clock.timers.delete(timer)
    },
    address: () => entries[at]!.url,
    openChannel: () => openChannel(owner),
    isHidden: () => !browser.isShown,
    reload: () => (browser.reloads += 1),
    on(what, listener) {
      const known = heard.get(what) ?? new Set()
      heard.set(what, known.add(listener))
      return () => known.delete(listener)
    },
    emit(what) {
      for (const listener of heard.get(what) ?? []) listener()
    },
    travel(by) {
      at += by
      browser.emit('travel')
    },
    async pass(milliseconds) {
      const end = clock.now + milliseconds
      for (;;) {
        await settle()
        const next = [...clock.timers].sort((one, other) => one.at - other.at)[0]
        if (next === undefined || next.at > end) break
        clock.timers.delete(next)
        clock.now = Math.max(clock.now, next.at)
        next.work()
      }
      clock.now = end
      await settle()
    },
  }
  return browser
}

/** Resolves when nothing more happens without the clock. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

export function makeStorage(): KeptText {
  const texts = new Map<string, string>()
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, value) => void texts.set(key, value),
    removeItem: (key) => void texts.delete(key),
    key: (index) => [...texts.keys()][index] ?? null,
    get length() {
      return texts.size
    },
  }
}

export function json(
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: object } = {},
): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } })
}

export function refused(status: number, error: string, message: string, headers: object = {}): Response {
  return json({ error, message }, { status, headers: { 'X-Request-Id': 'req-1', ...headers } })
}
