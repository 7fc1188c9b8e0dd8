// A delivery as clients see it. Contract 3 §6.
import { writeCursor } from '../../domain/events/cursors.ts'
import type { SubscriptionDelivery } from '../../domain/events/subscription.ts'

export interface DeliveryView extends Omit<SubscriptionDelivery, 'sequence'> {
  readonly cursor: string
}

export interface TestedDelivery extends DeliveryView {
  readonly ok: boolean
}

export function showDelivery({ id, sequence, ...delivery }: SubscriptionDelivery): DeliveryView {
  return { id, cursor: writeCursor(sequence), ...delivery }
}
