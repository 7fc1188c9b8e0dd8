// What can go wrong with a request, as the screens tell it. Contract 2 §1 (errors), 3 §10.

/** The server refused: its code and message, and the ID under which its log has the request. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: string
  readonly status: number
  readonly requestId: string
  /** Seconds after which it may go better; undefined where the server does not say. */
  readonly retryAfter: number | undefined

  constructor(told: { code: string; message: string; status: number; requestId: string; retryAfter?: number }) {
    super(told.message)
    this.code = told.code
    this.status = told.status
    this.requestId = told.requestId
    this.retryAfter = told.retryAfter
  }
}

/** No answer came: whether the server did what was asked is not known. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'

  constructor(cause: unknown) {
    super('The server does not answer', { cause })
  }
}

/** Whoever asked does not want the answer any more. */
export function isAborted(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

/** @throws never: an answer that is not JSON (of something between here and the server) is told by its status. */
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

/** Whether trying again later may help: no answer, or one that says so. */
export function isPassing(error: unknown): boolean {
  if (error instanceof Unreachable) return true
  return error instanceof Refusal && (error.status === 429 || error.status === 502 || error.status === 503)
}
