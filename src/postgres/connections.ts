// The reading connections of one server. All short reads share a few; a bounded number is lent. Borrowers read one
// snapshot, search, or read in slices.
import { PimletError } from '../kernel/errors.ts'
import { assertThere, Connection, type ConnectionOptions } from './connection.ts'
import { isAway } from './postgres-errors.ts'
import { Availability } from './availability.ts'

interface ConnectionsOptions {
  readonly url: string
  /** The number of connections that short reads share. */
  readonly shared?: number
}

/** Most connections that are lent at a time. */
const MOST_LENT = 8
const MILLISECONDS_OF_SHORT_READS = 30_000

/**
 * Settings of a connection that locks the workspace row. A server that hangs, or is cut off, blocks other servers no
 * longer than this.
 */
export const WRITER = { idle_in_transaction_session_timeout: '4s', lock_timeout: '10s' }

export class Connections {
  /** While the database is away, callers are refused at once. */
  readonly availability: Availability
  readonly #url: string
  readonly #shared: (Promise<Connection> | undefined)[]
  readonly #idle: Connection[] = []
  readonly #waiting: (() => void)[] = []
  #lent = 0
  #turn = 0
  #isClosed = false

  constructor({ url, shared = 2 }: ConnectionsOptions) {
    this.#url = url
    this.availability = new Availability(() => assertThere(url))
    this.#shared = Array.from({ length: shared })
  }

  /** Returns a connection for short reads. Statements are sent without waiting for earlier answers. @throws UNAVAILABLE */
  async shared(): Promise<Connection> {
    this.#assertOpen()
    this.availability.assertThere()
    const place = (this.#turn += 1) % this.#shared.length
    const before = this.#shared[place]
    const known = await before?.catch(() => undefined)
    if (known !== undefined && !known.closed.aborted) return known
    const settings = { statement_timeout: MILLISECONDS_OF_SHORT_READS, default_transaction_read_only: 'on' }
    // Another caller may have begun to open this connection meanwhile.
    if (this.#shared[place] === before)
      this.#shared[place] = this.#open({ url: this.#url, isPipelined: true, settings })
    return this.#shared[place]!
  }

  /**
   * Opens the connections that short reads share, so that the first reads need not wait.
   * @throws UNAVAILABLE
   */
  async prepare(): Promise<void> {
    await Promise.all(this.#shared.map(() => this.shared()))
  }

  /**
   * The connection of the only writer.
   * @throws UNAVAILABLE
   */
  writer(): Promise<Connection> {
    return this.#connect({ url: this.#url, isPipelined: true, settings: WRITER })
  }

  /**
   * Lends a connection until `work` has ended. A caller waits while all connections are lent.
   * @throws UNAVAILABLE
   */
  async lend<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = await this.#borrow()
    try {
      return await work(connection)
    } finally {
      this.#giveBack(connection)
    }
  }

  async #borrow(): Promise<Connection> {
    this.#assertOpen()
    this.availability.assertThere()
    if (this.#lent >= MOST_LENT) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#lent += 1
    try {
      this.#assertOpen()
      const settings = { default_transaction_read_only: 'on', plan_cache_mode: 'force_custom_plan' }
      let connection = this.#idle.pop()
      while (connection?.closed.aborted === true) connection = this.#idle.pop()
      return connection ?? (await this.#open({ url: this.#url, settings }))
    } catch (error) {
      this.#leave()
      throw error
    }
  }

  /** Takes a connection back. The connection has no transaction under way, or is closed. */
  #giveBack(connection: Connection): void {
    if (this.#isClosed) void connection.close()
    else if (!connection.closed.aborted) this.#idle.push(connection)
    this.#leave()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.availability.close()
    for (const wake of this.#waiting.splice(0)) wake()
    const shared = this.#shared.map(async (opening) => (await opening?.catch(() => undefined))?.close())
    await Promise.all([...shared, ...this.#idle.splice(0).map((connection) => connection.close())])
  }

  async #open(options: ConnectionOptions): Promise<Connection> {
    const connection = await this.#connect(options)
    if (!this.#isClosed) return connection
    await connection.close()
    throw closing()
  }

  async #connect(options: ConnectionOptions): Promise<Connection> {
    this.availability.assertThere()
    try {
      return await Connection.open({ ...options, onAway: () => this.availability.lost() })
    } catch (error) {
      if (isAway(error)) this.availability.lost()
      throw error
    }
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#lent -= 1
    else next()
  }

  #assertOpen(): void {
    if (this.#isClosed) throw closing()
  }
}

function closing(): PimletError {
  return new PimletError('UNAVAILABLE', 'The server is shutting down')
}
