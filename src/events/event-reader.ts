// Reads the events of one subscription, while the subscription fits the model and the rights of its owner. Contract 3 §6, 3 §12.
import { MAX_BATCH, type PendingDelivery, type Subscription } from './rules/subscription.ts'
import { asOwner } from '../core/accounts/rules/owner.ts'
import { assertMayTell, assertFits } from './rules/subscription-checks.ts'
import type { Role } from '../core/accounts/rules/permissions.ts'
import type { Model } from '../core/model/rules/model.ts'
import { isSameValue } from '../kernel/text.ts'
import { findOwner } from '../store/owners.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Store } from '../store/port.ts'
import type { EventPage, EventQuery, ReadEvent, StoredSubscription } from '../store/subscription-port.ts'
import type { Gate, Leave } from '../kernel/gate.ts'

type EventStore = Pick<Store, 'read' | 'fresh'>
type EventRange = Pick<EventQuery, 'after' | 'through' | 'limit'>

/** Bytes of events that need no room: many subscriptions may hold as many. */
const SMALL = 512 * 1024

export class EventReader {
  readonly #store: EventStore
  readonly #system: Pick<System, 'now'>
  readonly #room: Gate
  /** The owner's role at the last reading. */
  #role: Role | undefined
  /** Functions that free the shared memory budget. */
  readonly #leaves: Leave[] = []
  /** The model and the version of the subscription that were checked last. */
  #checked: { readonly model: Model; readonly updatedAt: string } | undefined

  constructor(store: EventStore, system: Pick<System, 'now'>, room: Gate) {
    this.#store = store
    this.#system = system
    this.#room = room
  }

  /**
   * Large events wait for the shared memory budget, and occupy it until `release`.
   * @throws VALIDATION_ERROR or PERMISSION_DENIED if the subscription no longer fits; UNAVAILABLE; the signal's reason
   */
  async read(stored: StoredSubscription, range: EventRange, signal: AbortSignal): Promise<EventPage> {
    const { events, schemaIds, selection } = stored.subscription
    for (const before = this.#leaves.length; ;) {
      const { model, role } = await this.#check(stored)
      const page = await this.#readInRoom({ role, events, schemaIds, selection, ...range }, signal)
      // The events may be newer than a change of the model. A selection that no longer fits finds nothing, and no error would be
      // reported.
      if ((await this.#store.read.model()) === model) {
        this.#role = role
        return page
      }
      this.#holdOnly(before)
    }
  }

  /** Whether the owner still may read everything that was read. @throws PERMISSION_DENIED, UNAVAILABLE */
  async isAsRead({ subscription }: StoredSubscription): Promise<boolean> {
    const role = await this.#roleFor(subscription)
    return this.#role !== undefined && isSameValue(role, this.#role)
  }

  /** The model that the subscription fits, and the role with whose rights it reads. */
  async #check({ subscription }: StoredSubscription): Promise<{ readonly model: Model; readonly role: Role }> {
    const role = await this.#roleFor(subscription)
    const model = await this.#store.read.model()
    const { updatedAt } = subscription
    if (this.#checked?.model !== model || this.#checked.updatedAt !== updatedAt) {
      assertFits(subscription, model)
      this.#checked = { model, updatedAt }
    }
    return { model, role }
  }

  /** The role of the owner. @throws PERMISSION_DENIED where the owner may not do it any more */
  async #roleFor(subscription: Subscription): Promise<Role> {
    await this.#store.fresh?.()
    const { role } = await findOwner(this.#store.read, this.#system.now(), subscription)
    const model = await this.#store.read.model()
    asOwner(subscription, () => assertMayTell(subscription, role, model))
    return role
  }

  /** Reads the events of a delivery that are still wanted. Throws the same as `read`. */
  async readAgain(
    stored: StoredSubscription,
    { through, sequences }: PendingDelivery,
    signal: AbortSignal,
  ): Promise<ReadEvent[]> {
    const places = sequences && new Set(sequences)
    const events: ReadEvent[] = []
    for (let after = stored.state.cursor; after < through && events.length < MAX_BATCH;) {
      const page = await this.read(stored, { after, through, limit: MAX_BATCH - events.length }, signal)
      events.push(...page.events.filter(({ sequence }) => places?.has(sequence) ?? true))
      // The audit trail no longer has the rest.
      if (page.through === after) break
      after = page.through
    }
    return events
  }

  /** Frees the memory of the events that were read. */
  release(): void {
    this.#holdOnly(0)
  }

  #holdOnly(count: number): void {
    for (const leave of this.#leaves.splice(count)) leave()
  }

  async #readInRoom(query: EventQuery, signal: AbortSignal): Promise<EventPage> {
    const page = await this.#store.read.events(query, signal)
    const size = sizeOf(page)
    if (size <= SMALL) return page
    // A reader that holds room already does not wait for more: it would wait for itself.
    const leave = this.#room.tryEnter({ weight: size, isInside: this.#leaves.length > 0 })
    if (leave === undefined) return this.#readLater(query, size, signal)
    this.#leaves.push(leave)
    return page
  }

  /** Waits for room with only the size known; the events are read again after the wait. */
  async #readLater(query: EventQuery, size: number, signal: AbortSignal): Promise<EventPage> {
    this.#leaves.push(await this.#room.enter({ weight: size, signal }))
    return this.#store.read.events(query, signal)
  }
}

function sizeOf({ events }: EventPage): number {
  return events.reduce((sum, { data }) => sum + data.length, 0)
}
