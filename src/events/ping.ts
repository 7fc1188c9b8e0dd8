// Sending a ping: whether a receiver can be reached, and takes what is sent. Contract 3 §6.
import { writeCursor } from '../core/feed/rules/cursors.ts'
import { describeFault, isDelivered } from './rules/redelivery.ts'
import { KEPT_DELIVERIES, type SubscriptionDelivery } from './rules/subscription.ts'
import type { StoredSubscription } from '../store/subscription-port.ts'
import type { Store } from '../store/port.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Caller } from '../core/accounts/caller.ts'
import { keepAnswer } from '../core/requests/idempotent-requests.ts'
import { toBody } from './event-body.ts'
import type { EventSender, SecretKeeper } from './event-sender.ts'
import { openTarget } from './subscription-secrets.ts'
import { showDelivery, type TestedDelivery } from './delivery-view.ts'

interface PingDeps {
  readonly store: Store
  readonly system: System
  readonly sender: EventSender
  readonly secrets: SecretKeeper
}

/** Resolves when there is an answer, or none will come. */
export async function sendPing(
  { store, system, sender, secrets }: PingDeps,
  caller: Caller,
  { subscription }: StoredSubscription,
  signal: AbortSignal,
): Promise<TestedDelivery> {
  const sequence = await store.read.feed.newest()
  const event = {
    type: 'ping',
    timestamp: system.now().toISOString(),
    cursor: writeCursor(sequence),
    data: Buffer.from('{}'),
  }
  const deliveryId = system.newId('dlv')
  const request = { subscriptionId: subscription.id, deliveryId, body: toBody([event], subscription.batchSize > 1) }
  const began = performance.now()
  const attempted = await sender.send(openTarget(secrets, subscription), request, signal)
  const ok = isDelivered(attempted)
  const delivery: SubscriptionDelivery = {
    id: deliveryId,
    sequence,
    status: ok ? 'succeeded' : 'failed',
    attempts: 1,
    responseStatus: attempted.status,
    durationMs: Math.round(performance.now() - began),
    error: ok ? null : describeFault(attempted),
    at: system.now().toISOString(),
  }
  return store.transaction(async (tx) => {
    if ((await tx.subscriptions.get(subscription.id)) !== undefined)
      await tx.subscriptions.noteDelivery(subscription.id, delivery, KEPT_DELIVERIES)
    return keepAnswer(tx, caller, { ok, ...showDelivery(delivery) })
  })
}
