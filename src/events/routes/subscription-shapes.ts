// Shapes of subscriptions and their deliveries as clients get them. Contract 3 §6, 3 §10.
import * as v from 'valibot'
import { PausedReasonShape } from '../../core/accounts/rules/owner.ts'
import { EVENT_TYPES } from '../rules/event-type.ts'
import { DELIVERY_STATUSES } from '../rules/subscription.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { ShownCriteriaInput } from '../../core/search/rules/criteria-input.ts'
import { SEARCH_BODY_MEMBERS } from '../../core/search/rules/selection.ts'
import { Limit, OwnerId, Timestamp } from '../../http/common-shapes.ts'

const Cursor = v.pipe(v.string(), v.description('What `after` of GET /api/v1/changes takes.'))

export const SubscriptionShape = v.object({
  id: v.string(),
  name: v.string(),
  url: v.string(),
  events: v.array(v.picklist(EVENT_TYPES)),
  schemaIds: v.pipe(v.nullable(v.array(v.string())), v.description('null: of all schemas.')),
  selection: v.pipe(
    v.nullable(v.object({ ...SEARCH_BODY_MEMBERS, criteria: ShownCriteriaInput })),
    v.description('null: all records.'),
  ),
  headers: v.pipe(
    v.record(v.string(), v.string()),
    v.description('Values are shown as "********"; sent back so in a PUT, they stay as they are.'),
  ),
  signingSecret: v.pipe(v.nullable(v.string()), v.description('"********" where there is one.')),
  active: v.boolean(),
  batchSize: v.number(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  createdBy: v.string(),
  ownerId: OwnerId,
  cursor: v.pipe(v.string(), v.description('Up to here all has been delivered.')),
  pausedReason: PausedReasonShape,
  failingSince: v.pipe(v.nullable(Timestamp), v.description('null: the last delivery has arrived.')),
  nextAttemptAt: v.nullable(Timestamp),
})

export const DeliveryShape = v.object({
  id: v.pipe(v.string(), v.description('The `webhook-id` of its requests.')),
  cursor: v.pipe(v.string(), v.description('Of its last event.')),
  status: v.pipe(
    v.picklist(DELIVERY_STATUSES),
    v.description('failed: it is not tried again, or its events are sent under another ID.'),
  ),
  attempts: v.number(),
  responseStatus: v.pipe(v.nullable(v.number()), v.description('null: there was no answer.')),
  durationMs: v.pipe(v.number(), v.description('Of the last attempt.')),
  error: v.nullable(v.string()),
  at: v.pipe(Timestamp, v.description('When the last attempt ended.')),
})

export const TestedDeliveryShape = v.object({ ok: v.boolean(), ...DeliveryShape.entries })

export const ReplayBody = exactObject({
  after: v.pipe(
    v.string('must be a string'),
    v.description('A cursor: what happened after it is sent again. `latest`: nothing.'),
  ),
})

export const DeliveriesQuery = exactObject({ limit: v.optional(Limit, 200) })

export const EventShape = v.object({
  type: v.pipe(v.picklist([...EVENT_TYPES, 'ping']), v.description('`ping` is sent by a test.')),
  timestamp: Timestamp,
  cursor: Cursor,
  data: v.pipe(
    v.unknown(),
    v.description(
      'Of record events `{ entry, record }`: the audit entry, and the record after it (null where it is deleted); of others the run, the bulk job or the entry about the model.',
    ),
  ),
})
