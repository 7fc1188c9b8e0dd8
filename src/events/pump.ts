// Delivers the events of one subscription, one request after another, until the subscription is paused or deleted. A delivery is
// stored before it is sent, so it keeps its ID if the server dies. Contract 3 §6, 3 §10.
import { PimletError } from '../kernel/errors.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Gate } from '../kernel/gate.ts'
import type { Log } from '../kernel/observing/log.ts'
import type { Store } from '../store/port.ts'
import type { ReadEvent, StoredSubscription } from '../store/subscription-port.ts'
import { asTold, toBody } from './event-body.ts'
import { EventReader } from './event-reader.ts'
import type { EventSender } from './sender.ts'
import type { SecretBox } from '../kernel/secrets/secret-box.ts'
import { type EntryHead, isWanted } from './rules/event-type.ts'
import { afterDelivery, isDelivered, type RedeliveryLimits } from './rules/redelivery.ts'
import { MAX_BATCH, type PendingDelivery, type SubscriptionState } from './rules/subscription.ts'
import { pauseFor, saveState, settle } from './settling.ts'
import { openTarget } from './subscription-secrets.ts'

export interface PumpDeps {
  readonly store: Store
  readonly system: System
  readonly log: Log
  readonly sender: EventSender
  readonly secrets: SecretBox
  readonly limits: RedeliveryLimits
  /** Common to all. */
  readonly room: Gate
  /** Heads of the feed after a place, for all subscriptions at that place. */
  readonly headsAfter: (sequence: number) => Promise<readonly EntryHead[]>
}

/** Unwanted entries after which the position is stored. */
const STORED_EVERY = 1000
/** Milliseconds to the next try, where storage was full or not to be read. */
const RETRY = 5000

/** The events to send, and events read ahead. */
interface Batch {
  readonly pending: PendingDelivery
  readonly events: readonly ReadEvent[]
}

export class Pump {
  /** Resolves when it has ended; never rejects. */
  readonly done: Promise<void>
  readonly #deps: PumpDeps
  readonly #id: string
  /** Ends the wait for something to send. */
  readonly #news = new Waiting()
  /** Ends the wait for the next attempt, which commits do not: each attempt is stored, which is a commit itself. */
  readonly #changes = new Waiting()
  /** Aborted when nothing more is begun. */
  readonly #stopping = new AbortController()
  /** The attempt that was waited for last. */
  #rested: string | undefined
  /** Aborts open requests, too. */
  readonly #cut = new AbortController()
  readonly #reader: EventReader
  /** Read, and not sent yet: right after the cursor. */
  #queue: readonly ReadEvent[] = []
  /** Up to here nothing is wanted but the queue. */
  #position = 0

  constructor(deps: PumpDeps, id: string) {
    this.#deps = deps
    this.#id = id
    this.#reader = new EventReader(deps.store, deps.system, deps.room)
    this.done = this.#run()
  }

  /** Something was committed. */
  wake(): void {
    this.#news.end()
  }

  /** Call it after the stored subscription has changed. */
  refresh(): void {
    this.#forget()
    this.#end()
  }

  /** Begins nothing more. */
  stop(): void {
    this.#stopping.abort()
    this.#end()
  }

  /** Also ends the open request; its events are sent again. */
  cut(): void {
    this.stop()
    this.#cut.abort()
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  #end(): void {
    this.#news.end()
    this.#changes.end()
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      // The stored subscription is read now, with all changes until here.
      this.#changes.forget()
      try {
        const stored = await this.#deps.store.read.subscriptions.get(this.#id)
        if (stored?.subscription.active !== true) return
        await this.#step(stored)
      } catch (error) {
        if (this.#isStopping) return
        this.#reader.release()
        await this.#deal(error)
      } finally {
        this.#reader.release()
      }
    }
  }

  async #deal(error: unknown): Promise<void> {
    const { log, store, system } = this.#deps
    this.#forget()
    const isOfSubscription =
      error instanceof PimletError && (error.code === 'VALIDATION_ERROR' || error.code === 'PERMISSION_DENIED')
    try {
      if (isOfSubscription) {
        log.warn({ subscriptionId: this.#id }, `a subscription is paused: ${error.message}`)
        const code = error.code === 'PERMISSION_DENIED' ? 'OWNER' : 'INVALID'
        await store.transaction((tx) => pauseFor(tx, system, this.#id, { code, message: error.message }))
        return
      }
    } catch (cause) {
      log.warn({ err: cause, subscriptionId: this.#id }, 'a subscription could not be paused')
    }
    log.warn({ err: error, subscriptionId: this.#id }, 'events could not be delivered now; it is tried again')
    await this.#changes.begin(RETRY)
  }

  async #step(stored: StoredSubscription): Promise<void> {
    const { nextAttemptAt, pending } = stored.state
    if (nextAttemptAt !== null && nextAttemptAt !== this.#rested) {
      // Rests once only, even if the clock is set back.
      this.#rested = nextAttemptAt
      const left = Date.parse(nextAttemptAt) - this.#deps.system.now().getTime()
      return this.#changes.begin(Math.min(this.#deps.limits.maxBackoff, Math.max(0, left)))
    }
    const batch = pending === null ? await this.#begin(stored) : await this.#again(stored, pending)
    for (let next = batch; next !== undefined;) next = await this.#deliver(stored, next)
  }

  /** Reads the events of an earlier delivery again: only those events, if they are still wanted. */
  async #again(stored: StoredSubscription, pending: PendingDelivery): Promise<Batch | undefined> {
    this.#forget()
    const { through } = pending
    const events = await this.#reader.readAgain(stored, pending, this.#stopping.signal)
    if (events.length > 0) return { pending, events }
    await this.#save((state) => (state.pending?.id === pending.id ? afterDelivery(state, through) : undefined))
    return undefined
  }

  async #begin(stored: StoredSubscription): Promise<Batch | undefined> {
    const { cursor } = stored.state
    if (this.#queue.length === 0 && !(await this.#fill(stored))) return undefined
    const batch = this.#take(stored)
    const saved = await this.#save((state) =>
      state.cursor === cursor && state.pending === null
        ? { ...state, cursor: batch.events[0]!.sequence - 1, pending: batch.pending }
        : undefined,
    )
    if (saved) return batch
    this.#forget()
    return undefined
  }

  /** Resolves to whether there is something to send. Where there is nothing it waits. */
  async #fill(stored: StoredSubscription): Promise<boolean> {
    const { subscription, state } = stored
    this.#position = Math.max(this.#position, state.cursor)
    for (;;) {
      const heads = await this.#deps.headsAfter(this.#position)
      const wanted = heads.find((head) => isWanted(head, subscription))
      if (wanted !== undefined) {
        this.#position = wanted.sequence - 1
        break
      }
      if (heads.length === 0) {
        await this.#storePlace(stored)
        await this.#news.begin()
        return false
      }
      this.#position = heads.at(-1)!.sequence
      if (this.#isStopping) return false
    }
    const page = await this.#reader.read(stored, { after: this.#position, limit: MAX_BATCH }, this.#stopping.signal)
    this.#position = page.through
    this.#queue = page.events
    if (page.events.length === 0) await this.#storePlace(stored)
    return page.events.length > 0
  }

  /** Stores the position in the feed, so that a start does not read all unwanted entries again. */
  async #storePlace({ state }: StoredSubscription): Promise<void> {
    const position = this.#position
    if (position - state.cursor < STORED_EVERY) return
    await this.#save((present) =>
      present.cursor === state.cursor && present.pending === null ? { ...present, cursor: position } : undefined,
    )
  }

  #take({ subscription }: StoredSubscription): Batch {
    const events = this.#queue.slice(0, subscription.batchSize)
    this.#queue = this.#queue.slice(events.length)
    const sequences = events.map(({ sequence }) => sequence)
    const pending = { id: this.#deps.system.newId('dlv'), through: sequences.at(-1)!, sequences, attempts: 0 }
    return { events, pending }
  }

  /** Resolves to the next delivery, which is already stored, if any events are read. */
  async #deliver(stored: StoredSubscription, { pending, events }: Batch): Promise<Batch | undefined> {
    const { sender, secrets, system, store, limits, log } = this.#deps
    const { subscription } = stored
    if (!(await this.#reader.isAsRead(stored))) {
      // The rights of the owner have changed: the events are read again.
      this.#forget()
      return undefined
    }
    const told = events.map(asTold)
    const body = toBody(told, subscription.batchSize > 1 || events.length > 1)
    const request = { subscriptionId: this.#id, deliveryId: pending.id, body }
    const began = performance.now()
    const attempted = await sender.send(openTarget(secrets, subscription), request, this.#cut.signal)
    const durationMs = Math.round(performance.now() - began)
    const isNext = isDelivered(attempted) && this.#queue.length > 0 && !this.#isStopping
    const next = isNext ? this.#take(stored) : undefined
    const random = system.randomBytes(4).readUInt32BE() / 2 ** 32
    const outcome = { started: stored.state, pending, attempted, durationMs, next: next?.pending }
    const settled = await store.transaction((tx) => settle(tx, { system, limits, random }, this.#id, outcome))
    if (settled.pausedReason !== null)
      log.warn({ subscriptionId: this.#id }, `a subscription is paused: ${settled.pausedReason.message}`)
    if (settled.goesOn) return next
    this.#forget()
    return undefined
  }

  #save(decide: (state: SubscriptionState) => SubscriptionState | undefined): Promise<boolean> {
    return this.#deps.store.transaction((tx) => saveState(tx, this.#id, decide))
  }

  #forget(): void {
    this.#queue = []
    this.#position = 0
  }
}

class Waiting {
  #isEnded = false
  #end: (() => void) | undefined

  /** There may be something to do. */
  end(): void {
    this.#isEnded = true
    this.#end?.()
  }

  /** Drops an `end` that no wait has met. */
  forget(): void {
    this.#isEnded = false
  }

  /** Resolves after `end`, or after so many milliseconds. */
  async begin(milliseconds?: number): Promise<void> {
    if (!this.#isEnded)
      await new Promise<void>((resolve) => {
        const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds)
        this.#end = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    this.#isEnded = false
    this.#end = undefined
  }
}
