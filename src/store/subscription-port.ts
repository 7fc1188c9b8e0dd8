// Subscriptions, and reads of their events: part of `port.ts`.
import type { EntryHead, EventFilter, EventType } from '../events/rules/event-type.ts'
import type { Subscription, SubscriptionDelivery, SubscriptionState } from '../events/rules/subscription.ts'
import type { Role } from '../core/accounts/rules/permissions.ts'
import type { Selection } from '../core/search/rules/selection.ts'

export interface StoredSubscription {
  readonly subscription: Subscription
  readonly state: SubscriptionState
}

export interface SubscriptionReads {
  get(id: string): Promise<StoredSubscription | undefined>
  /** In the order of creation. */
  list(): Promise<StoredSubscription[]>
  /** The latest first. */
  deliveriesOf(id: string, limit: number): Promise<SubscriptionDelivery[]>
}

export interface SubscriptionWrites {
  /** @throws CONFLICT for an ID that exists */
  add(stored: StoredSubscription): Promise<void>
  /** Replaces the stored subscription, which must exist. */
  save(stored: StoredSubscription): Promise<void>
  /** Deletes a subscription with its deliveries. */
  remove(id: string): Promise<void>
  /** Adds the delivery, or replaces the delivery with this ID. Only the latest `keep` deliveries stay. */
  noteDelivery(id: string, delivery: SubscriptionDelivery, keep: number): Promise<void>
}

export interface EventQuery extends EventFilter {
  /** The role whose reading permissions apply. */
  readonly role: Role
  readonly selection: Selection | null
  /** A sequence: only entries after it. */
  readonly after: number
  /** A sequence: no entries after it. */
  readonly through?: number | undefined
  readonly limit: number
}

export interface ReadEvent {
  readonly sequence: number
  readonly type: EventType
  /** ISO 8601. */
  readonly timestamp: string
  /** JSON in UTF-8, in its own buffer, so that it can be transferred without reading. */
  readonly data: Uint8Array<ArrayBuffer>
}

export interface EventPage {
  readonly events: readonly ReadEvent[]
  /** The last examined entry. Entries before it that are no events of this page are not wanted. */
  readonly through: number
}

/**
 * Returns the next events, fewer than the limit if they are large or far apart. Without events and with an unchanged
 * place, no more exist.
 * @throws UNAVAILABLE; VALIDATION_ERROR if the selection no longer fits the model
 */
export type EventReads = (query: EventQuery, signal: AbortSignal) => Promise<EventPage>

export interface FeedHeadReads {
  /** The heads of the entries after `sequence`, in commit order. */
  headsAfter(sequence: number, limit: number): Promise<EntryHead[]>
}
