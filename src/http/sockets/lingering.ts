// Connections whose request is answered before all of its body came. A client that is still sending would lose the answer with a
// connection that is closed at once: so the rest is read and dropped, for a bounded time, up to a bounded number of bytes.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface LingerLimits {
  /** Milliseconds in all. */
  readonly lingerTime: number
  /** Milliseconds in which at least `lingerProgress` bytes have to come, again and again. */
  readonly lingerWindow: number
  readonly lingerProgress: number
  /** Bytes of one connection. */
  readonly lingerBytes: number
  /** Connections at once. Beyond these, the one that lingers longest is closed. */
  readonly maxLingering: number
}

/** Milliseconds between two looks at all of them. */
const INTERVAL = 200
/** Milliseconds that a connection may linger while the server stops. */
const STOP_TIME = 1000

interface Lingerer {
  /** Undefined where bytes were answered that are no request. */
  readonly response: ServerResponse | undefined
  /** Milliseconds on the monotonic clock. */
  since: number
  windowFrom: number
  /** Bytes that the connection had brought before it lingers, and before the window. */
  readonly bytesBefore: number
  bytesBeforeWindow: number
}

export class Lingering {
  #limits: LingerLimits
  /** The oldest first. */
  readonly #all = new Map<Socket, Lingerer>()
  #timer: NodeJS.Timeout | undefined

  constructor(limits: LingerLimits) {
    this.#limits = limits
  }

  /**
   * Whether the connection can be kept for the next request: the rest of the body is known to be short. Chunks may be so small
   * that to parse them costs far more than to drop them.
   */
  canKeep({ complete, headers }: IncomingMessage): boolean {
    return complete || Number(headers['content-length'] ?? Infinity) <= this.#limits.lingerBytes
  }

  /** Drops the rest of the body. To be called when the answer is written. */
  drain(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    // Node itself reads no more of a body that was read in part.
    request.resume()
    this.#add(socket, response)
    const leave = (): void => this.#leave(socket)
    request.once('end', leave).once('close', leave)
    // Node calls this after the last answer of a connection.
    socket.destroySoon = () => this.#endWriting(socket)
  }

  /** The same after an answer to bytes that are no request: later bytes are not parsed. */
  drainRaw(socket: Socket): void {
    this.#add(socket, undefined)
    this.#endWriting(socket)
  }

  /** The server stops. */
  hurry(): void {
    this.#limits = { ...this.#limits, lingerTime: Math.min(this.#limits.lingerTime, STOP_TIME) }
  }

  #add(socket: Socket, response: ServerResponse | undefined): void {
    if (this.#all.size >= this.#limits.maxLingering) this.#cutOff(this.#all.keys().next().value!)
    const now = performance.now()
    const { bytesRead } = socket
    const lingerer = { response, since: now, windowFrom: now, bytesBefore: bytesRead, bytesBeforeWindow: bytesRead }
    this.#all.set(socket, lingerer)
    this.#timer ??= setInterval(() => this.#check(), INTERVAL).unref()
  }

  /** Drops all further input without parsing it. */
  #endWriting(socket: Socket): void {
    const drop = (): void => {
      socket.removeAllListeners('data')
      socket.on('data', () => undefined)
    }
    socket.once('end', () => this.#leave(socket))
    socket.end()
    if (!socket.isPaused()) return drop()
    // While Node's parser owns the connection, only Node's own listener can resume it.
    socket.once('resume', drop)
    socket.resume()
  }

  #leave(socket: Socket): void {
    if (!this.#all.delete(socket)) return
    delete (socket as Partial<Socket>).destroySoon
    if (socket.writableEnded) socket.destroySoon()
  }

  #check(): void {
    const now = performance.now()
    for (const [socket, lingerer] of this.#all)
      if (socket.destroyed || this.#isOver(lingerer, socket.bytesRead, now)) this.#cutOff(socket)
    if (this.#all.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #isOver(lingerer: Lingerer, bytes: number, now: number): boolean {
    // A client that is slow to take its answer is cut off by `UnsentAnswers`.
    if (lingerer.response?.writableFinished === false) lingerer.since = lingerer.windowFrom = now
    const { lingerTime, lingerWindow, lingerProgress, lingerBytes } = this.#limits
    if (bytes - lingerer.bytesBefore > lingerBytes || now - lingerer.since > lingerTime) return true
    if (now - lingerer.windowFrom <= lingerWindow) return false
    const progress = bytes - lingerer.bytesBeforeWindow
    lingerer.windowFrom = now
    lingerer.bytesBeforeWindow = bytes
    return progress < lingerProgress
  }

  #cutOff(socket: Socket): void {
    this.#all.delete(socket)
    socket.destroy()
  }
}
