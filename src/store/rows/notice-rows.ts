// Stores notices. The end of an export run or an import becomes a notice in the same transaction.
import type { FeedEvent } from '../../core/feed/rules/feed-entry.ts'
import { MAX_NOTICES, type Notice, type NoticeKind, noticeOf } from '../../collaboration/rules/notice.ts'
import type { NoticeReads, NoticesAsked, NoticeWrites, PlacedNotice } from '../collaboration-port.ts'
import type { FeedWrites } from '../feed-port.ts'
import { RowRepository } from './session.ts'

interface Row {
  readonly n: number
  readonly isRead: number
  readonly document: string
}

export class Notices extends RowRepository implements NoticeReads, NoticeWrites {
  async list(userId: string, { isUnread, after, limit }: NoticesAsked): Promise<PlacedNotice[]> {
    const [since, values] = after === undefined ? ['', []] : ['AND n < $3', [after]]
    const sql = `SELECT n, is_read AS "isRead", document FROM notice
      WHERE user_id = $1 ${isUnread ? 'AND is_read = 0' : ''} ${since} ORDER BY n DESC LIMIT $2`
    const rows = await this.session.rows<Row>(sql, [userId, limit, ...values])
    return rows.map(({ n, isRead, document }) => ({
      n,
      isRead: isRead === 1,
      notice: JSON.parse(document) as Notice,
    }))
  }

  async countUnread(userId: string): Promise<number> {
    const sql = 'SELECT count(*) AS unread FROM notice WHERE user_id = $1 AND is_read = 0'
    return (await this.session.rows<{ unread: number }>(sql, [userId]))[0]!.unread
  }

  async add(userId: string, notice: Notice): Promise<void> {
    this.#add(notice, 'CAST($3 AS text)', '', [userId])
    this.session.writer.hold(PRUNED, userId)
  }

  async markRead(userId: string, ids: readonly string[] | undefined): Promise<void> {
    const { writer, dialect } = this.session
    const sql = 'UPDATE notice SET is_read = 1 WHERE user_id = $1 AND is_read = 0'
    if (ids === undefined) writer.hold(sql, userId)
    else writer.hold(`${sql} AND ${dialect.among('id', 2)}`, userId, ids)
  }

  async deleteOf(userId: string): Promise<void> {
    this.session.writer.hold('DELETE FROM notice WHERE user_id = $1', userId)
  }

  deleteBefore(moment: string, limit: number): Promise<number> {
    const { writer, dialect } = this.session
    const which = 'WHERE created_at < $1 LIMIT $2'
    return writer.run(`DELETE FROM notice WHERE ${dialect.isOneOf('notice', 'n', which)}`, moment, limit)
  }

  /** Notifies the owner of the job. */
  noteEnd(event: FeedEvent): void {
    if (event.kind === 'run') this.#noteRun(event)
    else if (event.kind === 'bulk') this.#noteImport(event)
  }

  #noteRun({ run, timestamp }: Extract<FeedEvent, { kind: 'run' }>): void {
    if (run.status !== 'failed') return
    const notice = { exportJobId: run.jobId, exportRunId: run.id, createdAt: timestamp }
    const owner = this.session.dialect.member('document', 'ownerId')
    const kind = this.session.dialect.member('document', 'ownerKind')
    this.#add(
      noticeOf({ id: `run-${run.id}`, kind: 'exportFailed', ...notice }),
      owner,
      `FROM export_job WHERE id = $3 AND ${kind} = 'user'`,
      [run.jobId],
    )
    this.session.writer.hold(PRUNED.replaceAll('$1', `(SELECT ${owner} FROM export_job WHERE id = $1)`), run.jobId)
  }

  #noteImport({ job, timestamp }: Extract<FeedEvent, { kind: 'bulk' }>): void {
    const isToldOf = job.kind === 'import' && !job.dryRun && job.ownerKind === 'user' && job.status !== 'cancelled'
    if (!isToldOf) return
    const notice = { importId: job.importId, bulkJobId: job.id, createdAt: timestamp }
    this.#add(noticeOf({ id: `job-${job.id}`, kind: 'importEnded', ...notice }), 'CAST($3 AS text)', '', [job.ownerId])
    this.session.writer.hold(PRUNED, job.ownerId)
  }

  /**
   * Writes the notice unless its kind is off, or the notice is known. @param user SQL that selects the user from
   * `from`; their parameter is $3
   */
  #add(notice: Notice, user: string, from: string, [given]: readonly [string]): void {
    const { writer, dialect } = this.session
    const isOff = `EXISTS (SELECT 1 FROM notice_setting AS setting
      WHERE setting.id = told.user_id AND ${dialect.contains('setting.document', 6)})`
    const isKnown = 'EXISTS (SELECT 1 FROM notice AS other WHERE other.user_id = told.user_id AND other.id = $2)'
    writer.hold(
      `INSERT INTO notice (n, id, user_id, is_read, created_at, document)
         SELECT CAST($1 AS bigint), CAST($2 AS text), told.user_id, 0, CAST($4 AS text), CAST($5 AS text)
         FROM (SELECT ${user} AS user_id ${from}) AS told WHERE NOT ${isOff} AND NOT ${isKnown}`,
      writer.nextN(),
      notice.id,
      given,
      notice.createdAt,
      JSON.stringify(notice),
      `"${notice.kind satisfies NoticeKind}"`,
    )
  }
}

/** Keeps the newest notices of a person. */
const PRUNED = `DELETE FROM notice WHERE user_id = $1 AND n <=
  (SELECT n FROM notice WHERE user_id = $1 ORDER BY n DESC LIMIT 1 OFFSET ${MAX_NOTICES})`

/** Returns a feed that also notifies the owners of ended jobs. */
export function telling(feed: FeedWrites, notices: Notices): FeedWrites {
  return {
    append: (event) => {
      feed.append(event)
      notices.noteEnd(event)
    },
  }
}
