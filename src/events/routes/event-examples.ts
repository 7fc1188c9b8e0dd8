// Names and examples of the shapes of subscriptions and events.
import { SubscriptionInput, SubscriptionReplacement, DeliveryShape, SubscriptionShape } from '../rules/subscription.ts'
import { EventShape, ReplayBody, TestedDeliveryShape } from './subscription-shapes.ts'
import { component, type Components } from '../../http/openapi/component.ts'
import { EXAMPLE_CURSOR, EXAMPLE_IDS } from '../../http/openapi/example-ids.ts'

const subscription = {
  name: 'Shop',
  url: 'https://shop.example.com/pimlet',
  events: ['record.updated' as const, 'record.deleted' as const],
  schemaIds: ['sch-shirt'],
  selection: {
    criteria: [{ field: 'lifecycleStateId' as const, operator: 'equals' as const, value: 'state-published' }],
    criteriaOperator: 'and' as const,
  },
  headers: { Authorization: 'Bearer 1c0ffee1' },
  signingSecret: 'whsec_dGhlIHNlY3JldCBvZiB0aGUgd2ViaG9vaw==',
  active: true,
  batchSize: 100,
}
const kept = { ...subscription, headers: { Authorization: '********' }, signingSecret: '********' }
const delivery = {
  id: EXAMPLE_IDS.delivery,
  cursor: EXAMPLE_CURSOR,
  status: 'succeeded' as const,
  attempts: 1,
  responseStatus: 204,
  durationMs: 41,
  error: null,
  at: '2026-03-05T14:00:00.120Z',
}

export const eventComponents: Components = {
  Subscription: component(SubscriptionShape, {
    id: EXAMPLE_IDS.subscription,
    ...kept,
    createdAt: '2026-03-01T08:00:00.000Z',
    updatedAt: '2026-03-01T08:00:00.000Z',
    createdBy: EXAMPLE_IDS.user,
    ownerId: EXAMPLE_IDS.user,
    cursor: EXAMPLE_CURSOR,
    pausedReason: null,
    failingSince: null,
    nextAttemptAt: null,
  }),
  SubscriptionInput: component(SubscriptionInput, subscription),
  SubscriptionReplacement: component(SubscriptionReplacement, kept),
  Replay: component(ReplayBody, { after: EXAMPLE_CURSOR }),
  Delivery: component(DeliveryShape, delivery),
  TestedDelivery: component(TestedDeliveryShape, { ok: true, ...delivery }),
  Event: component(EventShape, {
    type: 'record.deleted',
    timestamp: '2026-03-05T14:00:00.000Z',
    cursor: EXAMPLE_CURSOR,
    data: {
      entry: {
        id: EXAMPLE_IDS.auditEntry,
        entityId: EXAMPLE_IDS.record,
        userId: EXAMPLE_IDS.user,
        timestamp: '2026-03-05T14:00:00.000Z',
        action: 'delete',
        changes: [],
        version: 92_841,
        origin: { kind: 'api' },
      },
      record: null,
    },
  }),
}
