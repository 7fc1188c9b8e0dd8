// The browser that the page runs in.
import { fetchWithProgress } from '../api/progress.ts'
import { spokenBy } from '../words/languages.ts'
import type { Browser, PageEvent } from './browser.ts'
import { PREFIX } from './prefix.ts'

/** The source of each event. */
const SOURCES: Readonly<Record<PageEvent, readonly (readonly [EventTarget, string])[]>> = {
  hide: [[document, 'visibilitychange']],
  show: [[document, 'visibilitychange']],
  leave: [[window, 'pagehide']],
  online: [[window, 'online']],
  travel: [[window, 'popstate']],
  input: [
    [window, 'keydown'],
    [window, 'pointerdown'],
    [window, 'wheel'],
  ],
}

/** The answers that `ahead.ts` has requested, by method, path and credential: each answer is used once. */
const ahead = (globalThis as { readonly pimletAhead?: Map<string, Promise<Response>> }).pimletAhead

function takeAhead(input: string, { method, headers }: RequestInit): Promise<Response> | undefined {
  const key = `${method} ${input} ${(headers as Readonly<Record<string, string>>)['Authorization']}`
  const answer = ahead?.get(key)
  ahead?.delete(key)
  return answer
}

export const realBrowser: Browser = {
  fetch: (input, init, onProgress) =>
    onProgress === undefined
      ? (takeAhead(input, init) ?? window.fetch(PREFIX + input, init))
      : fetchWithProgress(PREFIX + input, init, onProgress),
  shared: window.localStorage,
  own: window.sessionStorage,
  history: window.history,
  random: () => Math.random(),
  languages: navigator.languages,
  spoken: spokenBy(document),
  isMac: /mac|iphone|ipad/i.test(navigator.userAgent),
  now: () => Date.now(),
  after(milliseconds, work) {
    const timer = window.setTimeout(work, milliseconds)
    return () => window.clearTimeout(timer)
  },
  address: () => `${location.pathname}${location.search}`,
  openChannel(name) {
    const channel = new BroadcastChannel(PREFIX + name)
    return {
      tell: (message) => channel.postMessage(message),
      listen: (listener) =>
        channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
          listener(data)
        }),
    }
  },
  isHidden: () => document.hidden,
  reload: () => location.reload(),
  on(what, listener) {
    const heard = () => {
      if (what === 'hide' && !document.hidden) return
      if (what === 'show' && document.hidden) return
      listener()
    }
    for (const [target, name] of SOURCES[what]) target.addEventListener(name, heard, { passive: true, capture: true })
    return () => {
      for (const [target, name] of SOURCES[what]) target.removeEventListener(name, heard, { capture: true })
    }
  },
}
