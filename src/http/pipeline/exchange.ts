// One request and its response on their way through the pipeline.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../core/accounts/caller.ts'
import type { RequestInfo, Route } from '../route.ts'
import type { Lingering } from '../sockets/lingering.ts'
import type { BasePath } from './forwarded-prefix.ts'
import type { UnsentBytes } from '../sockets/unsent-answers.ts'

export class Exchange implements RequestInfo {
  readonly id: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly address: string
  /** Unsent bytes of the connection. */
  readonly unsent: UnsentBytes
  readonly lingering: Lingering
  readonly basePath: BasePath
  /** Milliseconds on the monotonic clock. */
  readonly startedAt: number
  /** As the client sent it. HEAD is routed as GET; Node omits the body itself. */
  readonly method: string
  /** Between the slashes, still percent-encoded. */
  segments: string[] = []
  /** After the question mark, still percent-encoded. */
  search = ''
  caller: Caller | undefined
  /** The route, for the log line; set as soon as it is known. */
  route: Route | undefined
  #abort: AbortController | undefined

  constructor(
    id: string,
    request: IncomingMessage,
    response: ServerResponse,
    from: { address: string; unsent: UnsentBytes; lingering: Lingering; basePath: BasePath },
  ) {
    this.id = id
    this.request = request
    this.response = response
    this.address = from.address
    this.unsent = from.unsent
    this.lingering = from.lingering
    this.basePath = from.basePath
    this.startedAt = performance.now()
    this.method = request.method ?? ''
    if (this.method === 'HEAD') request.method = 'GET'
  }

  get routedMethod(): string {
    return this.request.method ?? ''
  }

  get prefix(): string {
    return this.basePath.before(this.request)
  }

  get accept(): string | undefined {
    return this.request.headers.accept
  }

  get acceptEncoding(): string | undefined {
    const header = this.request.headers['accept-encoding']
    return typeof header === 'string' ? header : undefined
  }

  get isHead(): boolean {
    return this.method === 'HEAD'
  }

  get ifNoneMatch(): string | undefined {
    return this.request.headers['if-none-match']
  }

  get range(): string | undefined {
    return this.request.headers.range
  }

  get ifRange(): string | undefined {
    const header = this.request.headers['if-range']
    return typeof header === 'string' ? header : undefined
  }

  get bearerToken(): string | undefined {
    const { authorization } = this.request.headers
    if (authorization === undefined || authorization.length < 8) return undefined
    return authorization.slice(0, 7).toLowerCase() === 'bearer ' ? authorization.slice(7).trim() : undefined
  }

  get apiKey(): string | undefined {
    const header = this.request.headers['x-service-apikey']
    return typeof header === 'string' ? header : undefined
  }

  /** The party that limits apply to: the credential, checked or not, or else the address. */
  get party(): string {
    return this.apiKey ?? this.request.headers.authorization ?? this.address
  }

  whenRoom(): Promise<void> {
    return this.unsent.all.whenRoom(() => this.response.destroyed)
  }

  /** Aborted when the client hangs up. Made on demand: most handlers are done before anybody could. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const controller = new AbortController()
      this.#abort = controller
      const { response } = this
      if (response.destroyed) controller.abort()
      else
        response.once('close', () => {
          if (!response.writableFinished) controller.abort()
        })
    }
    return this.#abort.signal
  }
}
