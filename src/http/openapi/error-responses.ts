// The responses of errors: one for each set of codes that share a status. Contract 1 §7.
import * as v from 'valibot'
import { ERROR_CODES, type ErrorCode } from '../../kernel/errors.ts'
import { errorsOf, STATUS_OF_ERROR } from '../answers/error-replies.ts'
import type { Route } from '../route.ts'
import { component, type Components } from './component.ts'
import { type HeaderName, headerRefs } from './headers.ts'
import type { JsonSchema, JsonSchemas } from './json-schemas.ts'
import type { Response } from './document-model.ts'

const CODE = 'Stable: the same in every version of the API. Clients match on it.'
const MESSAGE = 'For people. May change: clients do not match on it.'

const ErrorShape = v.object({
  error: v.pipe(v.picklist(ERROR_CODES), v.description(CODE)),
  message: v.pipe(v.string(), v.description(MESSAGE)),
})

const MEANINGS: Readonly<Record<ErrorCode, { readonly description: string; readonly example: string }>> = {
  VALIDATION_ERROR: {
    description: 'The request is not valid; the message names the field.',
    example: 'values.price[0].value.currency must be one of EUR, CHF',
  },
  TRANSITION_ERROR: {
    description:
      'The transition does not leave the current state, the role may not take it, or it requires completeness.',
    example:
      "The transition from 'Review' to 'Published' is not allowed: the record is not complete for the target state",
  },
  UNAUTHORIZED: {
    description: 'The credential is missing, invalid or expired.',
    example: 'Missing or invalid credentials',
  },
  PERMISSION_DENIED: {
    description: 'The role lacks the permission, or may not read or write the attribute.',
    example: "Your role may not write the attribute 'price'",
  },
  LIMIT_EXCEEDED: {
    description: 'The workspace has reached its record limit, or an import would exceed it.',
    example: 'The record limit of this workspace is reached: at most 500 records (--max-records)',
  },
  NOT_FOUND: {
    description: 'The resource does not exist. The message names its type and ID.',
    example: "Record 'ent-01kjpy5z10cf20s5yf37cg179a' does not exist",
  },
  CONFLICT: {
    description:
      'The ID or a unique value is taken, or another resource uses the one to delete. Or the Idempotency-Key belongs to another request, or to a request in progress.',
    example: "Record with the ID 'ent-01kjpy44e0swvea5egkjkmp3av' already exists",
  },
  PRECONDITION_FAILED: {
    description: 'If-Match does not name the current version; nothing was changed.',
    example: 'If-Match does not name the current version: the record has changed since',
  },
  RANGE_NOT_SATISFIABLE: {
    description: 'The file has no byte of the asked range.',
    example: 'The file has 184220 bytes',
  },
  PAYLOAD_TOO_LARGE: { description: 'The body is too large.', example: 'The body is larger than 10485760 bytes' },
  NOT_RENDERABLE: {
    description: 'The file cannot be rendered. The message says why.',
    example: 'The file is application/pdf, not a picture to render',
  },
  RATE_LIMITED: {
    description:
      'Too many failed sign-ins, waiting requests, or answers kept for Idempotency-Keys. Wait as long as Retry-After says.',
    example: 'Too many failed logins: try again later',
  },
  UNAVAILABLE: {
    description: 'The server is stopping or overloaded, or its storage is full or locked. Try again later.',
    example: 'The server is stopping',
  },
  INTERNAL_ERROR: {
    description: 'An unexpected error. The log entry has the X-Request-Id.',
    example: 'An unexpected error occurred',
  },
}

const HEADERS_OF: Partial<Record<ErrorCode, readonly HeaderName[]>> = {
  UNAUTHORIZED: ['WWW-Authenticate'],
  CONFLICT: ['Retry-After'],
  RANGE_NOT_SATISFIABLE: ['Content-Range'],
  RATE_LIMITED: ['Retry-After', 'X-RateLimit-Remaining'],
  UNAVAILABLE: ['Retry-After'],
}

export const errorComponents: Components = {
  Error: component(ErrorShape, { error: 'NOT_FOUND', message: MEANINGS.NOT_FOUND.example }),
}

/** Status → codes, of everything that the route can fail with. */
export function errorsByStatus(route: Route): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes = errorsOf(route)
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of ERROR_CODES) {
    if (!codes.has(code)) continue
    const status = STATUS_OF_ERROR[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return byStatus
}

/** The name of the response among the components. */
export function errorResponseName(codes: readonly ErrorCode[]): string {
  return codes.join('-or-')
}

/** The name of an error response's schema: `NOT_FOUND` → `NotFoundError`. */
function errorSchemaName(codes: readonly ErrorCode[]): string {
  const words = codes.map((code) =>
    code.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()),
  )
  return `${words.map((word) => word.replace(/Error$/, '')).join('Or')}Error`
}

export function describeErrorResponse(codes: readonly ErrorCode[], schemas: JsonSchemas): Response {
  const examples = codes.map((code) => [code, { value: errorExample(code) }])
  return {
    description: codes.map((code) => `\`${code}\`: ${MEANINGS[code].description}`).join('\n\n'),
    headers: headerRefs(codes.flatMap((code) => HEADERS_OF[code] ?? [])),
    content: {
      'application/json': {
        schema: schemas.nameAs(errorSchemaName(codes), errorSchema(codes)),
        examples: Object.fromEntries(examples) as Record<string, { value: unknown }>,
      },
    },
  }
}

function errorSchema(codes: readonly ErrorCode[]): JsonSchema {
  return {
    type: 'object',
    properties: {
      error: { enum: [...codes], description: CODE },
      message: { type: 'string', description: MESSAGE },
    },
    required: ['error', 'message'],
    examples: [errorExample(codes[0]!)],
  }
}

function errorExample(code: ErrorCode): { error: ErrorCode; message: string } {
  return { error: code, message: MEANINGS[code].example }
}
