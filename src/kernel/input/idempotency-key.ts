// When the answer to a request is kept under its Idempotency-Key, and how long. Contract 3 §2 (Idempotency), 3 §10.
import { invalid } from '../errors.ts'

/** Visible ASCII, which a header carries unchanged. */
const KEY = /^[\x21-\x7e]{1,255}$/

/** Milliseconds that an answer is kept. */
export const KEPT_FOR = 24 * 60 * 60 * 1000
/** Bytes of a body that is kept. */
export const MAX_KEPT_BODY = 64 * 1024
/** Bytes of all kept answers; answers that belong to no write fill at most half of it. */
export const MAX_KEPT_BYTES = 1024 ** 3

/** The key that a request carries; undefined: none. @throws VALIDATION_ERROR */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || KEY.test(header)) return header
  throw invalid('Idempotency-Key must have 1 to 255 visible ASCII characters, and be sent once')
}

/**
 * Whether an answer is kept. Faults of the server are not kept, nor are refusals for a missing credential or for too many
 * requests. `size`: bytes of its body.
 */
export function isKept(status: number, size: number): boolean {
  return status < 500 && status !== 401 && status !== 429 && size <= MAX_KEPT_BODY
}

/** Whether an answer kept at `keptAt` (ISO 8601) is still valid at `now`. */
export function isStillKept(keptAt: string, now: Date): boolean {
  return keptAt >= keptSince(now)
}

/** ISO 8601: older answers are expired at `now`. */
export function keptSince(now: Date): string {
  return new Date(now.getTime() - KEPT_FOR).toISOString()
}
