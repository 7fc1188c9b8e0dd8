// The failures of a request, in the form for screens. Contract 2 §1 (errors), 3 §10.

/** The server refused: its code, its message, and the ID of the request in the server's log. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: string
  readonly status: number
  readonly requestId: string
  /** Seconds until another attempt may succeed; undefined: the server gives no time. */
  readonly retryAfter: number | undefined

  constructor(told: { code: string; message: string; status: number; requestId: string; retryAfter?: number }) {
    super(told.message)
    this.code = told.code
    this.status = told.status
    this.requestId = told.requestId
    this.retryAfter = told.retryAfter
  }
}

/** No answer came, so the outcome of the request is unknown. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'

  constructor(cause: unknown) {
    super('The server does not answer', { cause })
  }
}

/** Returns whether the caller cancelled the request. */
export function isAborted(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

/** @throws never: the status describes an answer that is not JSON (for example of a proxy) */
export async function refusalOf(response: Response): Promise<Refusal> {
  const told: unknown = await response.json().catch(() => undefined)
  const { error, message } = (typeof told === 'object' && told !== null ? told : {}) as Record<string, unknown>
  const wait = Number(response.headers.get('Retry-After') ?? Number.NaN)
  return new Refusal({
    code: typeof error === 'string' ? error : 'INTERNAL_ERROR',
    message: typeof message === 'string' ? message : `${response.status} ${response.statusText}`.trim(),
    status: response.status,
    requestId: response.headers.get('X-Request-Id') ?? '',
    ...(Number.isFinite(wait) ? { retryAfter: wait } : {}),
  })
}

/** Returns whether a later attempt may succeed: no answer came, or the answer indicates it. */
export function isPassing(error: unknown): boolean {
  if (error instanceof Unreachable) return true
  return error instanceof Refusal && (error.status === 429 || error.status === 502 || error.status === 503)
}
