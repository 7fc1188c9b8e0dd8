// Reads the changes in a snapshot, and the records that the destination of a delta has.
import type { MemberView } from '../../exports/rules/feed-state.ts'
import type { FeedSnapshot } from '../snapshot-port.ts'
import { RowRepository } from './session.ts'

/** SQL condition that the destination may have the record: see `DeltaState`. */
const IS_MEMBER = `present_in >= $2 AND NOT (gone_in > present_in AND gone_in <= $3)`

interface CategoryRow {
  readonly id: string
  readonly catalog_id: string
  readonly parent_id: string | null
  readonly name: string
}

export class SnapshotOfFeed extends RowRepository implements FeedSnapshot {
  async position(): Promise<number> {
    const [row] = await this.session.rows<{ n: number }>('SELECT coalesce(max(sequence), 0) AS n FROM audit')
    return row!.n
  }

  /** Returns the records changed since a position; undefined: the trail does not go back that far. */
  async changedSince(position: number): Promise<string[] | undefined> {
    const [row] = await this.session.rows<{ oldest: number | null }>('SELECT min(sequence) AS oldest FROM audit')
    const { oldest } = row!
    if (position > 0 && (oldest === null || oldest > position + 1)) return undefined
    return this.#ids('SELECT DISTINCT record_id AS id FROM audit WHERE sequence > $1', position)
  }

  variantsOf(ids: readonly string[]): Promise<string[]> {
    return this.#ids(`SELECT id FROM record WHERE ${this.session.dialect.among('parent_id', 1)}`, ids)
  }

  ofSchemas(ids: readonly string[]): Promise<string[]> {
    return this.#ids(`SELECT id FROM record WHERE ${this.session.dialect.among('schema_id', 1)}`, ids)
  }

  referrersOf(ids: readonly string[], aliases: readonly string[]): Promise<string[]> {
    const { dialect } = this.session
    const isLink = `${dialect.among('target_id', 1)} AND ${dialect.among('alias', 2)}`
    return this.#ids(`SELECT DISTINCT record_id AS id FROM record_reference WHERE ${isLink}`, ids, aliases)
  }

  membersAmong({ feed, base, done }: MemberView, ids: readonly string[]): Promise<string[]> {
    const isAmong = this.session.dialect.among('record_id', 4)
    const sql = `SELECT record_id AS id FROM export_member WHERE feed = $1 AND ${IS_MEMBER} AND ${isAmong}`
    return this.#ids(sql, feed, base, done, ids)
  }

  membersAfter({ feed, base, done }: MemberView, last: string, limit: number): Promise<string[]> {
    const sql = `SELECT record_id AS id FROM export_member WHERE feed = $1 AND ${IS_MEMBER} AND record_id > $4
      ORDER BY record_id LIMIT $5`
    return this.#ids(sql, feed, base, done, last, limit)
  }

  /** Returns all category data that exports use, as text. */
  async categories(): Promise<string> {
    const sql = 'SELECT id, catalog_id, parent_id, name FROM category ORDER BY n'
    const rows = await this.session.rows<CategoryRow>(sql)
    return JSON.stringify(rows.map(({ id, catalog_id, parent_id, name }) => [id, catalog_id, parent_id, name]))
  }

  async #ids(sql: string, ...parameters: readonly unknown[]): Promise<string[]> {
    return (await this.session.rows<{ id: string }>(sql, parameters)).map(({ id }) => id)
  }
}
