// Endpoints of subscriptions. Contract 3 §6, 3 §10.
import * as v from 'valibot'
import { SubscriptionInput, SubscriptionReplacement } from '../rules/subscription.ts'
import { documentRoutes } from '../../http/document-routes.ts'
import { route } from '../../http/route.ts'
import {
  DeliveriesQuery,
  DeliveryShape,
  ReplayBody,
  SubscriptionShape,
  TestedDeliveryShape,
} from './subscription-shapes.ts'

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
      summary: 'Have a URL told of what happens from now on, as far as the owner, at first the creator, may read',
      description:
        'At least once, in the order of commits. A request has one event, or an array of up to `batchSize`; it is signed after Standard Webhooks. Every answer but 2xx is tried again for 24 hours, then the subscription is paused; 410 pauses it at once. Header values and the secret are stored encrypted. 100 at most.',
      errors: ['LIMIT_EXCEEDED'],
    },
    get: { summary: 'Read a subscription, and how far it has come' },
    replace: {
      summary: 'Replace a subscription; it goes on where it was',
      description:
        'A secret that is sent back as `********` stays what it is, unless it would be sent elsewhere, or less safely: with another scheme, host or port it must be sent anew. Who changes what is told, or to whom, and is not the owner, becomes the owner.',
    },
    delete: { summary: 'Delete a subscription and what is kept of its deliveries' },
    service: ({ subscriptions }) => subscriptions,
  }),
  route({
    id: 'subscriptions.resume',
    method: 'POST',
    path: '/api/v1/subscriptions/:id/resume',
    summary: 'Let a paused subscription go on where it was, or try a failing one again now',
    description: 'One that was paused because its owner may not do it is 409 as long as that is so: take it over.',
    access,
    responses: { 200: SubscriptionShape },
    errors: ['NOT_FOUND', 'CONFLICT'],
    handler: ({ caller, params, services }) => services.subscriptions.resume(caller, params.id),
  }),
  route({
    id: 'subscriptions.takeOver',
    method: 'POST',
    path: '/api/v1/subscriptions/:id/take-over',
    summary: 'Become the owner of a subscription, which tells what you may read from now on',
    description:
      'For administrators, and those who may read every attribute that the subscription names. One that was paused for its owner goes on where it was.',
    access,
    responses: { 200: SubscriptionShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, services }) => services.subscriptions.takeOver(caller, params.id),
  }),
  route({
    id: 'subscriptions.replay',
    method: 'POST',
    path: '/api/v1/subscriptions/:id/replay',
    summary: 'Send again what happened after a cursor',
    description:
      'The events hold what the owner may read now. Whether the subscription is active stays as it is. What the trail does not keep any more is not sent.',
    access,
    body: ReplayBody,
    responses: { 200: SubscriptionShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, body, services }) => services.subscriptions.replay(caller, params.id, body.after),
  }),
  route({
    id: 'subscriptions.test',
    method: 'POST',
    path: '/api/v1/subscriptions/:id/test',
    summary: 'Send a `ping` to the receiver of a subscription now, once, and tell what it answers',
    access,
    responses: { 200: TestedDeliveryShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, services, request }) => services.subscriptions.test(caller, params.id, request.signal),
  }),
  route({
    id: 'subscriptions.deliveries',
    method: 'GET',
    path: '/api/v1/subscriptions/:id/deliveries',
    summary: 'List the last 200 deliveries of a subscription, newest first',
    access,
    query: DeliveriesQuery,
    responses: { 200: v.array(DeliveryShape) },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, query, services }) => services.subscriptions.deliveries(caller, params.id, query.limit),
  }),
]
