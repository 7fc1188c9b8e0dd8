// Whether a failed delivery is tried again, and when: exponential backoff with full jitter. Contract 2 §6.

const FIRST_BACKOFF = 1000
const MAX_BACKOFF = 60_000
/** Milliseconds. A destination that asks to wait longer is tried again after this time. */
const MAX_RETRY_AFTER = 5 * 60_000

export interface Attempt {
  readonly error: unknown
  /** 1 for the first attempt. */
  readonly number: number
  readonly maxAttempts: number
  /** Until the last attempt may begin. */
  readonly millisecondsLeft: number
}

type RetryDecision =
  | { readonly kind: 'retry'; readonly delay: number }
  /** `why` is undefined for a fault that no retry can mend. */
  | { readonly kind: 'giveUp'; readonly why: string | undefined }

/** `random`: 0 to 1. Delays are milliseconds. */
export function decideRetry(attempt: Attempt, random: () => number): RetryDecision {
  if (isPermanent(attempt.error)) return { kind: 'giveUp', why: undefined }
  if (attempt.number >= attempt.maxAttempts) return { kind: 'giveUp', why: countAttempts(attempt.number) }
  const backoff = random() * Math.min(MAX_BACKOFF, FIRST_BACKOFF * 2 ** (attempt.number - 1))
  const delay = Math.max(backoff, Math.min(MAX_RETRY_AFTER, requestedDelay(attempt.error)))
  if (delay <= attempt.millisecondsLeft) return { kind: 'retry', delay }
  return { kind: 'giveUp', why: `${countAttempts(attempt.number)}; no time was left for another` }
}

/** Permanent errors have a mark. Their class does not matter, because a plugin has its own classes. */
export function isPermanent(error: unknown): boolean {
  return read(error, 'permanent') === true
}

/** Whether the destination says that the whole job has become pointless. */
export function asksToPause(error: unknown): boolean {
  return isPermanent(error) && read(error, 'pauseJob') === true
}

function requestedDelay(error: unknown): number {
  const milliseconds = read(error, 'retryAfterMs')
  return typeof milliseconds === 'number' && milliseconds > 0 ? milliseconds : 0
}

function read(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[name] : undefined
}

function countAttempts(count: number): string {
  return count === 1 ? 'after 1 attempt' : `after ${count} attempts`
}
