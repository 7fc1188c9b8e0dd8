// Shapes of subscriptions and their deliveries as clients get them. Contract 3 §6, 3 §10.
import * as v from 'valibot'
import { EVENT_TYPES } from '../rules/event-type.ts'
import { DeliveryShape } from '../rules/subscription.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { Timestamp } from '../../kernel/input/validation.ts'
import { Limit } from '../../kernel/input/common-shapes.ts'

const Cursor = v.pipe(v.string(), v.description('The value for `after` of GET /api/v1/changes.'))

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
