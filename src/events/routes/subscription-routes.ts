// Endpoints of subscriptions. Contract 3 §6, 3 §10.
import * as v from 'valibot'
import { DeliveryShape, SubscriptionInput, SubscriptionReplacement, SubscriptionShape } from '../rules/subscription.ts'
import { documentRoutes } from '../../http/document-routes.ts'
import { route } from '../../http/route.ts'
import { DeliveriesQuery, ReplayBody, TestedDeliveryShape } from './subscription-shapes.ts'

const access = 'subscriptions.write'

export const subscriptionsRoutes = [
  ...documentRoutes({
    id: 'subscriptions',
    path: '/api/v1/subscriptions',
    shape: SubscriptionShape,
    input: SubscriptionInput,
    replacement: SubscriptionReplacement,
    read: access,
    write: access,
    list: { summary: 'List all subscriptions, oldest first' },
    create: {
      summary:
        'Send events to a URL from now on, with the data that the owner may read; the creator is the first owner',
      description:
        'Events are delivered at least once, in commit order. A request has one event, or an array of up to `batchSize` events. It is signed as Standard Webhooks specifies. Any answer other than 2xx is retried for 24 hours; then the subscription is paused. 410 pauses it immediately. Header values and the secret are stored encrypted. A workspace has at most 100 subscriptions.',
      errors: ['LIMIT_EXCEEDED'],
    },
    get: { summary: 'Read a subscription and its progress' },
    replace: {
      summary: 'Replace a subscription; its position stays',
      description:
        'A secret that is sent back as `********` keeps its value. If the request changes the scheme, host or port, the secret must be sent again. A caller who changes the events or the URL becomes the owner.',
    },
    delete: { summary: 'Delete a subscription and its delivery log' },
    service: ({ subscriptions }) => subscriptions,
  }),
  route({
    id: 'subscriptions.resume',
    endpoint: 'POST /api/v1/subscriptions/:id/resume',
    summary: 'Resume a paused subscription at its position, or retry a failing one now',
    description: '409 if the owner still lacks the rights; take the subscription over instead.',
    access,
    responses: { 200: SubscriptionShape },
    errors: ['CONFLICT'],
    handler: ({ caller, params, services }) => services.subscriptions.resume(caller, params.id),
  }),
  route({
    id: 'subscriptions.takeOver',
    endpoint: 'POST /api/v1/subscriptions/:id/take-over',
    summary: 'Become the owner of a subscription; it then sends what you may read',
    description:
      'For administrators, and for callers who may read every attribute that the subscription names. A subscription that was paused because of its owner resumes at its position.',
    access,
    responses: { 200: SubscriptionShape },
    handler: ({ caller, params, services }) => services.subscriptions.takeOver(caller, params.id),
  }),
  route({
    id: 'subscriptions.replay',
    endpoint: 'POST /api/v1/subscriptions/:id/replay',
    summary: 'Send the events after a cursor again',
    description:
      'The events contain what the owner may read now. The call does not activate or pause the subscription. Events that the audit trail no longer keeps are not sent.',
    access,
    body: ReplayBody,
    responses: { 200: SubscriptionShape },
    handler: ({ caller, params, body, services }) => services.subscriptions.replay(caller, params.id, body.after),
  }),
  route({
    id: 'subscriptions.test',
    endpoint: 'POST /api/v1/subscriptions/:id/test',
    summary: 'Send a `ping` to the receiver once, now, and return its answer',
    access,
    responses: { 200: TestedDeliveryShape },
    handler: ({ caller, params, services, request }) => services.subscriptions.test(caller, params.id, request.signal),
  }),
  route({
    id: 'subscriptions.deliveries',
    endpoint: 'GET /api/v1/subscriptions/:id/deliveries',
    summary: 'List the last 200 deliveries of a subscription, newest first',
    access,
    query: DeliveriesQuery,
    responses: { 200: v.array(DeliveryShape) },
    handler: ({ caller, params, query, services }) => services.subscriptions.deliveries(caller, params.id, query.limit),
  }),
]
