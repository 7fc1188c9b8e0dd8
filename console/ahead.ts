// The first of the console's code, a file of its own: asks for what every place needs, for whoever is signed in, and loads the rest
// meanwhile. It shares no file with the rest, or would come with it: what it keeps, `state/real-browser.ts` takes up.
import type { RouteName } from './api/call.ts'
import type { Token } from './state/tab-messages.ts'

type Path<Name> = Name extends `GET ${infer Text}` ? Text : never

const ASKED: readonly Path<RouteName>[] = ['/api/v1/me/model', '/api/v1/me', '/api/v1/me/preferences']

// First: whatever the tab has kept.
void import(document.querySelector<HTMLLinkElement>('link[rel=modulepreload]')!.href)

const token = JSON.parse(sessionStorage.getItem('pimlet-session') ?? '{}') as Partial<Token>
if (Date.parse(token.expiresAt ?? '') > Date.now()) {
  const headers = { Authorization: `Bearer ${token.accessToken}` }
  const ask = (path: string) => {
    const answer = fetch(path, { headers, credentials: 'omit', redirect: 'error', cache: 'no-store' })
    // Who takes it up is told.
    answer.catch(() => undefined)
    return [`GET ${path} ${headers.Authorization}`, answer] as const
  }
  Object.assign(globalThis, { pimletAhead: new Map(ASKED.map(ask)) })
}
