// How many bytes of answers the process holds because clients have not taken them yet: for each connection, and in all. A
// client that takes too little of its answer is cut off. When the sum is too large, connections are cut
// off to make room: of the address with the most unsent bytes first, and of these the ones nearest to being cut off anyway.
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../../kernel/observing/log.ts'

export interface UnsentLimits {
  /** Bytes of all connections together. One answer may go beyond it, so that a page of any size can be sent. */
  readonly maxUnsent: number
  /** Bytes a second that a client must take of its answer, over `takeWindow` milliseconds. */
  readonly minTakeRate: number
  readonly takeWindow: number
  /** Milliseconds. A client that has taken something within this time is not cut off to make room. */
  readonly takePatience: number
}

/** Milliseconds after which a waiting stream looks again whether there is room. */
const ROOM_INTERVAL = 100
/** Making room goes down to this share of the limit, so that not every single answer has to make room again. */
const RELIEVED = 0.75
const CHECKS_PER_WINDOW = 30

export class UnsentAnswers {
  readonly limits: UnsentLimits
  readonly #log: Log
  /** Connections with unsent bytes. */
  readonly #behind = new Set<UnsentBytes>()
  #total = 0
  #timer: NodeJS.Timeout | undefined

  constructor(limits: UnsentLimits, log: Log) {
    this.limits = limits
    this.#log = log
  }

  /** The unsent bytes of a connection; its `close` ends the counting. */
  of(socket: Socket): UnsentBytes {
    const bytes = new UnsentBytes(socket, this)
    socket.once('close', () => bytes.drop())
    return bytes
  }

  /** Whether one more answer may be kept. Without room, clients that take nothing are cut off. */
  hasRoom(): boolean {
    if (this.#total < this.limits.maxUnsent) return true
    this.#relieve()
    return this.#total < this.limits.maxUnsent
  }

  /** Resolves when there is room or `isOver` says so. That is soon, since clients that take nothing are cut off. */
  async whenRoom(isOver: () => boolean): Promise<void> {
    while (!isOver() && !this.hasRoom()) await pause(ROOM_INTERVAL)
  }

  /** Only for `UnsentBytes`. */
  count(bytes: number, connection: UnsentBytes): void {
    this.#total += bytes
    if (connection.length === 0) {
      this.#behind.delete(connection)
      if (this.#behind.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    } else if (bytes > 0) {
      this.#behind.add(connection)
      const interval = Math.ceil(this.limits.takeWindow / CHECKS_PER_WINDOW)
      this.#timer ??= setInterval(() => this.#check(), interval).unref()
    }
  }

  #check(): void {
    const now = performance.now()
    this.#cutOff(
      [...this.#behind].filter((connection) => connection.leftAt(now) <= 0).map((slow) => [slow, 'too slow']),
    )
  }

  /** Closes connections of the address with the most unsent bytes, first the connections that are next to be cut off. */
  #relieve(): void {
    const now = performance.now()
    const still = [...this.#behind].filter((connection) => connection.stillSince < now - this.limits.takePatience)
    const perAddress = new Map<string, number>()
    for (const { address, length } of this.#behind) perAddress.set(address, (perAddress.get(address) ?? 0) + length)
    still.sort(
      (one, other) =>
        perAddress.get(other.address)! - perAddress.get(one.address)! || one.leftAt(now) - other.leftAt(now),
    )
    const victims: [UnsentBytes, string][] = []
    let excess = this.#total - this.limits.maxUnsent * RELIEVED
    for (const connection of still) {
      if (excess <= 0) break
      excess -= connection.length
      victims.push([connection, 'no room'])
    }
    this.#cutOff(victims)
  }

  #cutOff(victims: readonly (readonly [UnsentBytes, string])[]): void {
    if (victims.length === 0) return
    const bytes = victims.reduce((sum, [{ length }]) => sum + length, 0)
    const addresses = [...new Set(victims.map(([{ address }]) => address))].slice(0, 10)
    const line = { connections: victims.length, bytes, addresses, reason: victims[0]![1] }
    this.#log.warn(line, 'clients that did not take their answers are cut off')
    for (const [connection] of victims) connection.cutOff()
  }
}

/** Unsent bytes of one connection. */
export class UnsentBytes {
  readonly #all: UnsentAnswers
  readonly #socket: Socket
  /** The client's, as the latest request said. */
  address = ''
  length = 0
  /** Milliseconds that the client may still take nothing; taken bytes add to it, up to the window. */
  #credit: number
  /** The time of the last taken byte, on the monotonic clock. */
  stillSince = 0

  constructor(socket: Socket, all: UnsentAnswers) {
    this.#socket = socket
    this.#all = all
    this.#credit = all.limits.takeWindow
  }

  get all(): UnsentAnswers {
    return this.#all
  }

  hold(bytes: number): void {
    if (this.#socket.destroyed) return
    if (this.length === 0) this.stillSince = performance.now()
    this.length += bytes
    this.#all.count(bytes, this)
  }

  /** The operating system has taken this many bytes for the client. */
  release(bytes: number): void {
    if (this.length === 0) return
    const { minTakeRate, takeWindow } = this.#all.limits
    const now = performance.now()
    this.#credit = Math.min(this.leftAt(now) + (bytes / minTakeRate) * 1000, takeWindow)
    this.stillSince = now
    this.length -= bytes
    this.#all.count(-bytes, this)
  }

  /** Milliseconds for which the client may still take nothing. */
  leftAt(now: number): number {
    return this.#credit - (now - this.stillSince)
  }

  drop(): void {
    const bytes = this.length
    this.length = 0
    if (bytes > 0) this.#all.count(-bytes, this)
  }

  /** Resets the connection: after an ordinary close the operating system would go on holding the unsent bytes. */
  cutOff(): void {
    this.drop()
    this.#socket.resetAndDestroy()
  }
}
