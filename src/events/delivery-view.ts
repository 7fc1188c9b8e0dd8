// A delivery as clients see it. Contract 3 §6.
import { writeCursor } from '../core/feed/rules/cursors.ts'
import type { SubscriptionDelivery } from './rules/subscription.ts'

export interface DeliveryView extends Omit<SubscriptionDelivery, 'sequence'> {
  readonly cursor: string
}

export interface TestedDelivery extends DeliveryView {
  readonly ok: boolean
}

export function showDelivery({ id, sequence, ...delivery }: SubscriptionDelivery): DeliveryView {
  return { id, cursor: writeCursor(sequence), ...delivery }
}
