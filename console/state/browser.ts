// The interface to the browser, so that the state runs and is tested without a browser.
import type { OnProgress } from '../api/progress.ts'
import { PREFIX } from './prefix.ts'

export interface KeptText {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
  key(index: number): string | null
  readonly length: number
}

export interface Channel {
  tell(message: unknown): void
  listen(listener: (message: unknown) => void): void
}

export interface Timers {
  /** Milliseconds since 1970. */
  now(this: void): number
  /** Runs `work` after so many milliseconds; returns a function that cancels it. */
  after(milliseconds: number, work: () => void): () => void
}

/** The tab's history of addresses. */
interface TabHistory {
  readonly state: unknown
  pushState(state: unknown, unused: string, url: string): void
  replaceState(state: unknown, unused: string, url?: string): void
  back(): void
}

export interface Browser extends Timers {
  fetch(this: void, input: string, init: RequestInit, onProgress?: OnProgress): Promise<Response>
  /** Storage that all tabs share. */
  readonly shared: KeptText
  /** Storage of this tab. */
  readonly own: KeptText
  readonly history: TabHistory
  /** A number from 0 up to 1, exclusive. */
  random: () => number
  readonly languages: readonly string[]
  /** The languages of the console. */
  readonly spoken: readonly string[]
  readonly isMac: boolean
  /** Path and query of the address bar. */
  address(): string
  openChannel(name: string): Channel
  isHidden(): boolean
  /** Reloads the page. */
  reload(): void
  /** Listens to an event of the page; returns a function that stops listening. */
  on(what: PageEvent, listener: () => void): () => void
}

/** `input`: the user uses keyboard or pointer. */
export type PageEvent = 'hide' | 'leave' | 'show' | 'online' | 'travel' | 'input'

/** Stores a text; a full or blocked storage is no error. */
export function keep(place: KeptText, key: string, value: unknown): boolean {
  try {
    place.setItem(PREFIX + key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

/** Returns the stored value; undefined: it is absent or damaged. */
export function kept(place: KeptText, key: string): unknown {
  try {
    const text = place.getItem(PREFIX + key)
    return text === null ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

export function forget(place: KeptText, key: string): void {
  try {
    place.removeItem(PREFIX + key)
  } catch {
    // A blocked storage stores nothing.
  }
}

/** Stored keys with this prefix. */
export function keysWith(place: KeptText, prefix: string): string[] {
  try {
    const keys = Array.from({ length: place.length }, (_, index) => place.key(index) ?? '')
    return keys.filter((key) => key.startsWith(PREFIX + prefix)).map((key) => key.slice(PREFIX.length))
  } catch {
    return []
  }
}
