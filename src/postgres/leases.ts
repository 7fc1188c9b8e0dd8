// Leases among the servers of a workspace. Within this process, one holder follows another. Among processes, the holder
// is the process that has the row. This process renews its leases while it lives, and loses a lease that it renews too
// late.
import { setTimeout as sleep } from 'node:timers/promises'
import { PimletError } from '../kernel/errors.ts'
import { LocalLeases } from '../store/local-leases.ts'
import type { Lease, Leases } from '../store/run-port.ts'
import type { Connection } from './connection.ts'
import { forgetGoneServers, giveUpLease, leaseOfServer, SECONDS_OF_LEASE, takeLease } from './lease-rows.ts'

const MILLISECONDS_BETWEEN = 5000
/** Between two checks whether the leases were renewed in time: a database that does not answer reports no loss. */
const MILLISECONDS_TO_JUDGE = 1000
/** Between two checks whether another server has released a lease. */
const MILLISECONDS_TO_LOOK = 1000

interface Held {
  readonly term: number
  readonly lost: AbortController
  /** Time of the last renewal, by this process's clock. */
  renewedAt: number
}

interface DatabaseLeasesParts {
  /** A connection for writing. */
  readonly connect: () => Promise<Connection>
  /** Names this server among all servers. */
  readonly owner: string
  readonly onFault: (message: string, error: unknown) => void
}

export class DatabaseLeases implements Leases {
  readonly #parts: DatabaseLeasesParts
  readonly #local = new LocalLeases()
  readonly #held = new Map<string, Held>()
  readonly #closing = new AbortController()
  /** Queries that are under way: they end before the connection is closed. */
  readonly #underWay = new Set<Promise<unknown>>()
  #judging: NodeJS.Timeout | undefined
  #connection: Promise<Connection> | undefined
  #renewing: Promise<void> | undefined

  constructor(parts: DatabaseLeasesParts) {
    this.#parts = parts
  }

  /** Shows other servers that this server lives, from now on. */
  async begin(): Promise<void> {
    const name = leaseOfServer(this.#parts.owner)
    const connection = await this.connection()
    await forgetGoneServers(connection)
    const term = (await takeLease(connection, name, this.#parts.owner))!
    this.#held.set(name, { term, lost: new AbortController(), renewedAt: performance.now() })
    this.#renewing = this.#renew()
    this.#judging = setInterval(() => this.#judge(), MILLISECONDS_TO_JUDGE).unref()
  }

  async hold(name: string, onWait?: () => void): Promise<Lease> {
    const local = await this.#local.hold(name, onWait)
    for (;;) {
      if (this.#closing.signal.aborted) throw new PimletError('UNAVAILABLE', 'The server is shutting down')
      const asked = performance.now()
      const term = await this.#note(this.#take(name))
      if (term !== undefined) return this.#lease(name, local, term, asked)
      onWait?.()
      await sleep(MILLISECONDS_TO_LOOK, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined)
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#local.close()
    clearInterval(this.#judging)
    await Promise.allSettled([this.#renewing, ...this.#underWay])
    for (const { lost } of this.#held.values()) lost.abort()
    try {
      const connection = await this.#connection
      for (const name of this.#held.keys())
        if (connection !== undefined) await giveUpLease(connection, name, this.#parts.owner)
      await connection?.close()
    } catch {
      // The leases expire by themselves.
    }
  }

  #lease(name: string, local: Lease, term: number, renewedAt: number): Lease {
    const held: Held = { term, lost: new AbortController(), renewedAt }
    this.#held.set(name, held)
    const release = (): void => {
      // `close` releases all leases.
      if (this.#held.get(name) !== held || this.#closing.signal.aborted) {
        local.release()
        return
      }
      this.#held.delete(name)
      const givingUp = this.connection().then((connection) => giveUpLease(connection, name, this.#parts.owner))
      // The next holder in this process takes the row itself, so the holder must wait until the row is free.
      void this.#note(givingUp.catch(() => undefined).then(() => local.release()))
    }
    return { name, term, signal: AbortSignal.any([held.lost.signal, local.signal]), release }
  }

  #note<Result>(asking: Promise<Result>): Promise<Result> {
    const over = (): void => void this.#underWay.delete(asking)
    this.#underWay.add(asking)
    asking.then(over, over)
    return asking
  }

  /** Resolves to undefined while another server has the lease, or the database does not answer. */
  async #take(name: string): Promise<number | undefined> {
    try {
      return await takeLease(await this.connection(), name, this.#parts.owner)
    } catch (error) {
      if (!(error instanceof PimletError)) throw error
      return undefined
    }
  }

  async #renew(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await sleep(MILLISECONDS_BETWEEN, undefined, { signal, ref: false }).catch(() => undefined)
      for (const [name, held] of this.#held) if (!signal.aborted) await this.#renewOne(name, held)
    }
  }

  async #renewOne(name: string, held: Held): Promise<void> {
    const asked = performance.now()
    try {
      const term = await takeLease(await this.connection(), name, this.#parts.owner)
      if (term !== undefined) held.renewedAt = asked
      // Another term means that another server had the lease in between.
      if (term !== held.term) this.#lose(name, held)
    } catch (error) {
      // While the database does not answer, no other server gets the lease either, until the lease expires.
      if (!(error instanceof PimletError)) this.#parts.onFault('Renewing a lease failed', error)
    }
  }

  #judge(): void {
    const oldest = performance.now() - SECONDS_OF_LEASE * 1000
    for (const [name, held] of this.#held) if (held.renewedAt < oldest) this.#lose(name, held)
  }

  /** Ends a lease, except for the lease of the server itself: no other server wants that lease, and it is renewed later. */
  #lose(name: string, held: Held): void {
    if (name === leaseOfServer(this.#parts.owner) || this.#held.get(name) !== held) return
    this.#held.delete(name)
    held.lost.abort()
  }

  /** The connection that leases, request claims and presences share. */
  async connection(): Promise<Connection> {
    const present = this.#connection
    const known = await present?.catch(() => undefined)
    if (known !== undefined && !known.closed.aborted) return known
    if (this.#connection === present) this.#connection = this.#parts.connect()
    return this.#connection!
  }
}
