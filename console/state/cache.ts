// A cache of answers by key. A screen that returns shows the cached answer at once, and reads it again in the
// background. Old data stay during a read; `isBusy` reports the read.
import { batch, type ReadonlySignal, signal } from '@preact/signals'
import { isAborted, isPassing } from '../api/failures.ts'

/** Milliseconds in which a fresh answer is not read again. */
const FRESH = 5000
/** Number of cached answers that no screen shows. */
const KEPT = 60

export interface Query<Value> {
  readonly key: string
  readonly data: ReadonlySignal<Value | undefined>
  /** The error of the last read; older data stay. */
  readonly error: ReadonlySignal<Error | undefined>
  readonly isBusy: ReadonlySignal<boolean>
  /** Count of changes made elsewhere since the last read. */
  readonly changes: ReadonlySignal<number>
  /** Reads the value again. */
  refresh(): Promise<void>
  /** Replaces the value, for example with the answer to a write. */
  put(value: Value): void
}

type Load<Value> = (signal: AbortSignal) => Promise<Value>

export class Cache {
  readonly #entries = new Map<string, Entry<unknown>>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Returns the same query for the same key; the `load` of the last caller is used. */
  query<Value>(key: string, load: Load<Value>): Query<Value> {
    const known = this.#entries.get(key) as Entry<Value> | undefined
    const entry = known ?? new Entry<Value>(key, load, this.#now)
    entry.load = load
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry
  }

  /**
   * Called when a screen shows the query: reads it unless it is fresh. Returns a function to call when the screen
   * disappears; the last one aborts the read.
   */
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

  /** Marks queries as changed elsewhere. Shown queries can inform the user; other queries are read when they are shown. */
  markChanged(isConcerned: (key: string) => boolean = () => true): void {
    for (const entry of this.#entries.values()) if (isConcerned(entry.key)) entry.noteChange()
  }

  /** Reads shown queries with this prefix again, after a write of this page. */
  refreshAll(begin: string): void {
    for (const entry of this.#entries.values()) {
      if (!entry.key.startsWith(begin)) continue
      if (entry.shown > 0) void entry.refresh()
      else entry.readAt = Number.NEGATIVE_INFINITY
    }
  }

  /**
   * Deletes the object of this key. Queries of this key, and of longer keys, are not read during or after the deletion:
   * the server would answer 404. @throws the errors of `work`
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

  /** Reads queries again that failed while the server did not answer. */
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
  /** The number of changes during the first read: the answer may be older. */
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

  /** Aborts the read, and prevents further reads. */
  hold(): void {
    this.isHeld = true
    this.abort()
  }

  abort(): void {
    this.#reading?.abort()
    this.#reading = undefined
    this.isBusy.value = false
  }

  /** @param seen changes that the value includes */
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
