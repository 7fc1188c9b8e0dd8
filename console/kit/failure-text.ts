// The failure as a sentence, chosen by its code.
import { Refusal, Unreachable } from '../api/failures.ts'
import { t } from '../words/words.ts'

export function failureText(error: Error): string {
  if (error instanceof Unreachable) return t('error.unreachable')
  if (!(error instanceof Refusal)) return t('error.other')
  return t(Object.hasOwn(ERRORS, error.code) ? ERRORS[error.code as keyof typeof ERRORS] : 'error.INTERNAL_ERROR')
}

/** The sentence, and the words of the server. */
export function sayFailure(error: Error): string {
  return error instanceof Refusal ? `${failureText(error)} ${error.message}` : failureText(error)
}

const ERRORS = {
  VALIDATION_ERROR: 'error.VALIDATION_ERROR',
  TRANSITION_ERROR: 'error.TRANSITION_ERROR',
  UNAUTHORIZED: 'error.UNAUTHORIZED',
  PERMISSION_DENIED: 'error.PERMISSION_DENIED',
  LIMIT_EXCEEDED: 'error.LIMIT_EXCEEDED',
  NOT_FOUND: 'error.NOT_FOUND',
  CONFLICT: 'error.CONFLICT',
  PRECONDITION_FAILED: 'error.PRECONDITION_FAILED',
  PAYLOAD_TOO_LARGE: 'error.PAYLOAD_TOO_LARGE',
  RANGE_NOT_SATISFIABLE: 'error.RANGE_NOT_SATISFIABLE',
  NOT_RENDERABLE: 'error.NOT_RENDERABLE',
  RATE_LIMITED: 'error.RATE_LIMITED',
  UNAVAILABLE: 'error.UNAVAILABLE',
  INTERNAL_ERROR: 'error.INTERNAL_ERROR',
} as const
