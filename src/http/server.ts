// The listening socket: limits on connections and time, answers to what is no HTTP, and the graceful stop. Decisions §8.
import { createServer, IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo, BlockList, Socket } from 'node:net'
import { invalid, PimletError } from '../domain/errors.ts'
import type { Log } from '../log.ts'
import type { System } from '../system.ts'
import { clientAddress } from './client-address.ts'
import { errorBody, STATUS_OF_ERROR } from './errors.ts'
import { Exchange } from './exchange.ts'
import type { Pipeline } from './pipeline.ts'
import { commonHeaders } from './response.ts'
import { type Connection, TurnQueue } from './turn-queue.ts'

/** Milliseconds where nothing else is said. */
export interface ServerLimits {
  readonly headersTimeout: number
  readonly keepAliveTimeout: number
  readonly connectionsCheckingInterval: number
  /** Bytes of the request line and all headers. */
  readonly maxHeaderSize: number
  readonly maxConnections: number
}

export const SERVER_LIMITS: ServerLimits = {
  headersTimeout: 15_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
  maxConnections: 2_000,
}

export interface HttpServerOptions {
  readonly limits: ServerLimits
  readonly trustedProxies: BlockList | undefined
  readonly system: Pick<System, 'newId'>
}

/** Above the cap, this many connections more are told so; beyond them the socket just closes. */
const POLITE_CONNECTIONS = 200

class ExchangeRequest extends IncomingMessage {
  declare exchange: Exchange
}

interface ExchangeSocket extends Socket, Connection {
  /** The latest on this connection. */
  exchange?: Exchange
  /** Was told already that the server does not serve it. */
  isRefused?: boolean
}

export class HttpServer {
  readonly #server: Server<typeof ExchangeRequest>
  readonly #limits: ServerLimits
  readonly #log: Log
  /** Begins the IDs of this start's requests. */
  readonly #start: string
  readonly #turns = new TurnQueue()
  #requests = 0
  #connections = 0

  constructor(pipeline: Pipeline, log: Log, { limits, trustedProxies, system }: HttpServerOptions) {
    this.#start = system.newId('req')
    this.#limits = limits
    this.#log = log
    this.#server = createServer({
      IncomingMessage: ExchangeRequest,
      headersTimeout: limits.headersTimeout,
      // Bodies have limits of their own (`body.ts`, `body-stream.ts`); one that nobody reads ends with the answer.
      requestTimeout: 0,
      keepAliveTimeout: limits.keepAliveTimeout,
      connectionsCheckingInterval: limits.connectionsCheckingInterval,
      maxHeaderSize: limits.maxHeaderSize,
      requireHostHeader: false,
      noDelay: true,
      // Most requests have no body: what a stream does in its life took a tenth of a GET's time.
      optimizeEmptyRequests: true,
    })
    const handle = (request: ExchangeRequest, response: ServerResponse): void => {
      const socket: ExchangeSocket = request.socket
      if (socket.isRefused === true) return
      const exchange = new Exchange(this.#nextRequestId(), request, response, clientAddress(request, trustedProxies))
      request.exchange = exchange
      socket.exchange = exchange
      this.#turns.add(socket, () => void pipeline.handle(exchange))
    }
    this.#server.on('request', handle)
    this.#server.on('checkExpectation', handle)
    this.#server.on('connection', (socket) => this.#count(socket))
    this.#server.on('clientError', (error, socket) => this.#refuse(error, socket as ExchangeSocket))
    this.#server.maxConnections = limits.maxConnections + POLITE_CONNECTIONS
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

  /** Accepts no more, lets the requests under way finish for `grace` milliseconds, then destroys what is left. */
  async stop(grace: number): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
    })
    const timer = setTimeout(() => {
      this.#log.warn({ connections: this.#connections }, 'requests did not finish in time and are cut off')
      this.#server.closeAllConnections()
    }, grace)
    await closed
    clearTimeout(timer)
  }

  #count(socket: Socket): void {
    this.#connections += 1
    socket.once('close', () => {
      this.#connections -= 1
    })
    if (this.#connections > this.#limits.maxConnections)
      this.#writeRaw(socket, new PimletError('UNAVAILABLE', 'The server has too many connections: try again later'))
  }

  /** Node's parser or a timeout gave up on what arrived. */
  #refuse(error: NodeJS.ErrnoException, socket: ExchangeSocket): void {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswerPending(socket.exchange)) {
      socket.destroy()
      return
    }
    this.#writeRaw(socket, describeClientError(error))
  }

  /** An answer without a request: JSON all the same. Ending alone would leave the socket open as long as the peer likes. */
  #writeRaw(socket: ExchangeSocket, error: PimletError): void {
    const status = STATUS_OF_ERROR[error.code]
    const body = errorBody(error)
    const headers = [...commonHeaders(this.#nextRequestId()), 'Content-Type', 'application/json', 'Connection', 'close']
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
    for (let index = 0; index < headers.length; index += 2) head += `${headers[index]}: ${headers[index + 1]}\r\n`
    socket.isRefused = true
    socket.on('error', () => socket.destroy())
    socket.write(`${head}\r\n${body}`)
    socket.destroySoon()
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

function describeClientError(error: NodeJS.ErrnoException): PimletError {
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return new PimletError('PAYLOAD_TOO_LARGE', 'The request line and headers are too large')
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return invalid('The request did not arrive in time')
  return invalid('The request is not valid HTTP')
}
