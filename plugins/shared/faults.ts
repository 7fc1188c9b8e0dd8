// Shared by the built-in destinations: waits that end with the run, and messages of faults without secrets.

/** Settles like the work, or rejects with the signal's reason if that comes first. For waits that take no signal. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    signal.throwIfAborted()
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Names the place in the message of a fault. All else of the fault stays. */
export function atPlace(place: string, fault: unknown): unknown {
  if (fault instanceof Error && !fault.message.includes(place)) fault.message = `${place}: ${fault.message}`
  return fault
}

/** Returns at most 500 characters of the text, without these secrets. */
export function blot(text: string, secrets: readonly (string | undefined)[]): string {
  let clean = text
  for (const secret of secrets) if (secret) clean = clean.replaceAll(secret, '********')
  return clean.slice(0, 500)
}

/**
 * `S3 answered AccessDenied (HTTP 403)`. The reader may have chosen the address. So the message repeats nothing of the
 * response's body, and only codes that the store is known to send.
 */
export function describeAnswer(store: string, code: string, status: number, known: ReadonlySet<string>): string {
  return known.has(code) ? `${store} answered ${code} (HTTP ${status})` : `${store} answered HTTP ${status}`
}

const PASSING_STATUSES = new Set([408, 409, 425, 429])

/** @param passing codes of the store that a retry may avoid */
export function isPermanentAnswer(code: string, status: number, passing: ReadonlySet<string>): boolean {
  if (passing.has(code) || PASSING_STATUSES.has(status)) return false
  return status < 500 || status === 501
}

/** Returns the milliseconds of a Retry-After header, which holds seconds or a date. */
export function retryAfterMs(header: string | undefined): number | undefined {
  if (!header) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
