// What a snapshot says of changes, and of what the destination of a delta has.
import type { MemberView } from '../exports/rules/feed-state.ts'
import type { FeedSnapshot } from '../store/snapshot-port.ts'
import type { Asked } from '../store/rows/session.ts'

/** Whether the destination may have the record: see `DeltaState`. */
const IS_MEMBER = `present_in >= $2 AND NOT (gone_in > present_in AND gone_in <= $3)`

export class SnapshotOfFeed implements FeedSnapshot {
  readonly #from: Asked

  constructor(from: Asked) {
    this.#from = from
  }

  async position(): Promise<number> {
    const [row] = await this.#from.rows<{ n: number }>('SELECT coalesce(max(sequence), 0) AS n FROM audit')
    return row!.n
  }

  async changedSince(position: number): Promise<string[] | undefined> {
    const [row] = await this.#from.rows<{ oldest: number | null }>('SELECT min(sequence) AS oldest FROM audit')
    const { oldest } = row!
    if (position > 0 && (oldest === null || oldest > position + 1)) return undefined
    return this.#ids('SELECT DISTINCT record_id AS id FROM audit WHERE sequence > $1', position)
  }

  variantsOf(ids: readonly string[]): Promise<string[]> {
    return this.#ids('SELECT id FROM record WHERE parent_id = ANY ($1::text[])', ids)
  }

  ofSchemas(ids: readonly string[]): Promise<string[]> {
    return this.#ids('SELECT id FROM record WHERE schema_id = ANY ($1::text[])', ids)
  }

  membersAmong({ feed, base, done }: MemberView, ids: readonly string[]): Promise<string[]> {
    const sql = `SELECT record_id AS id FROM export_member WHERE feed = $1 AND ${IS_MEMBER} AND record_id = ANY ($4::text[])`
    return this.#ids(sql, feed, base, done, ids)
  }

  membersAfter({ feed, base, done }: MemberView, last: string, limit: number): Promise<string[]> {
    const sql = `SELECT record_id AS id FROM export_member WHERE feed = $1 AND ${IS_MEMBER} AND record_id > $4
      ORDER BY record_id LIMIT $5`
    return this.#ids(sql, feed, base, done, last, limit)
  }

  async categories(): Promise<string> {
    const sql = 'SELECT id, catalog_id, parent_id, name FROM category ORDER BY n'
    return JSON.stringify(await this.#from.rows(sql))
  }

  async #ids(sql: string, ...parameters: readonly unknown[]): Promise<string[]> {
    return (await this.#from.rows<{ id: string }>(sql, parameters)).map(({ id }) => id)
  }
}
