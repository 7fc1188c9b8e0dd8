// What the console needs of a browser, handed to it: so its state runs, and is tested, without one.
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
  /** Runs `work` after so many milliseconds; the answer takes it back. */
  after(milliseconds: number, work: () => void): () => void
}

/** The addresses that the tab has been to. */
interface TabHistory {
  readonly state: unknown
  pushState(state: unknown, unused: string, url: string): void
  replaceState(state: unknown, unused: string, url?: string): void
  back(): void
}

export interface Browser extends Timers {
  fetch(this: void, input: string, init: RequestInit): Promise<Response>
  /** Of all tabs. */
  readonly shared: KeptText
  /** Of this tab. */
  readonly own: KeptText
  readonly history: TabHistory
  /** From 0 up to 1. */
  random: () => number
  readonly languages: readonly string[]
  readonly isMac: boolean
  /** Path with query, as the address bar has it. */
  address(): string
  openChannel(name: string): Channel
  isHidden(): boolean
  /** Loads the page anew. */
  reload(): void
  /** Calls back when something happened to the page; the answer ends it. */
  on(what: PageEvent, listener: () => void): () => void
}

/** `input`: somebody uses keyboard or pointer. */
export type PageEvent = 'hide' | 'leave' | 'show' | 'online' | 'travel' | 'input'

/** Text that may not be kept, where the browser's storage is full or closed, is not kept. */
export function keep(place: KeptText, key: string, value: unknown): boolean {
  try {
    place.setItem(PREFIX + key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

/** What was kept, unless it is gone or spoilt. */
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
    // Closed: nothing was kept, either.
  }
}

/** Keys of a place that begin so. */
export function keysWith(place: KeptText, prefix: string): string[] {
  try {
    const keys = Array.from({ length: place.length }, (_, index) => place.key(index) ?? '')
    return keys.filter((key) => key.startsWith(PREFIX + prefix)).map((key) => key.slice(PREFIX.length))
  } catch {
    return []
  }
}
