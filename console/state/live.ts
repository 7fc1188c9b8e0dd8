// Changes made elsewhere while a page is open. At most two tabs of a browser long-poll; other tabs poll every five
// seconds, hidden tabs never. A browser has only six connections to a host. Contract 3 §3 (`/changes`).
import { signal, type ReadonlySignal } from '@preact/signals'
import type { Call } from '../api/call.ts'
import { isAborted } from '../api/failures.ts'
import { type Browser, forget, keep, kept } from './browser.ts'

const WAIT = 25
const ASKING = 5000
const AFTER_FAILURE = 10_000
/** Pause after an answer with changes: under heavy writing, each answer then has many changes. */
const AFTER_CHANGES = 1000
/** Pause after a jump: the changes of a job that writes at full speed are followed in steps. */
const AFTER_JUMP = 3000
/**
 * The most changes of one answer. After a full answer, later changes would arrive too late, so the page jumps over
 * them.
 */
const MOST = 200
const SEATS = ['pimlet-live-0', 'pimlet-live-1']
/** Milliseconds without a sign of life after which a tab loses its seat: one wait, and the time of its answer. */
const HELD = (WAIT + 5) * 1000

export interface LiveChange {
  readonly entityId: string
  readonly entityType: string
  readonly action: string
  readonly timestamp: string
  /** Undefined: the user may not read the trail. */
  readonly userId: string | undefined
}

/** @param isCut whether more records changed than the changes name */
type Listener = (changes: readonly LiveChange[], isCut: boolean) => void

export class Live {
  readonly #browser: Browser
  readonly #call: Call
  readonly #tab: string
  readonly #listeners = new Set<Listener>()
  readonly #isRunning = signal(false)
  #cursor: string | undefined
  #reading: AbortController | undefined
  #stopTimer: () => void = () => undefined
  readonly isRunning: ReadonlySignal<boolean> = this.#isRunning
  readonly #unread = signal(0)
  /** Unread notices of the user. */
  readonly unread: ReadonlySignal<number> = this.#unread

  constructor(browser: Browser, call: Call) {
    this.#browser = browser
    this.#call = call
    this.#tab = browser.random().toString(36).slice(2)
  }

  /** Follows changes from now on. Called once. */
  start(): void {
    this.#isRunning.value = true
    this.#browser.on('hide', () => this.#rest())
    this.#browser.on('leave', () => this.#rest())
    this.#browser.on('show', () => this.#plan(0))
    this.#plan(0)
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Notes the answer of a request that changed the number. */
  noteUnread(unread: number): void {
    this.#unread.value = unread
  }

  #plan(milliseconds: number): void {
    this.#stopTimer()
    if (this.#browser.isHidden()) return
    this.#stopTimer = this.#browser.after(milliseconds, () => void this.#ask())
  }

  async #ask(): Promise<void> {
    if (this.#reading !== undefined) return
    const reading = new AbortController()
    this.#reading = reading
    const isSeated = this.#sit()
    let pause = isSeated ? 0 : ASKING
    try {
      const count = await this.#read(reading.signal, isSeated)
      if (count > 0) pause = Math.max(pause, count < MOST ? AFTER_CHANGES : AFTER_JUMP)
    } catch (error) {
      if (isAborted(error)) return
      pause = AFTER_FAILURE
    } finally {
      if (this.#reading === reading) this.#reading = undefined
    }
    this.#plan(pause)
  }

  /** Returns the number of changes; `MOST`: more follow. */
  async #read(stop: AbortSignal, isSeated: boolean): Promise<number> {
    const known = this.#cursor
    const wait = isSeated && known !== undefined ? { wait: WAIT } : {}
    const page = await this.#page(known ?? 'latest', stop, wait)
    const isCut = known !== undefined && page.items.length >= MOST
    const end = isCut ? await this.#page('latest', stop) : page
    // The model has few changes, and each is important, so they are read anyway. Changes after `end` come twice.
    const ofModel = isCut ? await this.#page(page.cursor, stop, { entityType: 'model' }) : undefined
    this.#cursor = end.cursor
    this.noteUnread(page.unread ?? 0)
    if (known === undefined || page.items.length === 0) return 0
    const changes = [...page.items, ...(ofModel?.items ?? [])].map(toChange)
    for (const listener of this.#listeners) listener(changes, isCut)
    return page.items.length
  }

  async #page(after: string, stop: AbortSignal, more: { readonly wait?: number; readonly entityType?: 'model' } = {}) {
    const unread = this.#unread.peek()
    const query = { after, entityType: 'record,model', limit: MOST, unread, ...more } as const
    return (await this.#call('GET /api/v1/changes', { query, signal: stop })).body
  }

  /** Takes a free seat, or keeps its own. */
  #sit(): boolean {
    const now = this.#browser.now()
    const isMine = (seat: string) => (kept(this.#browser.shared, seat) as Seat | undefined)?.tab === this.#tab
    const isFree = (seat: string) => ((kept(this.#browser.shared, seat) as Seat | undefined)?.until ?? 0) < now
    const seat = SEATS.find(isMine) ?? SEATS.find(isFree)
    return seat !== undefined && keep(this.#browser.shared, seat, { tab: this.#tab, until: now + HELD })
  }

  #rest(): void {
    this.#stopTimer()
    this.#reading?.abort()
    this.#reading = undefined
    for (const seat of SEATS)
      if ((kept(this.#browser.shared, seat) as Seat | undefined)?.tab === this.#tab) forget(this.#browser.shared, seat)
  }
}

interface Seat {
  readonly tab: string
  readonly until: number
}

function toChange(item: object): LiveChange {
  const { entityId = '', entityType = 'record', action = '', timestamp = '', userId } = item as Partial<LiveChange>
  return { entityId, entityType, action, timestamp, userId }
}
