// Writes responses: the only place that touches status, headers and body.
import type { PimletError } from '../domain/errors.ts'
import { errorBody, STATUS_OF_ERROR } from './errors.ts'
import type { Exchange } from './exchange.ts'
import { JsonText, Reply } from './json.ts'
import { formatEtag, isNotModified } from './preconditions.ts'
import type { PreparedRoute } from './prepared-route.ts'

/** How long a client may go on sending a body that is refused already, so that it gets to read why. Milliseconds. */
const REFUSED_BODY_GRACE = 2000

export interface Answer {
  readonly status: number
  /** Undefined: no body. */
  readonly text: string | undefined
  /** Name, value, name, value, … */
  readonly headers: string[]
}

/** What a handler's result means. */
export function toAnswer(prepared: PreparedRoute, result: unknown, exchange: Exchange): Answer {
  if (!(result instanceof Reply)) return { status: prepared.status, text: toText(result), headers: [] }
  const headers = Object.entries(result.options.headers ?? {}).flat()
  const text = toText(result.body)
  const status = result.status ?? prepared.status
  const { etag } = result.options
  if (etag === undefined) return { status, text, headers }
  const tag = formatEtag(etag)
  headers.push('ETag', tag)
  const isRead = prepared.method === 'GET' && status === 200
  if (isRead && isNotModified(exchange.request.headers['if-none-match'], tag))
    return { status: 304, text: undefined, headers }
  return { status, text, headers }
}

function toText(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined
  return body instanceof JsonText ? body.text : JSON.stringify(body)
}

export function toErrorAnswer(error: PimletError): Answer {
  const headers: string[] = []
  if (error.code === 'UNAUTHORIZED') headers.push('WWW-Authenticate', 'Bearer')
  if (error.retryAfter !== undefined) headers.push('Retry-After', String(Math.max(1, Math.ceil(error.retryAfter))))
  if (error.code === 'RATE_LIMITED') headers.push('X-RateLimit-Remaining', '0')
  return { status: STATUS_OF_ERROR[error.code], text: errorBody(error), headers }
}

export function send(exchange: Exchange, answer: Answer): void {
  const { response } = exchange
  const headers = commonHeaders(exchange.id)
  if (answer.text !== undefined)
    headers.push('Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(answer.text)))
  else if (answer.status === 200) headers.push('Content-Length', '0')
  if (answer.headers.length > 0) headers.push(...answer.headers)
  response.writeHead(answer.status, headers)
  response.end(answer.text)
  const { request } = exchange
  if (!request.complete) endRefusedBody(exchange)
}

/** What every response carries. Answers are for the caller alone, so nobody in between may keep them. */
export function commonHeaders(requestId: string): string[] {
  return ['X-Request-Id', requestId, 'Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff']
}

function endRefusedBody({ request }: Exchange): void {
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy()
  }, REFUSED_BODY_GRACE)
  timer.unref()
  request.once('close', () => clearTimeout(timer))
}
