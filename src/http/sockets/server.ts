// The listening socket: limits on connections and time, refusals of input that is not HTTP, and the graceful stop.
// Contract 2 §8.
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { type AddressInfo, type BlockList, isIP } from 'node:net'
import { invalid, PimletError } from '../../kernel/errors.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Log } from '../../kernel/observing/log.ts'
import { isAmong } from '../../kernel/settings/networks.ts'
import { errorBody, STATUS_OF_ERROR } from '../answers/error-replies.ts'
import { commonHeaders } from '../answers/response.ts'
import { Exchange } from '../pipeline/exchange.ts'
import { BasePath } from '../pipeline/forwarded-prefix.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import { JoiningRequest } from './joining-request.ts'
import { Lingering, type LingerLimits } from './lingering.ts'
import { type ConnectionLimits, Connections, type KeptConnection } from './open-connections.ts'
import { PipelinedRequests, type PipelineLimits, type WaitingCount } from './pipelined-requests.ts'
import { type ReadingLimits, SlicedReading } from './sliced-reading.ts'
import { type Connection, TurnQueue } from './turn-queue.ts'
import { UnsentAnswers, type UnsentBytes, type UnsentLimits } from './unsent-answers.ts'

/** Milliseconds where nothing else is said. */
export interface ServerLimits extends ConnectionLimits, LingerLimits, PipelineLimits, ReadingLimits, UnsentLimits {
  readonly headersTimeout: number
  readonly keepAliveTimeout: number
  readonly connectionsCheckingInterval: number
  /** Bytes of the request line and all headers. */
  readonly maxHeaderSize: number
}

export const SERVER_LIMITS: ServerLimits = {
  headersTimeout: 15_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
  maxConnections: 4_000,
  maxConnectionsPerAddress: 1_000,
  reservedConnections: 200,
  reservedTimeout: 2_000,
  idleTime: 1_000,
  maxWaitingRequests: 1_000,
  maxAllWaitingRequests: 10_000,
  maxUnsent: 64 * 1024 ** 2,
  minTakeRate: 8 * 1024,
  takeWindow: 30_000,
  takePatience: 200,
  lingerTime: 30_000,
  lingerWindow: 2_000,
  lingerProgress: 16 * 1024,
  lingerBytes: 64 * 1024 ** 2,
  maxLingering: 500,
  maxUnparsed: 8 * 1024 ** 2,
}

interface HttpServerOptions {
  readonly limits: ServerLimits
  /** Before all paths; '' for none. */
  readonly basePath: string
  readonly trustedProxies: BlockList | undefined
  readonly system: Pick<System, 'newId'>
}

/** Seconds after which a client with many small pieces may try again. */
const RETRY_AFTER = 5
/** Connections that are being closed may exceed the limit for a moment. */
const CLOSING_CONNECTIONS = 100

class ExchangeRequest extends JoiningRequest {
  declare exchange: Exchange
}

interface ExchangeSocket extends KeptConnection, Connection {
  isUnread?: () => boolean
  unsent?: UnsentBytes
  pipelined?: PipelinedRequests
  /** Whether the socket's last answer is written. That answer refuses the connection, and answers no request. */
  isEnding?: boolean
}

export class HttpServer {
  readonly #server: Server<typeof ExchangeRequest>
  readonly #limits: ServerLimits
  readonly #log: Log
  /** Begins the IDs of this start's requests. */
  readonly #start: string
  readonly #turns = new TurnQueue()
  readonly #reading: SlicedReading
  readonly #connections: Connections
  readonly #unsent: UnsentAnswers
  readonly #lingering: Lingering
  readonly #waiting: WaitingCount = { number: 0 }
  readonly #pipeline: Pipeline
  readonly #trustedProxies: BlockList | undefined
  readonly #basePath: BasePath
  #requests = 0

  constructor(pipeline: Pipeline, log: Log, { limits, basePath, trustedProxies, system }: HttpServerOptions) {
    this.#start = system.newId('req')
    this.#limits = limits
    this.#log = log
    this.#pipeline = pipeline
    this.#trustedProxies = trustedProxies
    this.#basePath = new BasePath(basePath, trustedProxies)
    this.#connections = new Connections(limits, trustedProxies)
    this.#unsent = new UnsentAnswers(limits, log)
    this.#lingering = new Lingering(limits)
    this.#reading = new SlicedReading(limits, (socket) => this.#refuse(tooMuchUnparsed(), socket))
    this.#server = createServer({
      IncomingMessage: ExchangeRequest,
      headersTimeout: limits.headersTimeout,
      // Bodies have their own limits (`body.ts`, `body-stream.ts`); an unread body ends with the answer.
      requestTimeout: 0,
      keepAliveTimeout: limits.keepAliveTimeout,
      connectionsCheckingInterval: limits.connectionsCheckingInterval,
      maxHeaderSize: limits.maxHeaderSize,
      requireHostHeader: false,
      noDelay: true,
      // Most requests have no body; a stream's life cycle took a tenth of a GET's time.
      optimizeEmptyRequests: true,
    })
    this.#server.on('request', this.#take)
    this.#server.on('checkExpectation', this.#take)
    this.#server.on('connection', (socket: ExchangeSocket) => this.#welcome(socket))
    this.#server.on('clientError', (error, socket) => this.#refuse(error, socket as ExchangeSocket))
    this.#server.maxConnections = limits.maxConnections + limits.reservedConnections + CLOSING_CONNECTIONS
  }

  /** Resolves to the port, once connections are accepted. @throws the system's error, as EADDRINUSE */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ host, port, backlog: 1024 }, () => {
        this.#server.off('error', reject)
        resolve((this.#server.address() as AddressInfo).port)
      })
    })
  }

  /** Refuses new requests, lets open requests finish for `grace` milliseconds, then closes all connections. */
  async stop(grace: number): Promise<void> {
    this.#lingering.hurry()
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
    })
    this.#connections.closeUnused()
    const timer = setTimeout(() => {
      this.#log.warn({ connections: this.#connections.size }, 'requests did not finish in time and are cut off')
      this.#server.closeAllConnections()
    }, grace)
    await closed
    clearTimeout(timer)
  }

  #welcome(socket: ExchangeSocket): void {
    this.#reading.follow(socket)
    // A client that ends its side has ended the connection, as Node sees it.
    socket.isUnread = () => !socket.writable
    socket.unsent = this.#unsent.of(socket)
    this.#connections.add(socket)
    this.#turns.letIn()
  }

  readonly #take = (request: ExchangeRequest, response: ServerResponse): void => {
    const socket: ExchangeSocket = request.socket
    if (socket.isEnding === true) return
    if (socket.refusal !== undefined) {
      // Such a connection serves one request only.
      if (socket.exchange !== undefined) return
      if (!this.#basePath.healthTargets.has(request.url))
        return this.#writeRaw(socket, new PimletError('UNAVAILABLE', socket.refusal))
      response.setHeader('Connection', 'close')
    }
    const address = clientAddress(request, this.#trustedProxies)
    const exchange = new Exchange(this.#nextRequestId(), request, response, {
      address,
      unsent: socket.unsent!,
      lingering: this.#lingering,
      basePath: this.#basePath,
    })
    request.exchange = exchange
    const previous = socket.exchange
    socket.exchange = exchange
    if (previous === undefined || previous.response.writableFinished) return this.#serve(exchange)
    socket.pipelined ??= new PipelinedRequests(socket, this.#serve, this.#limits, this.#waiting)
    if (!socket.pipelined.add(exchange, previous)) socket.isEnding = true
  }

  readonly #serve = (exchange: Exchange): void => {
    const { url, socket } = exchange.request
    const serve = (): void => {
      // A read for a client that left is skipped; a write is still done.
      if (socket.writable || exchange.routedMethod !== 'GET') void this.#pipeline.handle(exchange)
    }
    // A health check must not wait behind other requests.
    if (this.#basePath.healthTargets.has(url)) serve()
    else this.#turns.add(socket as ExchangeSocket, serve, exchange)
  }

  /** Node's parser, a timeout or a limit refused the input. */
  #refuse(error: NodeJS.ErrnoException | PimletError, socket: ExchangeSocket): void {
    // A browser opens connections ahead. It would take bytes for the answer to the first request that it sends there.
    const isUnused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0
    if (isUnused || error.code === 'ECONNRESET' || !socket.writable || isAnswerPending(socket.exchange)) {
      socket.destroy()
      return
    }
    this.#writeRaw(socket, error instanceof PimletError ? error : describeClientError(error))
  }

  /** An answer without a request: JSON all the same. */
  #writeRaw(socket: ExchangeSocket, error: PimletError): void {
    const status = STATUS_OF_ERROR[error.code]
    const body = errorBody(error)
    const headers = [...commonHeaders(this.#nextRequestId()), 'Content-Type', 'application/json', 'Connection', 'close']
    if (error.retryAfter !== undefined) headers.push('Retry-After', String(error.retryAfter))
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
    for (let index = 0; index < headers.length; index += 2) head += `${headers[index]}: ${headers[index + 1]}\r\n`
    socket.isEnding = true
    socket.on('error', () => socket.destroy())
    socket.write(`${head}\r\n${body}`)
    this.#lingering.drainRaw(socket)
  }

  /** Unique among all starts of the server; no secret. */
  #nextRequestId(): string {
    this.#requests += 1
    return `${this.#start}-${this.#requests.toString(36)}`
  }
}

/** Whether bytes written now would stand before or within the answer to a request that arrived whole. */
function isAnswerPending(exchange: Exchange | undefined): boolean {
  if (exchange === undefined || exchange.response.writableFinished) return false
  return exchange.response.headersSent || exchange.request.complete
}

function tooMuchUnparsed(): PimletError {
  const message = 'Too many requests come in very small pieces: send larger ones, or try again later'
  return new PimletError('UNAVAILABLE', message, { retryAfter: RETRY_AFTER })
}

function describeClientError(error: NodeJS.ErrnoException): PimletError {
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return new PimletError('PAYLOAD_TOO_LARGE', 'The request line and headers are too large')
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return invalid('The request did not arrive in time')
  return invalid('The request is not valid HTTP')
}

/** The rightmost address of X-Forwarded-For that no trusted proxy has, as long as trusted proxies wrote it. */
function clientAddress(request: IncomingMessage, trusted: BlockList | undefined): string {
  let address = request.socket.remoteAddress ?? ''
  if (trusted === undefined) return address
  const forwarded = request.headers['x-forwarded-for']
  const hops = typeof forwarded === 'string' ? forwarded.split(',').map((hop) => hop.trim()) : []
  while (isAmong(trusted, address)) {
    const hop = hops.pop()
    if (hop === undefined || isIP(hop) === 0) break
    address = hop
  }
  return address
}
