// The steps of every request, in this order: shutdown and Host → CORS preflight → authentication → routing → permission →
// parameters and query → body → handler → response. Contract 1 §5, 1 §7, 2 §1.
import { App } from '@tinyhttp/app'
import { invalid, notFound, PimletError, shorten, unauthorized } from '../../kernel/errors.ts'
import { assertPermission } from '../../core/accounts/rules/permissions.ts'
import type { Log } from '../../kernel/observing/log.ts'
import type { Metrics } from '../../kernel/observing/metrics.ts'
import type { Caller } from '../../core/accounts/caller.ts'
import type { Services } from '../../app/app-services.ts'
import { type BodyLimits, ClientGone } from '../bodies/body.ts'
import { Cors } from './cors.ts'
import { HEALTH } from './forwarded-prefix.ts'
import { publicError } from '../answers/error-replies.ts'
import type { Exchange } from './exchange.ts'
import type { ByteStream, JsonStream } from '../answers/replies.ts'
import { Handling, type RouteContext } from './handling.ts'
import { beginOnce } from './idempotent-request.ts'
import { parseIfMatch } from './preconditions.ts'
import { type PreparedRoute, prepareRoute } from './prepared-route.ts'
import { recordExchange } from './request-log.ts'
import { assertDeclaredError } from '../answers/response-check.ts'
import { type Answer, assertRoom, send, sendStream, toErrorAnswer } from '../answers/response.ts'
import type { HeldMemory } from '../../kernel/held-memory.ts'
import type { Readiness } from '../readiness.ts'
import type { Route } from '../route.ts'
import { type PathParams, Router, splitPath } from './router.ts'

export interface PipelineOptions {
  readonly services: Services
  readonly log: Log
  readonly metrics: Pick<Metrics, 'requestEnded'>
  readonly limits: BodyLimits
  readonly held: HeldMemory
  readonly corsOrigins: readonly string[]
  /** For tests: answer 500 and log if a response does not match its route's declaration. */
  readonly checkResponses: boolean
  readonly readiness: Readiness
}

export class Pipeline {
  readonly #options: PipelineOptions
  readonly #router = new Router<PreparedRoute>()
  /** Undefined: no origin is allowed. */
  readonly #cors: Cors | undefined
  readonly #handling: Handling
  readonly #app: App

  constructor(options: PipelineOptions) {
    this.#options = options
    this.#cors = options.corsOrigins.length === 0 ? undefined : new Cors(options.corsOrigins)
    this.#handling = new Handling(options)
    this.#app = this.#createApp()
  }

  /** Adds a table of routes; `rewrite` gives the path of a second mount. */
  mount(routes: readonly Route[], rewrite: (path: string) => string = (path) => path): void {
    for (const route of routes) this.#router.add(prepareRoute(route), rewrite(route.path))
  }

  /** Never rejects. */
  async handle(exchange: Exchange): Promise<void> {
    try {
      const isPassed = await this.#admit(exchange)
      if (isPassed) this.#app.handler(exchange.request as never, exchange.response as never)
    } catch (error) {
      this.#fail(exchange, error)
    }
  }

  /**
   * tinyhttp carries the request from authentication to the route. Its own routing is not used: it tests the regular
   * expression of every mounted path twice per request, ignores case, and answers a bad escape in plain text.
   * With many routes, that costs about as much as the rest of a request.
   */
  #createApp(): App {
    const app = new App({
      settings: { xPoweredBy: false },
      applyExtensions: (_request, _response, next) => next(),
      onError: (error, request) => this.#fail(exchangeOf(request), error),
      noMatchHandler: (request) => this.#fail(exchangeOf(request), unknownPath(exchangeOf(request))),
    })
    app.use(async (request, _response, next) => {
      const isFound = await this.#route(exchangeOf(request))
      if (!isFound) next?.()
    })
    return app
  }

  /** Whether the request may continue; if not, it has its answer. @throws PimletError */
  async #admit(exchange: Exchange): Promise<boolean> {
    const { request } = exchange
    const url = originForm(request.url ?? '')
    const question = url.indexOf('?')
    const target = question === -1 ? url : url.slice(0, question)
    const path = exchange.basePath.isEmpty ? target : exchange.basePath.below(target)
    exchange.search = question === -1 ? '' : url.slice(question + 1)
    if (!this.#options.readiness.isServing && path !== HEALTH)
      throw new PimletError('UNAVAILABLE', 'The server is starting or stopping: try again in a moment')
    // HTTP/1.0, which health checks of load balancers speak, knows no Host.
    if (request.headers.host === undefined && request.httpVersion === '1.1') throw invalid('The Host header is missing')
    const preflight = this.#cors?.preflight(exchange)
    if (preflight !== undefined) {
      this.#send(exchange, preflight)
      return false
    }
    exchange.segments = splitPath(path)
    if (!isOpen(path)) exchange.caller = await this.#authenticate(exchange)
    if (!path.startsWith('/')) throw invalid('The request target must be a path')
    if (path.includes('%')) exchange.segments = exchange.segments.map(decodeSegment)
    return true
  }

  /** After a failure the route is only noted for the log; the answer does not reveal it. @throws UNAUTHORIZED */
  async #authenticate(exchange: Exchange): Promise<Caller> {
    try {
      return await this.#options.services.authentication.authenticate(exchange)
    } catch (error) {
      const segments = exchange.segments.map((segment) => tryDecode(segment) ?? segment)
      exchange.route = this.#router.find(exchange.routedMethod, segments)?.route.route
      throw error
    }
  }

  async #route(exchange: Exchange): Promise<boolean> {
    const match = this.#router.find(exchange.routedMethod, exchange.segments)
    if (match === undefined) return exchange.method === 'OPTIONS' && this.#answerOptions(exchange)
    const prepared = match.route
    exchange.route = prepared.route
    try {
      const context = this.#contextOf(prepared, match.params, exchange)
      const isKeyed = prepared.takesKey && exchange.request.headers['idempotency-key'] !== undefined
      const once = isKeyed ? beginOnce(prepared, exchange, this.#options.services.idempotency) : undefined
      let unsent: Answer | undefined
      try {
        if (once !== undefined) await once.enter()
        const answer = await this.#handling.answer(prepared, context, exchange, once)
        assertRoom(exchange, answer, prepared)
        if (answer.stream === undefined) unsent = answer
        else await this.#sendStream(exchange, answer, answer.stream)
      } finally {
        if (once !== undefined) await once.end()
      }
      // Sent after the key is released, because the client may repeat the request at once.
      if (unsent !== undefined) this.#send(exchange, unsent)
    } catch (error) {
      if (this.#options.checkResponses && error instanceof PimletError) assertDeclaredError(prepared, error)
      throw error
    }
    return true
  }

  /** The handler's context, without the body. @throws UNAUTHORIZED, PERMISSION_DENIED, VALIDATION_ERROR */
  #contextOf(prepared: PreparedRoute, params: PathParams, exchange: Exchange): RouteContext {
    const { route, permission, query } = prepared
    const { search } = exchange
    const ifMatch = exchange.request.headers['if-match']
    const { caller } = exchange
    if (route.access !== 'public' && caller === undefined) throw unauthorized()
    if (permission !== undefined) {
      assertPermission(caller!.role, permission)
      caller!.permission = permission
    }
    return {
      caller,
      params: prepared.checkParams === undefined ? params : prepared.checkParams(params),
      query: (search === '' ? query.ofNone : undefined) ?? query.read(search),
      ifMatch: ifMatch === undefined ? undefined : parseIfMatch(ifMatch),
      body: undefined,
      services: this.#options.services,
      request: exchange,
    }
  }

  /** After authentication, which a preflight does not need: see `cors.ts`. */
  #answerOptions(exchange: Exchange): boolean {
    const methods = this.#router.methodsOf(exchange.segments)
    if (methods.length === 0) return false
    if (methods.includes('GET')) methods.push('HEAD')
    this.#send(exchange, { status: 204, text: undefined, headers: ['Allow', [...methods, 'OPTIONS'].join(', ')] })
    return true
  }

  #fail(exchange: Exchange, thrown: unknown): void {
    const { response } = exchange
    if (thrown instanceof ClientGone || response.destroyed) {
      response.destroy()
      return recordExchange(this.#options, exchange, 0)
    }
    if (response.headersSent) {
      response.destroy()
      return recordExchange(this.#options, exchange, 500, thrown)
    }
    this.#send(exchange, toErrorAnswer(publicError(thrown)), thrown)
  }

  async #sendStream(exchange: Exchange, answer: Answer, stream: JsonStream | ByteStream): Promise<void> {
    this.#addHeaders(exchange, answer)
    await sendStream(exchange, answer, stream)
    recordExchange(this.#options, exchange, answer.status)
  }

  #send(exchange: Exchange, answer: Answer, thrown?: unknown): void {
    this.#addHeaders(exchange, answer)
    send(exchange, answer)
    recordExchange(this.#options, exchange, answer.status, thrown)
  }

  #addHeaders(exchange: Exchange, { headers }: Answer): void {
    const { request, lingering } = exchange
    if (this.#cors !== undefined) headers.push(...this.#cors.headers(exchange))
    const canKeep = request.complete || lingering.canKeep(request)
    if (!canKeep || !this.#options.readiness.isServing) headers.push('Connection', 'close')
  }
}

/** A target may begin with scheme and host, as proxies get it; servers must accept that form, too (RFC 9112 §3.2.2). */
function originForm(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '').replace(/^(?=\?|$)/, '/')
}

/** With all pages below them. */
const OPEN_PAGES = ['/docs', '/console', '/public']

/** Paths that need no credential, whether they exist or not. */
function isOpen(path: string): boolean {
  return (
    path === HEALTH ||
    path.startsWith('/api/v1/auth/') ||
    path === '/' ||
    OPEN_PAGES.some((page) => path === page || (path.startsWith(page) && path[page.length] === '/'))
  )
}

function decodeSegment(segment: string): string {
  const decoded = tryDecode(segment)
  if (decoded === undefined) throw invalid(`The path segment '${shorten(segment)}' is not valid percent-encoded UTF-8`)
  return decoded
}

function tryDecode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

function unknownPath(exchange: Exchange): PimletError {
  return notFound('Path', `${exchange.method} /${exchange.segments.join('/')}`)
}

function exchangeOf(request: object): Exchange {
  return (request as { exchange: Exchange }).exchange
}
