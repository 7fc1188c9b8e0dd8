// Cross-origin requests from browsers (Fetch standard, CORS protocol): refused unless `--cors-origin` names the origin.
import type { Exchange } from './exchange.ts'
import type { Answer } from '../answers/response.ts'

const PREFLIGHT_HEADERS = [
  'Access-Control-Allow-Methods',
  'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers',
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Service-ApiKey',
  'Access-Control-Max-Age',
  '600',
]

export class Cors {
  readonly #origins: ReadonlySet<string>

  /** At least one origin; `*` allows every origin. Credentials travel in headers that a script sets itself, never in cookies. */
  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins)
  }

  /** The answer to a preflight, which carries no credential and so comes before authentication. */
  preflight(exchange: Exchange): Answer | undefined {
    if (exchange.method !== 'OPTIONS') return undefined
    if (exchange.request.headers['access-control-request-method'] === undefined) return undefined
    const isAllowed = this.headers(exchange).length > 2
    return { status: 204, text: undefined, headers: isAllowed ? [...PREFLIGHT_HEADERS] : [] }
  }

  /** Headers of every response. */
  headers(exchange: Exchange): string[] {
    const { origin } = exchange.request.headers
    const headers = ['Vary', 'Origin']
    if (origin !== undefined && (this.#origins.has('*') || this.#origins.has(origin)))
      headers.push(
        'Access-Control-Allow-Origin',
        origin,
        'Access-Control-Expose-Headers',
        'Content-Disposition, ETag, Idempotency-Replayed, Retry-After, X-RateLimit-Remaining, X-Request-Id, X-Total-Count, X-Next-Cursor',
      )
    return headers
  }
}
