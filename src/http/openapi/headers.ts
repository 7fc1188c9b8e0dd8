// Headers of requests and responses, with their descriptions. Contract 2 §1.
import type { Route } from '../route.ts'
import type { JsonSchema } from './json-schemas.ts'
import type { Header, Parameter, Reference } from './document-model.ts'

const Whole = { type: 'integer', minimum: 0 } as const

export const HEADERS = {
  'X-Request-Id': { description: 'The ID of this request. The log entry has the same ID.', schema: { type: 'string' } },
  'X-Next-Cursor': {
    description: 'Set if the page is full. Send it as `after` to get the next page.',
    schema: { type: 'string' },
  },
  ETag: {
    description:
      'The version of the answer, for If-Match and If-None-Match. The ETag of a compressed answer ends in `-gzip` and means the same.',
    schema: { type: 'string' },
  },
  'X-Total-Count': { description: 'The number of all matching records. Sent if `limit` is given.', schema: Whole },
  'Content-Disposition': { description: 'A name for the file.', schema: { type: 'string' } },
  'Content-Range': { description: 'The size of the file, as `bytes */184220`.', schema: { type: 'string' } },
  'Retry-After': {
    description: 'Seconds to wait before the next try, if the server knows.',
    schema: { ...Whole, minimum: 1 },
  },
  'X-RateLimit-Remaining': { description: 'Remaining requests: 0.', schema: Whole },
  'Idempotency-Replayed': {
    description: 'This is the answer of the first request with this Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  Location: { description: 'The new address.', schema: { type: 'string' } },
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
      'ETags, one of which must be the current one; otherwise 412, and nothing is changed. Without the header, the last write wins.',
    schema: TAGS,
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'ETags of answers that the client has: 304 without a body if one is current.',
    schema: TAGS,
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A key that the client makes for this request. For 24 hours, the same request with the same key gets the first answer, and nothing is done twice. See the guide to the API.',
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
