// Subscriptions: the input of clients, the stored form, and the public form. Contract 3 §6, 3 §10.
import * as v from 'valibot'
import { PausedReasonShape, type Owner } from '../../core/accounts/rules/owner.ts'
import { type FieldSecrets, SECRET_PLACEHOLDER } from '../../kernel/secrets/secret-fields.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { Flag, Id, listOf, Name, NewId, type OutputOf, Timestamp, wholeNumber } from '../../kernel/input/validation.ts'
import { ShownCriteriaInput } from '../../core/search/rules/criteria-input.ts'
import { SEARCH_BODY_MEMBERS, type Selection, SelectionInput } from '../../core/search/rules/selection.ts'
import { EVENT_TYPES } from './event-type.ts'
import { OwnerId } from '../../kernel/input/common-shapes.ts'

export const MAX_SUBSCRIPTIONS = 100
export const MAX_BATCH = 100
/** Deliveries that are kept of each. */
export const KEPT_DELIVERIES = 200
const MAX_SCHEMAS = 1000

/** Not `v.record`: it drops names like `constructor`. `EventSender.check` checks names and values. */
const Headers = v.pipe(
  v.custom<Readonly<Record<string, unknown>>>(
    (input) => typeof input === 'object' && input !== null && !Array.isArray(input),
    'must be an object',
  ),
  v.metadata({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 8192 },
    description: 'Up to 50 extra headers of each request. Their values are secret.',
  }),
)

const members = {
  id: v.optional(NewId),
  name: Name,
  url: v.pipe(
    v.string('must be a string'),
    v.maxLength(2048, 'must be at most 2048 characters long'),
    v.description('http or https. Put credentials into headers.'),
  ),
  events: v.pipe(
    listOf(v.picklist(EVENT_TYPES, `must be one of ${EVENT_TYPES.join(', ')}`), EVENT_TYPES.length),
    v.minLength(1, 'must name an event'),
  ),
  schemaIds: v.optional(
    v.pipe(
      v.nullable(v.pipe(listOf(Id, MAX_SCHEMAS), v.minLength(1, 'must name a schema; null: all schemas'))),
      v.description('Only events about records of these schemas. null: all schemas.'),
    ),
    null,
  ),
  selection: v.optional(
    v.pipe(
      v.nullable(SelectionInput),
      v.description(
        'Only events about records that match after the change; for a deletion, before it. null: all records.',
      ),
    ),
    null,
  ),
  headers: v.optional(v.nullable(Headers)),
  signingSecret: v.optional(
    v.pipe(
      v.nullable(v.pipe(v.string('must be a string'), v.maxLength(1024, 'must be at most 1024 characters long'))),
      v.description(
        'Signs the requests as Standard Webhooks specifies. A secret with the prefix `whsec_` is base64; otherwise the text is the key.',
      ),
    ),
  ),
  active: v.optional(Flag, true),
  batchSize: v.optional(
    v.pipe(
      wholeNumber(1, MAX_BATCH),
      v.description('The maximum number of events in one request. Above 1, the body is an array.'),
    ),
    1,
  ),
}

const SERVER_SET = [
  'createdAt',
  'updatedAt',
  'createdBy',
  'ownerId',
  'cursor',
  'pausedReason',
  'failingSince',
  'nextAttemptAt',
] as const

export const SubscriptionInput = exactObject(members, SERVER_SET)

/** Criteria that are hidden from the caller are sent back as they were read. */
export const SubscriptionReplacement = exactObject(
  {
    ...members,
    selection: v.optional(v.nullable(exactObject({ ...SEARCH_BODY_MEMBERS, criteria: ShownCriteriaInput })), null),
  },
  SERVER_SET,
)

/** The stored form. Events contain the values that the owner may read. */
export interface Subscription
  extends Owner, Omit<SubscriptionView, 'selection' | 'headers' | 'signingSecret' | keyof SubscriptionState> {
  readonly selection: Selection | null
  /** Encrypted: `headers.<name>` and `signingSecret`. */
  readonly secrets: FieldSecrets<string>
}

/** How far a subscription has come. */
export interface SubscriptionState extends Pick<SubscriptionView, 'failingSince' | 'nextAttemptAt' | 'pausedReason'> {
  /** All wanted events up to this place of the feed are delivered. */
  readonly cursor: number
  /** Rises when a caller moves the cursor; results of earlier attempts then no longer count. */
  readonly epoch: number
  /** Rises when a caller replaces the subscription; failures of an earlier edition then no longer count. Undefined: 0. */
  readonly edition?: number | undefined
  /** The current delivery; it keeps its ID until it arrives. */
  readonly pending: PendingDelivery | null
}

export interface PendingDelivery {
  readonly id: string
  /** The place of its last event. */
  readonly through: number
  /** The places of all of its events. Undefined: all that are asked for up to the last one. */
  readonly sequences?: readonly number[] | undefined
  /** That have failed. */
  readonly attempts: number
}

const DELIVERY_STATUSES = ['succeeded', 'retrying', 'failed'] as const

export const DeliveryShape = v.object({
  id: v.pipe(v.string(), v.description('The `webhook-id` of the requests.')),
  cursor: v.pipe(v.string(), v.description('The cursor of its last event.')),
  status: v.pipe(
    v.picklist(DELIVERY_STATUSES),
    v.description('failed: the delivery is not retried, or its events are sent with another ID.'),
  ),
  attempts: v.number(),
  responseStatus: v.pipe(v.nullable(v.number()), v.description('null: there was no answer.')),
  durationMs: v.pipe(v.number(), v.description('The duration of the last attempt.')),
  error: v.nullable(v.string()),
  at: v.pipe(Timestamp, v.description('The end of the last attempt.')),
})

export interface SubscriptionDelivery extends Omit<OutputOf<typeof DeliveryShape>, 'cursor'> {
  /** The place of its last event in the feed. */
  readonly sequence: number
}

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

/** The public form. */
export type SubscriptionView = OutputOf<typeof SubscriptionShape>

/** The secret fields with the placeholder in their place. */
export function maskedSecrets(secrets: FieldSecrets<string>): Pick<SubscriptionView, 'headers' | 'signingSecret'> {
  const names = Object.keys(secrets).filter((field) => field.startsWith('headers.'))
  return {
    headers: Object.fromEntries(names.map((field) => [field.slice('headers.'.length), SECRET_PLACEHOLDER])),
    signingSecret: Object.hasOwn(secrets, 'signingSecret') ? SECRET_PLACEHOLDER : null,
  }
}

export function newState(cursor: number): SubscriptionState {
  return { cursor, epoch: 0, pending: null, failingSince: null, nextAttemptAt: null, pausedReason: null }
}

/** The owner ID under which the secrets are sealed. No export job has such an ID, so neither can open the other's secrets. */
export function secretOwnerOf(subscriptionId: string): string {
  return `subscription:${subscriptionId}`
}
