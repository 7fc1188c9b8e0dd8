// Headers that requests and responses carry: what each means. Contract 2 §1.
import type { Route } from '../route.ts'
import type { JsonSchema } from './json-schemas.ts'
import type { Header, Parameter, Reference } from './document-model.ts'

const Whole = { type: 'integer', minimum: 0 } as const

export const HEADERS = {
  'X-Request-Id': { description: 'Of this request; the log line has the same.', schema: { type: 'string' } },
  'X-Next-Cursor': {
    description: 'Of a page that is full: to be sent as `after` for the one that follows.',
    schema: { type: 'string' },
  },
  ETag: {
    description:
      'The version of what is answered, for If-Match and If-None-Match. That of a compressed answer ends in `-gzip` and means the same.',
    schema: { type: 'string' },
  },
  'X-Total-Count': { description: 'How many records match in all; sent where limit is given.', schema: Whole },
  'Content-Disposition': { description: 'A name for the file.', schema: { type: 'string' } },
  'Retry-After': {
    description: 'Seconds after which it is worth trying again, where the server can tell.',
    schema: { ...Whole, minimum: 1 },
  },
  'X-RateLimit-Remaining': { description: 'Requests that are left: 0.', schema: Whole },
  'Idempotency-Replayed': {
    description: 'The answer is the one that the first request with this Idempotency-Key got.',
    schema: { type: 'string', enum: ['true'] },
  },
  Location: { description: 'Where to go on.', schema: { type: 'string' } },
  'WWW-Authenticate': { description: 'Bearer', schema: { type: 'string' } },
} as const satisfies Readonly<Record<string, Header>>
export type HeaderName = keyof typeof HEADERS

const TAGS: JsonSchema = { type: 'string', examples: ['"7"'] }

export const HEADER_PARAMETERS: Readonly<Record<'If-Match' | 'If-None-Match' | 'Idempotency-Key', Parameter>> = {
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'ETags of which one must be the present one, else 412 and nothing is changed. Without it the last write wins.',
    schema: TAGS,
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'ETags that the client has the answer of: 304 without a body where one is the present one.',
    schema: TAGS,
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Made up by the client for this request. For 24 hours the same request of the same caller with the same key is answered as it was first, and nothing is done twice; see the guide to the API.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$', examples: ['order-4711-line-3'] },
  },
}

/** Every response has X-Request-Id. */
export function headerRefs(names: readonly HeaderName[]): Readonly<Record<string, Reference>> {
  const all: readonly HeaderName[] = ['X-Request-Id', ...names]
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The conditional headers that the route regards. */
export function conditionsOf({
  method,
  headers = [],
  errors,
  hasOwnConditions = false,
}: Route): ('If-Match' | 'If-None-Match')[] {
  if (errors.includes('PRECONDITION_FAILED') && !hasOwnConditions) return ['If-Match']
  return method === 'GET' && headers.includes('ETag') ? ['If-None-Match'] : []
}
