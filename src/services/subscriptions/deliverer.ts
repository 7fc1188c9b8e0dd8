// Tells subscribers what happens: one pump for each subscription that is active, and nothing at all where there is none.
// Contract 3 §6.
import type { EntryHead } from '../../domain/events/event-type.ts'
import { REDELIVERY, type RedeliveryLimits } from '../../domain/events/redelivery.ts'
import type { Log } from '../../observing/log.ts'
import type { Store } from '../../storage/port.ts'
import type { Lease } from '../../storage/run-port.ts'
import type { System } from '../../machine/system.ts'
import { EventRoom } from './event-room.ts'
import type { EventSender, SecretKeeper } from './event-sender.ts'
import { Pump, type PumpDeps } from './pump.ts'

export interface DelivererDeps {
  readonly store: Store
  readonly system: System
  readonly log: Log
  readonly sender: EventSender
  readonly secrets: SecretKeeper
  readonly limits?: Partial<RedeliveryLimits> | undefined
}

/** Milliseconds in which commits are gathered before anybody looks at them. */
const GATHERED = 10
/** Heads that are read at once. */
const HEADS = 500
/** Milliseconds that requests under way get at a stop. */
const GRACE = 5000
const LEASE = 'subscriptions'

export class Deliverer {
  readonly #deps: DelivererDeps
  readonly #pumpDeps: PumpDeps
  readonly #pumps = new Map<string, Pump>()
  /** Since the last commit, by the place that they come after. */
  readonly #heads = new Map<number, Promise<readonly EntryHead[]>>()
  #gathering: NodeJS.Timeout | undefined
  #leading: Promise<Lease> | undefined
  #isStarted = false
  #isStopped = false

  constructor(deps: DelivererDeps) {
    this.#deps = deps
    const headsAfter = (sequence: number): Promise<readonly EntryHead[]> => this.#headsAfter(sequence)
    this.#pumpDeps = { ...deps, limits: { ...REDELIVERY, ...deps.limits }, room: new EventRoom(), headsAfter }
  }

  async start(): Promise<void> {
    this.#isStarted = true
    for (const { subscription } of await this.#deps.store.read.subscriptions.list())
      if (subscription.active) this.watch(subscription.id)
  }

  /** To be called after what is stored of a subscription has changed. */
  watch(id: string): void {
    if (!this.#isStarted || this.#isStopped) return
    const pump = this.#pumps.get(id)
    if (pump === undefined) void this.#lead(id)
    else pump.refresh()
  }

  /** Something was committed. */
  wake(): void {
    if (this.#pumps.size === 0) return
    this.#heads.clear()
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      for (const pump of this.#pumps.values()) pump.wake()
    }, GATHERED)
  }

  /** Resolves when nothing is under way any more. What was not answered in time is sent again after the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#gathering)
    const pumps = [...this.#pumps.values()]
    for (const pump of pumps) pump.stop()
    const cutting = setTimeout(() => pumps.forEach((pump) => pump.cut()), GRACE)
    await Promise.all(pumps.map((pump) => pump.done))
    clearTimeout(cutting)
    if (this.#leading !== undefined) (await this.#leading.catch(() => undefined))?.release()
  }

  async #lead(id: string): Promise<void> {
    try {
      this.#leading ??= this.#deps.store.leases.hold(LEASE)
      const { signal } = await this.#leading
      if (this.#isStopped || signal.aborted || this.#pumps.has(id)) return
      this.#begin(id)
    } catch (error) {
      if (!this.#isStopped) this.#deps.log.error({ err: error }, 'events cannot be delivered')
    }
  }

  #begin(id: string): void {
    const pump = new Pump(this.#pumpDeps, id)
    this.#pumps.set(id, pump)
    void pump.done.then(() => this.#end(id))
  }

  /** One that was resumed in the moment in which it ended begins again. */
  async #end(id: string): Promise<void> {
    this.#pumps.delete(id)
    if (this.#isStopped) return
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
