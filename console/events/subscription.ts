// A subscription as a form draft, and as the body of a request. Secrets that the user does not replace stay.
// Contract 3 §6, 3 §9.5.
import { SECRET_PLACEHOLDER } from '../../src/kernel/secrets/secret-fields.ts'
import type { Endpoints } from '../api/types.ts'

export type Subscription = Endpoints['GET /api/v1/subscriptions/:id']['reply']
type Body = NonNullable<Endpoints['PUT /api/v1/subscriptions/:id']['body']>

export type SubscriptionDraft = Pick<
  Subscription,
  'name' | 'url' | 'events' | 'schemaIds' | 'selection' | 'headers' | 'signingSecret' | 'active' | 'batchSize'
>

/** Typed secrets by header name, never stored in the tab; `''` is the signing secret. */
export type TypedSecrets = Readonly<Record<string, string>>
export const SIGNING = ''

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
  const { [SIGNING]: signing = '', ...headers } = typed
  const filled = Object.entries(headers).filter(([, text]) => text !== '')
  return {
    ...draft,
    headers: { ...draft.headers, ...Object.fromEntries(filled) },
    signingSecret: signing === '' ? draft.signingSecret : signing,
  }
}

export function isKept(value: string | null | undefined): boolean {
  return value === SECRET_PLACEHOLDER
}

type Standing = 'active' | 'failing' | 'paused'

export function standingOf({ active, failingSince }: Pick<Subscription, 'active' | 'failingSince'>): Standing {
  if (!active) return 'paused'
  return failingSince === null ? 'active' : 'failing'
}
