// The header Retry-After of an answer, as a wait. RFC 9110 §10.2.3.

const LONGEST_WAIT_MS = 5 * 60_000

/** Milliseconds that a Retry-After header (seconds, or an HTTP date) asks for, five minutes at most; undefined for none or nonsense. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  const isDate = /^[A-Z][a-z]{2}[a-z]*,? /.test(text)
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : isDate ? Date.parse(text) - now : Number.NaN
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_WAIT_MS)
}
