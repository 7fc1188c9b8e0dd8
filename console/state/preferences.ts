// What a user likes: kept by the service, so that it is the same everywhere, and in the browser for the time before signing in.
// Contract 3 §7 (`/me/preferences`). Other clients keep theirs in the same object: only the member `console` is ours.
import { computed, signal } from '@preact/signals'
import type { Call } from '../api/call.ts'
import { isLanguage, type Language, languageOf } from '../words/languages.ts'
import { type Browser, keep, kept } from './browser.ts'
import { own } from '../../src/kernel/own.ts'

const KEPT = 'pimlet-preferences'
const SAVING = 800

export const THEMES = ['auto', 'light', 'dark'] as const
export const DENSITIES = ['tight', 'normal', 'loose'] as const
type Theme = (typeof THEMES)[number]
type Density = (typeof DENSITIES)[number]

interface Liked {
  readonly language: Language
  readonly theme: Theme
  readonly density: Density
  /** Whether letters are commands outside of fields. */
  readonly letterKeys: boolean
  /** What places remember, by a name of theirs: columns, the schema that was looked at last. */
  readonly places: Readonly<Record<string, unknown>>
}

type Write = <Result>(send: () => Promise<Result>) => Promise<Result>

export class Preferences {
  readonly #browser: Browser
  readonly #call: Call
  readonly #write: Write
  readonly #liked
  /** All that the service keeps, also of others. */
  #stored: Readonly<Record<string, unknown>> | undefined
  #stopSaving: () => void = () => undefined
  readonly language = computed(() => this.#liked.value.language)
  readonly theme = computed(() => this.#liked.value.theme)
  readonly density = computed(() => this.#liked.value.density)
  readonly letterKeys = computed(() => this.#liked.value.letterKeys)

  /** @param write sends again where the server does not answer */
  constructor(browser: Browser, call: Call, write: Write) {
    this.#browser = browser
    this.#call = call
    this.#write = write
    this.#liked = signal<Liked>(readLiked(kept(browser.shared, KEPT), languageOf(browser.languages)))
  }

  /** @throws what a call throws */
  async load(): Promise<void> {
    const { body } = await this.#call('GET /api/v1/me/preferences')
    this.#stored = body
    this.#liked.value = readLiked({ ...this.#liked.peek(), ...(body['console'] as object) }, this.language.peek())
    keep(this.#browser.shared, KEPT, this.#liked.peek())
  }

  set(changes: Partial<Omit<Liked, 'places'>>): void {
    this.#put({ ...this.#liked.peek(), ...changes })
  }

  /** What a place remembers of itself. */
  ofPlace(name: string): unknown {
    const { places } = this.#liked.value
    return own(places, name)
  }

  setPlace(name: string, value: unknown): void {
    const liked = this.#liked.peek()
    this.#put({ ...liked, places: { ...liked.places, [name]: value } })
  }

  #put(liked: Liked): void {
    this.#liked.value = liked
    keep(this.#browser.shared, KEPT, liked)
    this.#stopSaving()
    // Before they were read they are only kept here: what others store must not be lost.
    if (this.#stored === undefined) return
    this.#stopSaving = this.#browser.after(SAVING, () => void this.#save().catch(() => undefined))
  }

  async #save(): Promise<void> {
    const body = { ...this.#stored, console: this.#liked.peek() }
    const { body: stored } = await this.#write(() => this.#call('PUT /api/v1/me/preferences', { body }))
    this.#stored = stored
  }
}

/** Whatever is stored: what does not fit is as at first. */
function readLiked(stored: unknown, language: Language): Liked {
  const { places, ...given } = (typeof stored === 'object' ? (stored ?? {}) : {}) as Partial<Liked>
  return {
    language: isLanguage(given.language) ? given.language : language,
    theme: THEMES.find((theme) => theme === given.theme) ?? 'auto',
    density: DENSITIES.find((density) => density === given.density) ?? 'normal',
    letterKeys: given.letterKeys !== false,
    places: typeof places === 'object' && places !== null ? places : {},
  }
}
