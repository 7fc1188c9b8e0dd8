// Stores the state of delivered files: the records that the destination of a delta may have, and leftovers of failed
// deliveries.
import { type FeedState, NO_FEED } from '../../exports/rules/feed-state.ts'
import type {
  DeliveredFile,
  ExportFeedReads,
  ExportFeedWrites,
  ExportFileReads,
  ExportFileWrites,
  ExportLeftoverReads,
  ExportLeftoverWrites,
} from '../run-port.ts'
import { RowRepository } from './session.ts'

export class ExportFeeds extends RowRepository implements ExportFeedReads, ExportFeedWrites {
  async get(jobId: string): Promise<FeedState> {
    const sql = 'SELECT state FROM export_feed WHERE job_id = $1'
    const [row] = await this.session.rows<{ state: string }>(sql, [jobId])
    return row === undefined ? NO_FEED : { ...NO_FEED, ...(JSON.parse(row.state) as Partial<FeedState>) }
  }

  async findOrphan(): Promise<number | undefined> {
    // Steps from feed to feed by the key, because each feed may have many members.
    const sql = `WITH RECURSIVE feeds (feed) AS (
        SELECT min(feed) FROM export_member
        UNION ALL SELECT (SELECT min(feed) FROM export_member WHERE feed > feeds.feed) FROM feeds WHERE feed IS NOT NULL)
      SELECT feed FROM feeds WHERE feed IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM export_feed WHERE export_feed.feed = feeds.feed) LIMIT 1`
    return (await this.session.rows<{ feed: number }>(sql))[0]?.feed
  }

  async put(jobId: string, state: FeedState): Promise<void> {
    const sql = `INSERT INTO export_feed (job_id, state, feed) VALUES ($1, $2, $3)
      ON CONFLICT (job_id) DO UPDATE SET state = excluded.state, feed = excluded.feed`
    this.session.writer.hold(sql, jobId, JSON.stringify(state), state.delta?.feed ?? null)
  }

  async nextFeed(): Promise<number> {
    return this.session.writer.nextFeed()
  }

  async mark(feed: number, attempt: number, { present, gone }: { present: string[]; gone: string[] }): Promise<void> {
    const { writer, dialect } = this.session
    const insert = `INSERT INTO export_member (feed, record_id, present_in) SELECT $1, value, $2 FROM ${dialect.each(3)} WHERE true
      ON CONFLICT (feed, record_id) DO UPDATE SET present_in = excluded.present_in`
    if (present.length > 0) writer.hold(insert, feed, attempt, [...new Set(present)])
    const update = `UPDATE export_member SET gone_in = $2 WHERE feed = $1 AND ${dialect.among('record_id', 3)}`
    if (gone.length > 0) writer.hold(update, feed, attempt, gone)
  }

  removeMembers(feed: number, limit: number): Promise<number> {
    const sql = `DELETE FROM export_member WHERE feed = $1 AND record_id IN
      (SELECT record_id FROM export_member WHERE feed = $1 LIMIT $2)`
    return this.session.writer.run(sql, feed, limit)
  }
}

export class ExportFiles extends RowRepository implements ExportFileReads, ExportFileWrites {
  async digestsOf(jobId: string, target: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const among = this.session.dialect.among('name', 3)
    const sql = `SELECT name, digest FROM export_file WHERE job_id = $1 AND target = $2 AND ${among}`
    const rows = await this.session.rows<DeliveredFile>(sql, [jobId, target, names])
    return new Map(rows.map(({ name, digest }) => [name, digest]))
  }

  async findOrphan(): Promise<string | undefined> {
    // Steps from job to job by the key, because each job may have many files.
    const sql = `WITH RECURSIVE jobs (id) AS (
        SELECT min(job_id) FROM export_file
        UNION ALL SELECT (SELECT min(job_id) FROM export_file WHERE job_id > jobs.id) FROM jobs WHERE id IS NOT NULL)
      SELECT id FROM jobs WHERE id IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM export_job WHERE export_job.id = jobs.id) LIMIT 1`
    return (await this.session.rows<{ id: string }>(sql))[0]?.id
  }

  async note(jobId: string, target: string, { name, digest }: DeliveredFile): Promise<void> {
    const sql = `INSERT INTO export_file (job_id, name, digest, target) VALUES ($1, $2, $3, $4)
      ON CONFLICT (job_id, name) DO UPDATE SET digest = excluded.digest, target = excluded.target`
    this.session.writer.hold(sql, jobId, name, digest, target)
  }

  remove(jobId: string, limit: number): Promise<number> {
    const sql = `DELETE FROM export_file WHERE job_id = $1 AND name IN
      (SELECT name FROM export_file WHERE job_id = $1 LIMIT $2)`
    return this.session.writer.run(sql, jobId, limit)
  }
}

export class ExportLeftovers extends RowRepository implements ExportLeftoverReads, ExportLeftoverWrites {
  async listOf(jobId: string): Promise<string[]> {
    const sql = 'SELECT name FROM export_leftover WHERE job_id = $1 ORDER BY name'
    return (await this.session.rows<{ name: string }>(sql, [jobId])).map(({ name }) => name)
  }

  async jobIds(): Promise<string[]> {
    const sql = 'SELECT DISTINCT job_id AS "jobId" FROM export_leftover ORDER BY job_id'
    return (await this.session.rows<{ jobId: string }>(sql)).map(({ jobId }) => jobId)
  }

  async note(jobId: string, name: string): Promise<void> {
    const sql = 'INSERT INTO export_leftover (job_id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING'
    this.session.writer.hold(sql, jobId, name)
  }

  async forget(jobId: string, name: string): Promise<void> {
    this.session.writer.hold('DELETE FROM export_leftover WHERE job_id = $1 AND name = $2', jobId, name)
  }
}
