// Delivers events: one pump for each active subscription, and no work without subscriptions. Of several servers, one delivers.
// Contract 3 §6.
import type { EntryHead } from './rules/event-type.ts'
import { REDELIVERY, type RedeliveryLimits } from './rules/redelivery.ts'
import { Gate } from '../kernel/gate.ts'
import type { Log } from '../kernel/observing/log.ts'
import { Leading } from '../store/leading.ts'
import type { Store } from '../store/port.ts'
import type { Lease } from '../store/run-port.ts'
import type { System } from '../kernel/machine/system.ts'
import { createEventSender, type EventSender } from './sender.ts'
import { createSecretBox, type SecretBox } from '../kernel/secrets/secret-box.ts'
import type { GuardedNetwork } from '../kernel/egress/network.ts'
import type { DataDirectory } from '../kernel/machine/data-directory.ts'
import type { ChangeBell } from '../core/feed/change-bell.ts'
import { Pump, type PumpDeps } from './pump.ts'

interface DelivererDeps {
  readonly store: Store
  readonly system: System
  readonly log: Log
  readonly sender: EventSender
  readonly secrets: SecretBox
  readonly limits?: Partial<RedeliveryLimits> | undefined
}

/** Milliseconds in which commits are gathered before anybody looks at them. */
const GATHERED = 10
/** Heads that are read at once. */
const HEADS = 500
/** Milliseconds that requests under way get at a stop. */
const GRACE = 5000
/** Milliseconds in which news from other servers is gathered before the subscriptions are read again. */
const LOOK_AFTER = 200
/** Bytes of all large events that are being delivered: receivers that take little, or never answer, hold no more of the memory. */
const ROOM_FOR_EVENTS = 64 * 1024 ** 2

interface Running {
  readonly pump: Pump
  /** Identifies the version of the subscription that the pump knows. */
  readonly print: string
}

export class Deliverer {
  readonly #deps: DelivererDeps
  readonly #leading: Leading
  readonly #pumps = new Map<string, Running>()
  /** Heads read since the last commit, by the place in the feed after which they come. */
  readonly #heads = new Map<number, Promise<readonly EntryHead[]>>()
  #gathering: NodeJS.Timeout | undefined
  #looking: NodeJS.Timeout | undefined
  /** Undefined: another server delivers. */
  #pumpDeps: PumpDeps | undefined
  /** Whether this server takes over as soon as no other server delivers. */
  #isWaiting = false
  #isStarted = false
  #isStopped = false

  constructor(deps: DelivererDeps) {
    this.#deps = deps
    this.#leading = new Leading(deps.store, {
      name: 'subscriptions',
      begin: (store, lease) => this.#begin(store, lease),
      onFault: (error) => deps.log.error({ err: error }, 'events cannot be delivered'),
    })
  }

  async start(): Promise<void> {
    this.#isStarted = true
    await this.#look()
  }

  /** Call it after a stored subscription has changed. */
  watch(id: string): void {
    if (!this.#isStarted || this.#isStopped) return
    const running = this.#pumps.get(id)
    if (running !== undefined) running.pump.refresh()
    else if (this.#pumpDeps !== undefined) this.#pump(id, '')
    else this.#wait()
  }

  /** Something was committed. */
  wake(): void {
    if (this.#pumps.size === 0) return
    this.#heads.clear()
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      for (const { pump } of this.#pumps.values()) pump.wake()
    }, GATHERED)
  }

  /** Another server has committed something. `mayBeFirst`: perhaps the first subscription. */
  hear(mayBeFirst: boolean): void {
    const isConcerned = this.#pumpDeps !== undefined || (mayBeFirst && !this.#isWaiting)
    if (!this.#isStarted || this.#isStopped || !isConcerned) return
    this.#looking ??= setTimeout(() => {
      this.#looking = undefined
      this.#look().catch((error: unknown) => {
        if (!this.#isStopped) this.#deps.log.warn({ err: error }, 'subscriptions could not be looked at')
      })
    }, LOOK_AFTER).unref()
  }

  /** Resolves when no request is open. Unanswered events are sent again after the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#gathering)
    clearTimeout(this.#looking)
    const pumps = this.#present()
    for (const pump of pumps) pump.stop()
    const cutting = setTimeout(() => pumps.forEach((pump) => pump.cut()), GRACE)
    await Promise.all(pumps.map((pump) => pump.done))
    clearTimeout(cutting)
    this.#leading.stop()
  }

  #present(): Pump[] {
    return [...this.#pumps.values()].map(({ pump }) => pump)
  }

  /** Competes for the delivery if there is an active subscription. */
  #wait(): void {
    this.#isWaiting = true
    void this.#leading.start()
  }

  async #begin(store: Store, { signal }: Lease): Promise<void> {
    // Pumps of an earlier term may still be ending.
    await Promise.all(this.#present().map((pump) => pump.done))
    const { limits } = this.#deps
    const headsAfter = (sequence: number): Promise<readonly EntryHead[]> => this.#headsAfter(sequence)
    this.#pumpDeps = {
      ...this.#deps,
      store,
      limits: { ...REDELIVERY, ...limits },
      room: new Gate({ size: ROOM_FOR_EVENTS }),
      headsAfter,
    }
    const lose = (): void => {
      this.#pumpDeps = undefined
      for (const pump of this.#present()) pump.cut()
    }
    signal.addEventListener('abort', lose, { once: true })
    await this.#look()
  }

  /** Starts missing pumps, and refreshes pumps whose subscription changed. */
  async #look(): Promise<void> {
    const stored = await this.#deps.store.read.subscriptions.list()
    if (this.#isStopped) return
    const active = stored.filter(({ subscription }) => subscription.active)
    if (this.#pumpDeps === undefined) {
      if (active.length > 0) this.#wait()
      return
    }
    for (const { subscription, state } of stored) {
      const { id } = subscription
      const print = JSON.stringify([subscription, state.epoch, state.edition])
      const running = this.#pumps.get(id)
      if (running?.print === print) continue
      if (running === undefined && !subscription.active) continue
      if (running === undefined) this.#pump(id, print)
      else {
        this.#pumps.set(id, { pump: running.pump, print })
        running.pump.refresh()
      }
    }
  }

  #pump(id: string, print: string): void {
    if (this.#pumpDeps === undefined || this.#pumps.has(id)) return
    const pump = new Pump(this.#pumpDeps, id)
    this.#pumps.set(id, { pump, print })
    void pump.done.then(() => this.#end(id))
  }

  /** A subscription that was resumed at the moment of its end begins again. */
  async #end(id: string): Promise<void> {
    this.#pumps.delete(id)
    if (this.#isStopped || this.#pumpDeps === undefined) return
    const stored = await this.#deps.store.read.subscriptions.get(id).catch(() => undefined)
    if (stored?.subscription.active === true) this.watch(id)
  }

  #headsAfter(sequence: number): Promise<readonly EntryHead[]> {
    let heads = this.#heads.get(sequence)
    if (heads === undefined) {
      heads = this.#deps.store.read.feed.headsAfter(sequence, HEADS)
      this.#heads.set(sequence, heads)
    }
    return heads
  }
}

/** Limits that tests change; `patience` in milliseconds. */
export type EventLimits = Partial<RedeliveryLimits> & { readonly patience?: number | undefined }

interface EventFoundation {
  readonly store: Store
  readonly directory: DataDirectory
  readonly network: GuardedNetwork
  readonly bell: ChangeBell
}

interface EventTools {
  readonly system: System
  readonly log: Log
  readonly limits: EventLimits | undefined
}

/** Nothing is delivered before `start`. */
export function prepareEvents(
  { store, directory, network, bell }: EventFoundation,
  { system, log, limits = {} }: EventTools,
): { readonly sender: EventSender; readonly secrets: SecretBox; readonly deliverer: Deliverer } {
  const { patience, ...redelivery } = limits
  const sender = createEventSender(network, { now: () => system.now(), patience })
  const secrets = createSecretBox(directory.encryptionKey, (count) => system.randomBytes(count))
  const deliverer = new Deliverer({ store, system, log, sender, secrets, limits: redelivery })
  bell.alsoTell = () => deliverer.wake()
  return { sender, secrets, deliverer }
}
