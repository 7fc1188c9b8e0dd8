// Where people are at the moment, for all servers of a workspace. Times are those of the database's clock, as for
// leases.
import { MAX_PRESENT, type Presence, PRESENCE_LASTS } from '../collaboration/rules/present-person.ts'
import type { Presences } from '../store/presence-port.ts'
import type { Connection } from './connection.ts'

const PUT = `INSERT INTO presence (user_id, record_id, attribute_alias, until)
  SELECT $1, $2, $3, clock_timestamp() + $4 * interval '1 millisecond'
    WHERE (SELECT count(*) FROM presence) < $5 OR EXISTS (SELECT 1 FROM presence WHERE user_id = $1)
  ON CONFLICT (user_id) DO UPDATE SET record_id = excluded.record_id, attribute_alias = excluded.attribute_alias,
    until = excluded.until`
const AMONG = `SELECT user_id AS "userId", record_id AS "recordId", attribute_alias AS "attributeAlias" FROM presence
  WHERE record_id = ANY ($1::text[]) AND until > clock_timestamp() ORDER BY until DESC LIMIT $2`

export class DatabasePresences implements Presences {
  readonly #connection: () => Promise<Connection>
  #forgotAt = -Infinity

  /** @param connection the connection of the leases, so that presence waits for no write */
  constructor(connection: () => Promise<Connection>) {
    this.#connection = connection
  }

  async put({ userId, recordId, attributeAlias }: Presence): Promise<void> {
    await this.#forget()
    await this.#run(PUT, [userId, recordId, attributeAlias, PRESENCE_LASTS, MAX_PRESENT])
  }

  async leave(userId: string): Promise<void> {
    await this.#run('DELETE FROM presence WHERE user_id = $1', [userId])
  }

  async among(recordIds: readonly string[], limit: number): Promise<Presence[]> {
    return (await this.#connection()).rows<Presence>(AMONG, [recordIds, limit])
  }

  /** Deletes people who have gone, once in each period. */
  async #forget(): Promise<void> {
    if (performance.now() - this.#forgotAt < PRESENCE_LASTS) return
    this.#forgotAt = performance.now()
    await this.#run('DELETE FROM presence WHERE until < clock_timestamp()', [])
  }

  async #run(sql: string, parameters: readonly unknown[]): Promise<void> {
    await (await this.#connection()).run(sql, parameters)
  }
}
