// Requests that a client sends before it has taken the previous answer. They wait, and nothing more is read of their
// connection. So a client that keeps asking and reads no answers costs only the one answer that it does not take.
import type { Socket } from 'node:net'
import type { Exchange } from '../pipeline/exchange.ts'

export interface PipelineLimits {
  /** Requests of one connection that may wait; with more it is closed. A single read from the socket can bring hundreds. */
  readonly maxWaitingRequests: number
  /** The limit of all connections together. */
  readonly maxAllWaitingRequests: number
}

/** How many wait on all connections. */
export interface WaitingCount {
  number: number
}

export class PipelinedRequests {
  readonly #socket: Socket
  readonly #serve: (exchange: Exchange) => void
  readonly #limits: PipelineLimits
  readonly #all: WaitingCount
  #waiting: Exchange[] = []

  constructor(socket: Socket, serve: (exchange: Exchange) => void, limits: PipelineLimits, all: WaitingCount) {
    this.#socket = socket
    this.#serve = serve
    this.#limits = limits
    this.#all = all
    // Node reads on when it looks for the body of a request, or has sent something.
    socket.on('resume', () => {
      if (this.#waiting.length > 0) socket.pause()
    })
  }

  /** `previous` came before it, and its answer has not left. False: the connection holds too many, and is closed. */
  add(exchange: Exchange, previous: Exchange): boolean {
    const { maxWaitingRequests, maxAllWaitingRequests } = this.#limits
    if (this.#waiting.length >= maxWaitingRequests || this.#all.number >= maxAllWaitingRequests) {
      this.#socket.destroy()
      return false
    }
    if (this.#waiting.length === 0) this.#follow(previous)
    this.#waiting.push(exchange)
    this.#all.number += 1
    this.#socket.pause()
    return true
  }

  #follow({ response }: Exchange): void {
    response.once('close', this.#serveNext)
  }

  readonly #serveNext = (): void => {
    // The connection may be closing anyway, after an answer that said so.
    if (!this.#socket.writable) {
      this.#all.number -= this.#waiting.length
      this.#waiting = []
      return
    }
    const exchange = this.#waiting.shift()!
    this.#all.number -= 1
    if (this.#waiting.length > 0) this.#follow(exchange)
    else this.#socket.resume()
    this.#serve(exchange)
  }
}
