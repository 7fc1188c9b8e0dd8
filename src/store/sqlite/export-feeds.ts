// What is remembered of the files that export jobs have delivered, and which records the destination of a delta may have.
import { type FeedState, type MemberView, NO_FEED } from '../../exports/rules/feed-state.ts'
import type { ExportFeedReads, ExportFeedWrites } from '../run-port.ts'
import type { FeedSnapshot } from '../snapshot-port.ts'
import type { Connection } from './connection.ts'
import { StatementCache } from './statements.ts'

export class ExportFeeds implements ExportFeedReads, ExportFeedWrites {
  readonly #sql: StatementCache

  constructor(db: Connection) {
    this.#sql = new StatementCache(db)
  }

  async get(jobId: string): Promise<FeedState> {
    const row = this.#sql.get<{ state: string }>('SELECT state FROM export_feed WHERE job_id = ?', [jobId])
    return row === undefined ? NO_FEED : { ...NO_FEED, ...(JSON.parse(row.state) as Partial<FeedState>) }
  }

  async findOrphan(): Promise<number | undefined> {
    // From one feed to the next by the key: each may have many members.
    const sql = `WITH RECURSIVE feeds (feed) AS (
        SELECT min(feed) FROM export_member
        UNION ALL SELECT (SELECT min(feed) FROM export_member WHERE feed > feeds.feed) FROM feeds WHERE feed IS NOT NULL)
      SELECT feed FROM feeds WHERE feed IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM export_feed WHERE json_extract(state, '$.delta.feed') = feeds.feed)`
    return this.#sql.get<{ feed: number }>(sql, [])?.feed
  }

  async put(jobId: string, state: FeedState): Promise<void> {
    const sql = `INSERT INTO export_feed (job_id, state) VALUES (?, ?)
      ON CONFLICT (job_id) DO UPDATE SET state = excluded.state`
    this.#sql.run(sql, [jobId, JSON.stringify(state)])
  }

  async nextFeed(): Promise<number> {
    const sql = "UPDATE counter SET value = value + 1 WHERE name = 'export_feeds' RETURNING value"
    return this.#sql.get<{ value: number }>(sql, [])!.value
  }

  async mark(feed: number, attempt: number, { present, gone }: { present: string[]; gone: string[] }): Promise<void> {
    const values = (ids: string[]) => ({ feed, attempt, ids: JSON.stringify(ids) })
    this.#sql.run(
      `INSERT INTO export_member (feed, record_id, present_in) SELECT @feed, value, @attempt FROM json_each(@ids) WHERE true
         ON CONFLICT (feed, record_id) DO UPDATE SET present_in = excluded.present_in`,
      values(present),
    )
    this.#sql.run(
      `UPDATE export_member SET gone_in = @attempt WHERE feed = @feed AND record_id IN (SELECT value FROM json_each(@ids))`,
      values(gone),
    )
  }

  async removeMembers(feed: number, limit: number): Promise<number> {
    const sql = `DELETE FROM export_member WHERE feed = @feed AND record_id IN
      (SELECT record_id FROM export_member WHERE feed = @feed LIMIT @limit)`
    return this.#sql.run(sql, { feed, limit })
  }
}

/** Whether the destination may have the record: see `DeltaState`. */
function isMember(alias: string): string {
  return `${alias}.present_in >= @base AND NOT (${alias}.gone_in > ${alias}.present_in AND ${alias}.gone_in <= @done)`
}

/** What a snapshot says of changes, and of what a destination has. */
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
