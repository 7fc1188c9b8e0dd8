// What was read, by a key: shown at once when a screen comes back, and read anew behind it. The content of before stays while
// something is read; who shows it says so by `isBusy`.
import { batch, type ReadonlySignal, signal } from '@preact/signals'
import { isAborted, isPassing } from '../api/failures.ts'

/** Milliseconds in which what was read is not read again without need. */
const FRESH = 5000
/** How many answers are kept that no screen shows. */
const KEPT = 60

export interface Query<Value> {
  readonly key: string
  readonly data: ReadonlySignal<Value | undefined>
  /** Of the last reading, where it failed; the data of before stay. */
  readonly error: ReadonlySignal<Error | undefined>
  readonly isBusy: ReadonlySignal<boolean>
  /** How often what it shows has changed elsewhere since it was read. */
  readonly changes: ReadonlySignal<number>
  /** Reads it anew. */
  refresh(): Promise<void>
  /** Puts another value in its place, as an answer to a write gives it. */
  put(value: Value): void
}

type Load<Value> = (signal: AbortSignal) => Promise<Value>

export class Cache {
  readonly #entries = new Map<string, Entry<unknown>>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** The same for the same key; `load` of the last who asked is used. */
  query<Value>(key: string, load: Load<Value>): Query<Value> {
    const known = this.#entries.get(key) as Entry<Value> | undefined
    const entry = known ?? new Entry<Value>(key, load, this.#now)
    entry.load = load
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry
  }

  /** A screen shows it: it is read where it is not fresh. The answer ends that, and with the last one its reading. */
  show(query: Query<unknown>): () => void {
    const entry = query as Entry<unknown>
    entry.shown += 1
    if (!entry.isFresh(FRESH)) void entry.refresh()
    return () => {
      entry.shown -= 1
      if (entry.shown === 0) entry.abort()
      this.#drop()
    }
  }

  /** Something changed elsewhere: what shows it may say so, what nobody shows is read when it is shown. */
  markChanged(isConcerned: (key: string) => boolean = () => true): void {
    for (const entry of this.#entries.values()) if (isConcerned(entry.key)) entry.noteChange()
  }

  /** Reads anew what is shown by keys that begin so, after a write of this page. */
  refreshAll(begin: string): void {
    for (const entry of this.#entries.values()) {
      if (!entry.key.startsWith(begin)) continue
      if (entry.shown > 0) void entry.refresh()
      else entry.readAt = Number.NEGATIVE_INFINITY
    }
  }

  /**
   * Deletes what is shown by this key, and by those that go on behind it: they are not read meanwhile, nor afterwards, for there is
   * nothing to find.
   * @throws what `work` throws
   */
  async deleting(key: string, work: () => Promise<unknown>): Promise<void> {
    const concerned = [...this.#entries.values()].filter((entry) => `${entry.key} `.startsWith(`${key} `))
    for (const entry of concerned) entry.hold()
    try {
      await work()
      for (const entry of concerned) this.#entries.delete(entry.key)
    } catch (error) {
      for (const entry of concerned) entry.isHeld = false
      this.refreshAll(key)
      throw error
    }
  }

  /** What could not be read while the server did not answer. */
  refreshFailed(): void {
    for (const entry of this.#entries.values())
      if (entry.shown > 0 && isPassing(entry.error.peek())) void entry.refresh()
  }

  #drop(): void {
    const unseen = [...this.#entries.values()].filter(({ shown }) => shown === 0)
    for (const { key } of unseen.slice(0, Math.max(0, unseen.length - KEPT))) this.#entries.delete(key)
  }
}

class Entry<Value> implements Query<Value> {
  readonly key: string
  readonly data = signal<Value | undefined>(undefined)
  readonly error = signal<Error | undefined>(undefined)
  readonly isBusy = signal(false)
  readonly changes = signal(0)
  load: Load<Value>
  shown = 0
  readAt = Number.NEGATIVE_INFINITY
  isHeld = false
  readonly #now: () => number
  #reading: AbortController | undefined
  /** Changes while it was read for the first time: the answer may be of before. */
  #early = 0

  constructor(key: string, load: Load<Value>, now: () => number) {
    this.key = key
    this.load = load
    this.#now = now
  }

  isFresh(milliseconds: number): boolean {
    return this.#reading !== undefined || this.#now() - this.readAt < milliseconds
  }

  async refresh(): Promise<void> {
    if (this.isHeld) return
    this.#reading?.abort()
    const reading = new AbortController()
    this.#reading = reading
    this.isBusy.value = true
    const seen = this.changes.peek()
    try {
      const value = await this.load(reading.signal)
      if (this.#reading === reading) this.#arrive(value, seen)
    } catch (error) {
      if (this.#reading === reading && !isAborted(error)) this.error.value = error as Error
    } finally {
      if (this.#reading === reading) {
        this.#reading = undefined
        this.isBusy.value = false
      }
    }
  }

  put(value: Value): void {
    this.#arrive(value, this.changes.peek())
  }

  noteChange(): void {
    this.readAt = Number.NEGATIVE_INFINITY
    if (this.data.peek() !== undefined) this.changes.value += 1
    else if (this.#reading !== undefined) this.#early += 1
  }

  /** Gives up its reading, and reads no more. */
  hold(): void {
    this.isHeld = true
    this.abort()
  }

  abort(): void {
    this.#reading?.abort()
    this.#reading = undefined
    this.isBusy.value = false
  }

  /** @param seen changes that the value has regarded */
  #arrive(value: Value, seen: number): void {
    batch(() => {
      this.data.value = value
      this.error.value = undefined
      this.changes.value = Math.max(0, this.changes.peek() - seen) + this.#early
      this.#early = 0
    })
    this.readAt = this.#now()
  }
}
