// Leases among the servers of a workspace: within this process one holder after another, among processes the one that
// has the row. A lease is renewed while this process lives, and lost where that is late.
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
  /** When it was renewed last, by this process's clock. */
  renewedAt: number
}

interface DatabaseLeasesParts {
  /** A connection for writing. */
  readonly connect: () => Promise<Connection>
  /** Names this server among all. */
  readonly owner: string
  readonly onFault: (message: string, error: unknown) => void
}

export class DatabaseLeases implements Leases {
  readonly #parts: DatabaseLeasesParts
  readonly #local = new LocalLeases()
  readonly #held = new Map<string, Held>()
  readonly #closing = new AbortController()
  /** Questions to the database that are under way: they end before the connection is closed. */
  readonly #underWay = new Set<Promise<unknown>>()
  #judging: NodeJS.Timeout | undefined
  #connection: Promise<Connection> | undefined
  #renewing: Promise<void> | undefined

  constructor(parts: DatabaseLeasesParts) {
    this.#parts = parts
  }

  /** From now on other servers know that this server lives. */
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
      // They end by themselves.
    }
  }

  #lease(name: string, local: Lease, term: number, renewedAt: number): Lease {
    const held: Held = { term, lost: new AbortController(), renewedAt }
    this.#held.set(name, held)
    const release = (): void => {
      // Closing gives up all leases.
      if (this.#held.get(name) !== held || this.#closing.signal.aborted) {
        local.release()
        return
      }
      this.#held.delete(name)
      const givingUp = this.connection().then((connection) => giveUpLease(connection, name, this.#parts.owner))
      // The next of this process has it to take, and so comes behind.
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

  /** While the database does not answer, no server has the lease. */
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
      // Another term: another server had the lease in between.
      if (term !== held.term) this.#lose(name, held)
    } catch (error) {
      // A database that does not answer gives the lease to no other server either, until it expires.
      if (!(error instanceof PimletError)) this.#parts.onFault('Renewing a lease failed', error)
    }
  }

  #judge(): void {
    const oldest = performance.now() - SECONDS_OF_LEASE * 1000
    for (const [name, held] of this.#held) if (held.renewedAt < oldest) this.#lose(name, held)
  }

  /** The lease of the server itself is renewed as soon as possible: no other server wants it. */
  #lose(name: string, held: Held): void {
    if (name === leaseOfServer(this.#parts.owner) || this.#held.get(name) !== held) return
    this.#held.delete(name)
    held.lost.abort()
  }

  /** The connection that all of them share. */
  async connection(): Promise<Connection> {
    const present = this.#connection
    const known = await present?.catch(() => undefined)
    if (known !== undefined && !known.closed.aborted) return known
    if (this.#connection === present) this.#connection = this.#parts.connect()
    return this.#connection!
  }
}
