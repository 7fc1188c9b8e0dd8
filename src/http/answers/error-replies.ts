// The one mapping of error codes to HTTP statuses, and which codes a route can answer with. Contract 1 §7, 2 §1.
import { type ErrorCode, PimletError } from '../../kernel/errors.ts'
import type { Route } from '../route.ts'

export const STATUS_OF_ERROR: Readonly<Record<ErrorCode, number>> = {
  VALIDATION_ERROR: 400,
  TRANSITION_ERROR: 400,
  UNAUTHORIZED: 401,
  PERMISSION_DENIED: 403,
  LIMIT_EXCEEDED: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  RANGE_NOT_SATISFIABLE: 416,
  NOT_RENDERABLE: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
}

const INTERNAL = new PimletError('INTERNAL_ERROR', 'An unexpected error occurred')

/** The error for the client. Internal errors become INTERNAL_ERROR without details. */
export function publicError(thrown: unknown): PimletError {
  return thrown instanceof PimletError && thrown.code !== 'INTERNAL_ERROR' ? thrown : INTERNAL
}

/** Exactly `error` and `message`. */
export function errorBody(error: PimletError): string {
  return JSON.stringify({ error: error.code, message: error.message })
}

/** Whether the route takes an Idempotency-Key. A caller who signs in has no credential yet, so the key would have no owner. */
export function takesKey({ method, access }: Pick<Route, 'method' | 'access'>): boolean {
  return method === 'POST' && access !== 'public'
}

/** All codes of a route: its own, and those of the pipeline. */
export function errorsOf(route: Route): ReadonlySet<ErrorCode> {
  const codes = new Set<ErrorCode>(['VALIDATION_ERROR', ...route.errors, 'INTERNAL_ERROR', 'UNAVAILABLE'])
  // A path with a parameter names a thing, which may not exist.
  if (route.path.includes('/:')) codes.add('NOT_FOUND')
  if (route.access !== 'public') codes.add('UNAUTHORIZED')
  if (route.access !== 'public' && route.access !== 'authenticated') codes.add('PERMISSION_DENIED')
  // Codes of the Idempotency-Key.
  if (takesKey(route)) for (const code of ['PERMISSION_DENIED', 'CONFLICT', 'RATE_LIMITED'] as const) codes.add(code)
  if (route.body !== undefined || takesKey(route)) codes.add('PAYLOAD_TOO_LARGE')
  return codes
}
