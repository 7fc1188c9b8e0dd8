// What subscriptions ask of whoever sends requests for them, and keeps their secrets: `src/events/sender.ts` makes it. Contract 3 §6.
import type { Attempted } from './rules/redelivery.ts'

/** Where events go, with its secrets. */
export interface EventTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly signingSecret: string | undefined
}

export interface EventRequest {
  readonly subscriptionId: string
  /** The same for every attempt of a delivery. */
  readonly deliveryId: string
  /** JSON, in pieces that are small each. */
  readonly body: readonly Uint8Array[]
}

export interface EventSender {
  /** @throws VALIDATION_ERROR naming the member, also for an address that may not be reached */
  check(target: { readonly url: string; readonly headers: unknown; readonly signingSecret: unknown }): void
  /** One attempt, which has an end. Rejects with the signal's reason only. */
  send(target: EventTarget, request: EventRequest, signal: AbortSignal): Promise<Attempted>
}

export interface SecretKeeper {
  /** Text that may be stored. */
  seal(ownerId: string, field: string, value: unknown): string
  /** Throws where it was sealed with another key, or for another owner or field. */
  open(ownerId: string, field: string, sealed: string): unknown
}
