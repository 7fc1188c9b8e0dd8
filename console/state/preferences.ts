// The preferences of a user. The service stores them, so that they are the same everywhere; the browser stores them for
// the time before the sign-in. Contract 3 §7 (`/me/preferences`). Other clients share the same object: only the member
// `console` is ours.
import { computed, signal } from '@preact/signals'
import type { Call } from '../api/call.ts'
import { type Language, languageOf } from '../words/languages.ts'
import { type Browser, forget, keep, kept } from './browser.ts'
import { own } from '../../src/kernel/own.ts'

const KEPT = 'pimlet-preferences'
const SAVING = 800

export const THEMES = ['auto', 'light', 'dark'] as const
export const DENSITIES = ['tight', 'normal', 'loose'] as const
type Theme = (typeof THEMES)[number]
type Density = (typeof DENSITIES)[number]

interface Liked {
  /** Undefined: the person has chosen none, so the browser's language applies. */
  readonly language: Language | undefined
  readonly theme: Theme
  readonly density: Density
  /** Whether letters are commands outside of fields. */
  readonly letterKeys: boolean
  /** True: the bar of places shows only icons on a wide page. */
  readonly isFolded: boolean
  /** The memory of places, by name: columns, the schema that was shown last. */
  readonly places: Readonly<Record<string, unknown>>
}

type Change = (liked: Liked) => Liked

type Write = <Result>(send: () => Promise<Result>) => Promise<Result>

export class Preferences {
  readonly #browser: Browser
  readonly #call: Call
  readonly #write: Write
  readonly #liked
  #isLoaded = false
  #userId: string | undefined
  /** Changes that are not stored yet: the last change of each member and place. */
  readonly #unsaved = new Map<string, Change>()
  #stopSaving: () => void = () => undefined
  readonly language = computed(() =>
    languageOf(this.#browser.spoken, this.#liked.value.language, this.#browser.languages),
  )
  readonly theme = computed(() => this.#liked.value.theme)
  readonly density = computed(() => this.#liked.value.density)
  readonly letterKeys = computed(() => this.#liked.value.letterKeys)
  readonly isFolded = computed(() => this.#liked.value.isFolded)

  /** @param write repeats the request while the server does not answer */
  constructor(browser: Browser, call: Call, write: Write) {
    this.#browser = browser
    this.#call = call
    this.#write = write
    this.#liked = signal<Liked>(readLiked(kept(browser.shared, KEPT), browser.spoken))
  }

  /** @param userId the user of the preferences @throws the errors of a call */
  async load(userId: string | undefined): Promise<void> {
    const { body } = await this.#call('GET /api/v1/me/preferences')
    this.#isLoaded = true
    // Changes of a person who has signed out belong to nobody else.
    this.#unsaved.clear()
    // The browser may contain newer preferences of this person, or those of another person.
    const { of } = (kept(this.#browser.shared, KEPT) ?? {}) as { readonly of?: unknown }
    const own = userId !== undefined && of === userId ? this.#liked.peek() : {}
    this.#userId = userId
    this.#liked.value = readLiked({ ...own, ...(body['console'] as object) }, this.#browser.spoken)
    this.#keep()
  }

  /** The browser is for the next person. */
  leave(): void {
    forget(this.#browser.shared, KEPT)
  }

  set(changes: Partial<Omit<Liked, 'places'>>): void {
    for (const [name, value] of Object.entries(changes)) this.#put(name, (liked) => ({ ...liked, [name]: value }))
  }

  /** The memory of a place. */
  ofPlace(name: string): unknown {
    const { places } = this.#liked.value
    return own(places, name)
  }

  setPlace(name: string, value: unknown): void {
    this.#put(`places.${name}`, (liked) => ({ ...liked, places: { ...liked.places, [name]: value } }))
  }

  #put(name: string, change: Change): void {
    this.#liked.value = change(this.#liked.peek())
    this.#keep()
    this.#stopSaving()
    // Before the first read, preferences stay local: a write would lose members of other clients.
    if (!this.#isLoaded) return
    this.#unsaved.set(name, change)
    this.#stopSaving = this.#browser.after(SAVING, () => void this.#save().catch(() => undefined))
  }

  #keep(): void {
    keep(this.#browser.shared, KEPT, { ...this.#liked.peek(), of: this.#userId })
  }

  /** Stores changed members only, because another tab or client may have stored others meanwhile. */
  async #save(): Promise<void> {
    const changes = [...this.#unsaved]
    await this.#write(async () => {
      const { body: stored } = await this.#call('GET /api/v1/me/preferences')
      let liked = readLiked(stored['console'], this.#browser.spoken)
      for (const [, change] of changes) liked = change(liked)
      return this.#call('PUT /api/v1/me/preferences', { body: { ...stored, console: liked } })
    })
    for (const [name, change] of changes) if (this.#unsaved.get(name) === change) this.#unsaved.delete(name)
  }
}

/** Accepts any stored value: an invalid member gets its default. */
function readLiked(stored: unknown, spoken: readonly Language[]): Liked {
  const { places, ...given } = (typeof stored === 'object' ? (stored ?? {}) : {}) as Partial<Liked>
  return {
    language: spoken.find((language) => language === given.language),
    theme: THEMES.find((theme) => theme === given.theme) ?? 'auto',
    density: DENSITIES.find((density) => density === given.density) ?? 'normal',
    letterKeys: given.letterKeys !== false,
    isFolded: given.isFolded === true,
    places: typeof places === 'object' && places !== null ? places : {},
  }
}
