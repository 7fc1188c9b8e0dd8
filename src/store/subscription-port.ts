// Subscriptions, and the events that are read for them: part of `port.ts`.
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
  /** With its deliveries. */
  remove(id: string): Promise<void>
  /** Replaces the noted delivery with this ID; only the latest `keep` deliveries stay. */
  noteDelivery(id: string, delivery: SubscriptionDelivery, keep: number): Promise<void>
}

export interface EventQuery extends EventFilter {
  /** Whose reading permissions hold. */
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
  /** JSON in UTF-8, with memory of its own, so that it can be sent unread. */
  readonly data: Uint8Array<ArrayBuffer>
}

export interface EventPage {
  readonly events: readonly ReadEvent[]
  /** The last entry that was looked at: those before it that are no events are not wanted. */
  readonly through: number
}

/**
 * The next events, fewer than the limit where they are large or far between; none and the same place: there is no more.
 * @throws UNAVAILABLE; VALIDATION_ERROR where the selection no longer fits the model
 */
export type EventReads = (query: EventQuery, signal: AbortSignal) => Promise<EventPage>

export interface FeedHeadReads {
  /** The heads of the entries after `sequence`, in commit order. */
  headsAfter(sequence: number, limit: number): Promise<EntryHead[]>
}
