// The first code of the console, in its own file. It loads the rest, with the words of the user's language. For a
// signed-in user, it also sends the requests that every place needs. It shares no file with the rest, because a shared
// file would have to load first. `state/real-browser.ts` takes over the answers; later imports of a loaded file find it
// in the browser's cache of modules.
import type { RouteName } from './api/call.ts'
import { PREFIX } from './state/prefix.ts'
import type { Token } from './state/tab-messages.ts'
import { type Language, languageOf, SHARED_FILE, spokenBy, WORDS } from './words/languages.ts'

type Path<Name> = Name extends `GET ${infer Text}` ? Text : never

const ASKED: readonly Path<RouteName>[] = ['/api/v1/me/model', '/api/v1/me', '/api/v1/me/preferences']

const language = spokenLanguage()
// `scripts/build/console.ts` writes these links.
const main = document.querySelector<HTMLLinkElement>('link[rel=modulepreload]')!.href
const linkOf = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)!
const words = linkOf(WORDS + language)
const [start, places] = words.content.split(' ')
Promise.all([import(main), import(start!)]).catch(showFailure)
// The start needs no words and no code of other places. If they fail to load, the place that needs them reports it.
if (location.pathname.length > `${PREFIX}/console/`.length)
  for (const file of [places!, linkOf(SHARED_FILE).content]) import(file).catch(() => undefined)

const token = JSON.parse(sessionStorage.getItem(`${PREFIX}pimlet-session`) ?? '{}') as Partial<Token>
if (Date.parse(token.expiresAt ?? '') > Date.now()) {
  const headers = { Authorization: `Bearer ${token.accessToken}` }
  const ask = (path: string) => {
    const answer = fetch(PREFIX + path, { headers, credentials: 'omit', redirect: 'error', cache: 'no-store' })
    // The code that takes over the answer handles its failure.
    answer.catch(() => undefined)
    return [`GET ${path} ${headers.Authorization}`, answer] as const
  }
  Object.assign(globalThis, { pimletAhead: new Map(ASKED.map(ask)) })
}

/** The same rule as in `state/preferences.ts`. */
function spokenLanguage(): Language {
  let liked: unknown
  try {
    liked = JSON.parse(localStorage.getItem(`${PREFIX}pimlet-preferences`)!)?.language
  } catch {
    // The stored value is damaged, or the browser stores nothing.
  }
  return languageOf(spokenBy(document), liked, navigator.languages)
}

function showFailure(): void {
  const [main, title, link] = ['main', 'h1', 'a'].map((name) => document.createElement(name))
  main!.className = 'sign-in-page'
  title!.textContent = document.title
  link!.setAttribute('href', location.href)
  link!.textContent = words.dataset.notLoaded!
  main!.append(title!, link!)
  document.documentElement.lang = language
  document.querySelector('#app')!.replaceChildren(main!)
}
