// What is remembered of the files that export jobs have delivered.
import { type FeedState, NO_FEED } from '../../domain/exports/feed-state.ts'
import type { ExportFeedReads, ExportFeedWrites } from '../run-port.ts'
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

  async put(jobId: string, state: FeedState): Promise<void> {
    const sql = `INSERT INTO export_feed (job_id, state) VALUES (?, ?)
      ON CONFLICT (job_id) DO UPDATE SET state = excluded.state`
    this.#sql.run(sql, [jobId, JSON.stringify(state)])
  }
}
