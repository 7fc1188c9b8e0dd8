// Shapes of subscriptions and their deliveries as clients get them. Contract 3 §6, 3 §10.
import * as v from 'valibot'
import { PausedReasonShape } from '../../core/accounts/rules/owner.ts'
import { EVENT_TYPES } from '../rules/event-type.ts'
import { DeliveryShape } from '../rules/subscription.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { ShownCriteriaInput } from '../../core/search/rules/criteria-input.ts'
import { SEARCH_BODY_MEMBERS } from '../../core/search/rules/selection.ts'
import { Timestamp } from '../../kernel/input/validation.ts'
import { Limit, OwnerId } from '../../http/common-shapes.ts'

const Cursor = v.pipe(v.string(), v.description('The value for `after` of GET /api/v1/changes.'))

export const SubscriptionShape = v.object({
  id: v.string(),
  name: v.string(),
  url: v.string(),
  events: v.array(v.picklist(EVENT_TYPES)),
  schemaIds: v.pipe(v.nullable(v.array(v.string())), v.description('null: all schemas.')),
  selection: v.pipe(
    v.nullable(v.object({ ...SEARCH_BODY_MEMBERS, criteria: ShownCriteriaInput })),
    v.description('null: all records.'),
  ),
  headers: v.pipe(
    v.record(v.string(), v.string()),
    v.description('Values are shown as "********". Send them back in a PUT to keep the stored values.'),
  ),
  signingSecret: v.pipe(v.nullable(v.string()), v.description('"********" if there is a secret.')),
  active: v.boolean(),
  batchSize: v.number(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  createdBy: v.string(),
  ownerId: OwnerId,
  cursor: v.pipe(v.string(), v.description('All events up to this cursor are delivered.')),
  pausedReason: PausedReasonShape,
  failingSince: v.pipe(v.nullable(Timestamp), v.description('null: the last delivery succeeded.')),
  nextAttemptAt: v.nullable(Timestamp),
})

export const TestedDeliveryShape = v.object({ ok: v.boolean(), ...DeliveryShape.entries })

export const ReplayBody = exactObject({
  after: v.pipe(
    v.string('must be a string'),
    v.description('A cursor: events after it are sent again. `latest`: none.'),
  ),
})

export const DeliveriesQuery = exactObject({ limit: v.optional(Limit, 200) })

export const EventShape = v.object({
  type: v.pipe(v.picklist([...EVENT_TYPES, 'ping']), v.description('The test sends `ping`.')),
  timestamp: Timestamp,
  cursor: Cursor,
  data: v.pipe(
    v.unknown(),
    v.description(
      'For record events `{ entry, record }`: the audit entry, and the record after the change (null if deleted). For other events: the run, the bulk job, or the entry about the model.',
    ),
  ),
})
