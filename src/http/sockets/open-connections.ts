// Which connections the server keeps: a limited number in all and for one address. An idle connection is closed to make room
// for a new one. Where none is idle, a few more are kept for just long enough to ask for health.
import type { BlockList, Socket } from 'node:net'
import { isAmong } from '../../kernel/settings/networks.ts'
import type { Exchange } from '../pipeline/exchange.ts'

export interface ConnectionLimits {
  readonly maxConnections: number
  /** Connections of one address, except a trusted proxy's. */
  readonly maxConnectionsPerAddress: number
  /** Beyond these, connections that may ask for health alone. */
  readonly reservedConnections: number
  /** Milliseconds until such a connection must send a request. */
  readonly reservedTimeout: number
  /** Milliseconds after which an idle connection may be closed for a new one. */
  readonly idleTime: number
}

export interface KeptConnection extends Socket {
  /** The latest on this connection. */
  exchange?: Exchange
  /** Set if the server refuses the connection: the reason, sent or still to send. */
  refusal?: string
}

/** The facts of a counted connection. */
interface Kept {
  readonly address: string
  /** Milliseconds on the monotonic clock. */
  readonly since: number
}

export class Connections {
  readonly #limits: ConnectionLimits
  readonly #trusted: BlockList | undefined
  /** The oldest first. */
  readonly #kept = new Map<KeptConnection, Kept>()
  readonly #perAddress = new Map<string, number>()
  /** The oldest first. */
  readonly #reserved = new Set<KeptConnection>()

  constructor(limits: ConnectionLimits, trusted: BlockList | undefined) {
    this.#limits = limits
    this.#trusted = trusted
  }

  get size(): number {
    return this.#kept.size + this.#reserved.size
  }

  /** Keeps the socket as an ordinary connection or, with a `refusal`, as a reserved one. */
  add(socket: KeptConnection): void {
    const address = socket.remoteAddress ?? ''
    const { maxConnections, maxConnectionsPerAddress } = this.#limits
    const isCrowded = (this.#perAddress.get(address) ?? 0) >= maxConnectionsPerAddress && !this.#isTrusted(address)
    if ((isCrowded || this.#kept.size >= maxConnections) && !this.#makeRoom(isCrowded ? address : undefined)) {
      socket.refusal = isCrowded
        ? `Too many connections from one address: at most ${maxConnectionsPerAddress}. Try again later`
        : `The server has too many connections: at most ${maxConnections}. Try again later`
      this.#reserve(socket)
      return
    }
    this.#kept.set(socket, { address, since: performance.now() })
    this.#perAddress.set(address, (this.#perAddress.get(address) ?? 0) + 1)
    socket.once('close', () => this.#forget(socket))
  }

  /** Closes connections that have sent nothing: browsers open some ahead, and Node counts them as busy. */
  closeUnused(): void {
    for (const socket of this.#kept.keys()) if (socket.bytesRead === 0) socket.destroy()
  }

  #isTrusted(address: string): boolean {
    return this.#trusted !== undefined && isAmong(this.#trusted, address)
  }

  /** Closes the longest idle connection; connections without any request go first. @returns whether there was one */
  #makeRoom(address: string | undefined): boolean {
    const before = performance.now() - this.#limits.idleTime
    let idlest: KeptConnection | undefined
    for (const [socket, kept] of this.#kept) {
      if (address !== undefined && kept.address !== address) continue
      const { exchange } = socket
      if (exchange === undefined) {
        if (kept.since < before) {
          idlest = socket
          break
        }
      } else if (exchange.response.writableFinished && exchange.startedAt < before) {
        if (idlest === undefined || exchange.startedAt < idlest.exchange!.startedAt) idlest = socket
      }
    }
    if (idlest === undefined) return false
    this.#forget(idlest)
    idlest.destroy()
    return true
  }

  #forget(socket: KeptConnection): void {
    const kept = this.#kept.get(socket)
    if (kept === undefined) return
    this.#kept.delete(socket)
    const others = this.#perAddress.get(kept.address)! - 1
    if (others === 0) this.#perAddress.delete(kept.address)
    else this.#perAddress.set(kept.address, others)
  }

  #reserve(socket: KeptConnection): void {
    if (this.#reserved.size >= this.#limits.reservedConnections) {
      const [oldest] = this.#reserved
      this.#reserved.delete(oldest!)
      oldest!.destroy()
    }
    this.#reserved.add(socket)
    const timer = setTimeout(() => socket.destroy(), this.#limits.reservedTimeout).unref()
    socket.once('close', () => {
      clearTimeout(timer)
      this.#reserved.delete(socket)
    })
  }
}
