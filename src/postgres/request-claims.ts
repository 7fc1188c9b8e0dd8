// Claims of requests with an Idempotency-Key that are under way, for all servers of a workspace. A living server renews
// its claims; the claims of a dead server expire soon. Times are those of the database's clock, as for leases.
import type { RequestClaims } from '../store/answer-port.ts'
import type { Connection } from './connection.ts'
import { SECONDS_OF_LEASE } from './lease-rows.ts'

const TAKE = `INSERT INTO request_claim (id, holder, until) VALUES ($1, $2, clock_timestamp() + $3 * interval '1 second')
  ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, until = excluded.until
    WHERE request_claim.holder = excluded.holder OR request_claim.until < clock_timestamp()
  RETURNING id`
const RENEW = `UPDATE request_claim SET until = clock_timestamp() + $3 * interval '1 second'
  WHERE id = ANY ($1::text[]) AND holder = $2`
const RELEASE = 'DELETE FROM request_claim WHERE id = ANY ($1::text[]) AND holder = $2'
const FORGET = 'DELETE FROM request_claim WHERE until < clock_timestamp()'

interface RequestClaimsParts {
  /** The connection of the leases: a claim must not wait for writers or readers. */
  readonly connection: () => Promise<Connection>
  /** Names this server among all servers. */
  readonly owner: string
  readonly onFault: (message: string, error: unknown) => void
  /** Seconds after which the claim of a dead server expires. */
  readonly seconds?: number
}

export class DatabaseRequestClaims implements RequestClaims {
  readonly #parts: RequestClaimsParts
  readonly #seconds: number
  readonly #held = new Set<string>()
  /** Releases that are under way: they end before the connection is closed. */
  readonly #releasing = new Set<Promise<void>>()
  #renewing: NodeJS.Timeout | undefined

  constructor(parts: RequestClaimsParts) {
    this.#parts = parts
    this.#seconds = parts.seconds ?? SECONDS_OF_LEASE
  }

  /** Deletes the claims of dead servers. */
  async begin(): Promise<void> {
    await this.#run(FORGET)
    this.#renewing = setInterval(() => void this.#renew(), (this.#seconds * 1000) / 3).unref()
  }

  async take(id: string): Promise<boolean> {
    const connection = await this.#parts.connection()
    const taken = await connection.rows(TAKE, [id, this.#parts.owner, this.#seconds])
    if (taken.length > 0) this.#held.add(id)
    return taken.length > 0
  }

  release(id: string): Promise<void> {
    this.#held.delete(id)
    // If the database does not answer, the claim expires by itself.
    const releasing = this.#run(RELEASE, [id], this.#parts.owner).catch(() => undefined)
    this.#releasing.add(releasing)
    return releasing.finally(() => this.#releasing.delete(releasing))
  }

  async close(): Promise<void> {
    clearInterval(this.#renewing)
    await Promise.all([...this.#releasing, ...[...this.#held].map((id) => this.release(id))])
  }

  async #renew(): Promise<void> {
    if (this.#held.size === 0) return
    try {
      await this.#run(RENEW, [...this.#held], this.#parts.owner, this.#seconds)
    } catch (error) {
      this.#parts.onFault('Renewing the claims of requests failed', error)
    }
  }

  async #run(sql: string, ...parameters: readonly unknown[]): Promise<void> {
    await (await this.#parts.connection()).run(sql, parameters)
  }
}
