// Every error that a client can see: its stable code and a message. Contract 1 §7; 2 §1 adds four codes, 4 §3 one.

import { escapeControls } from './text.ts'

export const ERROR_CODES = [
  'VALIDATION_ERROR',
  'TRANSITION_ERROR',
  'UNAUTHORIZED',
  'PERMISSION_DENIED',
  'LIMIT_EXCEEDED',
  'NOT_FOUND',
  'CONFLICT',
  'PRECONDITION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'RANGE_NOT_SATISFIABLE',
  'NOT_RENDERABLE',
  'RATE_LIMITED',
  'UNAVAILABLE',
  'INTERNAL_ERROR',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

export class PimletError extends Error {
  override readonly name = 'PimletError'
  readonly code: ErrorCode
  /** Seconds; sent as Retry-After where the client may try again. */
  readonly retryAfter: number | undefined
  /** Bytes of the file that lacks the asked range; sent as Content-Range. */
  readonly size: number | undefined

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; retryAfter?: number; size?: number } = {}) {
    // Here, because a message may show anything that a client sends.
    super(escapeControls(message), options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.retryAfter = options.retryAfter
    this.size = options.size
  }
}

/** `message` names the invalid field. */
export function invalid(message: string): PimletError {
  return new PimletError('VALIDATION_ERROR', message)
}

/** A line, or a body, names records that do not exist: yet, where more lines follow. */
export class MissingRecord extends PimletError {
  constructor(message: string) {
    super('VALIDATION_ERROR', message)
  }
}

/** Whether the input causes the error. Other errors would hit other input, too. */
export function isRefusal(error: unknown): error is PimletError {
  return error instanceof PimletError && error.code !== 'UNAVAILABLE' && error.code !== 'INTERNAL_ERROR'
}

/** `resource` is the type as a client knows it: `Record`, `Schema`, … */
export function notFound(resource: string, id: string, because?: string): PimletError {
  const message = `${resource} '${shorten(id)}' does not exist`
  return new PimletError('NOT_FOUND', because === undefined ? message : `${message}: ${because}`)
}

export function conflict(message: string): PimletError {
  return new PimletError('CONFLICT', message)
}

export function alreadyExists(resource: string, id: string): PimletError {
  return conflict(`${resource} with the ID '${shorten(id)}' already exists`)
}

export function denied(message: string): PimletError {
  return new PimletError('PERMISSION_DENIED', message)
}

export function unauthorized(message = 'Missing or invalid credentials'): PimletError {
  return new PimletError('UNAUTHORIZED', message)
}

/** Client text that goes into a message: never longer than a line. */
export function shorten(text: string, max = 140): string {
  return text.length <= max ? text : `${text.slice(0, max)}…`
}
