// A subscription as a form draft, and as the body of a request. Secrets that the user does not replace stay.
// Contract 3 §6, 3 §9.5.
import type { Endpoints } from '../api/types.ts'
import { configToSend, type TypedSecrets } from '../kit/config.ts'

export type Subscription = Endpoints['GET /api/v1/subscriptions/:id']['reply']
type Body = NonNullable<Endpoints['PUT /api/v1/subscriptions/:id']['body']>

export type SubscriptionDraft = Pick<
  Subscription,
  'name' | 'url' | 'events' | 'schemaIds' | 'selection' | 'headers' | 'signingSecret' | 'active' | 'batchSize'
>

export const NEW: SubscriptionDraft = {
  name: '',
  url: '',
  events: ['record.created', 'record.updated', 'record.deleted', 'record.transitioned'],
  schemaIds: null,
  selection: null,
  headers: {},
  signingSecret: null,
  active: true,
  batchSize: 1,
}

export function draftOf(found: Subscription): SubscriptionDraft {
  const { name, url, events, schemaIds, selection, headers, signingSecret, active, batchSize } = found
  return { name, url, events, schemaIds, selection, headers, signingSecret, active, batchSize }
}

export function bodyOf(draft: SubscriptionDraft, typed: TypedSecrets): Body {
  return { ...draft, ...configToSend(secretsOf(draft), typed) }
}

/** The members with secrets. */
export function secretsOf({ headers, signingSecret }: SubscriptionDraft) {
  return { headers, signingSecret }
}

type Standing = 'active' | 'failing' | 'paused'

export function standingOf({ active, failingSince }: Pick<Subscription, 'active' | 'failingSince'>): Standing {
  if (!active) return 'paused'
  return failingSince === null ? 'active' : 'failing'
}
