// The first of the console's code, a file of its own: loads the rest with the words of the user's language, and asks for what every
// place needs, for a user who is signed in. It shares no file with the rest, or that file would come first: what it keeps,
// `state/real-browser.ts` takes up, and what it loads, an import of the same file finds.
import type { RouteName } from './api/call.ts'
import { PREFIX } from './state/prefix.ts'
import type { Token } from './state/tab-messages.ts'
import { isLanguage, type Language, languageOf } from './words/languages.ts'

type Path<Name> = Name extends `GET ${infer Text}` ? Text : never

const ASKED: readonly Path<RouteName>[] = ['/api/v1/me/model', '/api/v1/me', '/api/v1/me/preferences']
/** The one text that is needed where there are no words. */
const NOT_LOADED: Readonly<Record<Language, string>> = {
  en: 'The console could not be loaded. Try again.',
  de: 'Die Konsole konnte nicht geladen werden. Erneut versuchen.',
}

const language = spokenLanguage()
// Written by `scripts/build/console.ts`.
const main = document.querySelector<HTMLLinkElement>('link[rel=modulepreload]')!.href
const [start, places] = document.querySelector<HTMLMetaElement>(`meta[name=words-${language}]`)!.content.split(' ')
Promise.all([import(main), import(start!)]).catch(showFailure)
// The start needs no words of other places. Where these are not there, the place that needs them says so.
if (location.pathname.length > `${PREFIX}/console/`.length) import(places!).catch(() => undefined)

const token = JSON.parse(sessionStorage.getItem(`${PREFIX}pimlet-session`) ?? '{}') as Partial<Token>
if (Date.parse(token.expiresAt ?? '') > Date.now()) {
  const headers = { Authorization: `Bearer ${token.accessToken}` }
  const ask = (path: string) => {
    const answer = fetch(PREFIX + path, { headers, credentials: 'omit', redirect: 'error', cache: 'no-store' })
    // Who takes it up is told.
    answer.catch(() => undefined)
    return [`GET ${path} ${headers.Authorization}`, answer] as const
  }
  Object.assign(globalThis, { pimletAhead: new Map(ASKED.map(ask)) })
}

/** As `state/preferences.ts` finds it. */
function spokenLanguage(): Language {
  try {
    const liked: unknown = JSON.parse(localStorage.getItem(`${PREFIX}pimlet-preferences`)!)?.language
    if (isLanguage(liked)) return liked
  } catch {
    // Spoilt, or the browser keeps nothing.
  }
  return languageOf(navigator.languages)
}

function showFailure(): void {
  const [main, title, link] = ['main', 'h1', 'a'].map((name) => document.createElement(name))
  main!.className = 'sign-in-page'
  title!.textContent = document.title
  link!.setAttribute('href', location.href)
  link!.textContent = NOT_LOADED[language]
  main!.append(title!, link!)
  document.documentElement.lang = language
  document.querySelector('#app')!.replaceChildren(main!)
}
