// What a snapshot says of changes, and of what the destination of a delta has.
import type { MemberView } from '../../exports/rules/feed-state.ts'
import type { FeedSnapshot } from '../snapshot-port.ts'
import type { Connection } from './connection.ts'
import { StatementCache } from './statements.ts'

/** Whether the destination may have the record: see `DeltaState`. */
function isMember(alias: string): string {
  return `${alias}.present_in >= @base AND NOT (${alias}.gone_in > ${alias}.present_in AND ${alias}.gone_in <= @done)`
}

export class FeedReads implements FeedSnapshot {
  readonly #sql: StatementCache

  constructor(db: Connection) {
    this.#sql = new StatementCache(db)
  }

  async position(): Promise<number> {
    return this.#sql.get<{ n: number }>('SELECT coalesce(max(sequence), 0) AS n FROM main.audit', [])!.n
  }

  /** Undefined where the trail does not go back so far any more. */
  async changedSince(position: number): Promise<string[] | undefined> {
    const { oldest } = this.#sql.get<{ oldest: number | null }>('SELECT min(sequence) AS oldest FROM main.audit', [])!
    if (position > 0 && (oldest === null || oldest > position + 1)) return undefined
    return this.#ids('SELECT DISTINCT record_id AS id FROM main.audit WHERE sequence > ?', position)
  }

  async variantsOf(ids: readonly string[]): Promise<string[]> {
    return this.#ids(
      'SELECT record.id FROM json_each(?) AS parent CROSS JOIN main.record ON record.parent_id = parent.value',
      JSON.stringify(ids),
    )
  }

  async ofSchemas(ids: readonly string[]): Promise<string[]> {
    return this.#ids(
      'SELECT record.id FROM json_each(?) AS wanted CROSS JOIN main.record ON record.schema_id = wanted.value',
      JSON.stringify(ids),
    )
  }

  async membersAmong(view: MemberView, ids: readonly string[]): Promise<string[]> {
    const sql = `SELECT member.record_id AS id FROM json_each(@ids) AS asked
      CROSS JOIN main.export_member AS member ON member.feed = @feed AND member.record_id = asked.value WHERE ${isMember('member')}`
    return this.#sql.all<{ id: string }>(sql, { ...view, ids: JSON.stringify(ids) }).map(({ id }) => id)
  }

  /** The next ones in the order of their IDs. */
  async membersAfter(view: MemberView, last: string, limit: number): Promise<string[]> {
    const sql = `SELECT member.record_id AS id FROM main.export_member AS member
       WHERE member.feed = @feed AND member.record_id > @last AND ${isMember('member')} ORDER BY member.record_id LIMIT @limit`
    return this.#sql.all<{ id: string }>(sql, { ...view, last, limit }).map(({ id }) => id)
  }

  /** All that categories say of records, as text. */
  async categories(): Promise<string> {
    const sql = 'SELECT id, catalog_id, parent_id, name FROM main.category ORDER BY n'
    return JSON.stringify(this.#sql.tuples(sql, []))
  }

  #ids(sql: string, value: string | number): string[] {
    return this.#sql.all<{ id: string }>(sql, [value]).map(({ id }) => id)
  }
}
