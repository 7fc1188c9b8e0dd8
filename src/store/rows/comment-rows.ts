// Stores comments, and who follows a record.
import type { Actor } from '../../collaboration/rules/actor.ts'
import type { Comment } from '../../collaboration/rules/comment.ts'
import type {
  CommentPlace,
  CommentReads,
  CommentsAsked,
  CommentWrites,
  DiscussedReads,
  FollowerReads,
  FollowerWrites,
  OpenThreads,
  PlacedComment,
} from '../collaboration-port.ts'
import { RowRepository } from './session.ts'

/** The place of the comment that begins the thread. */
const THREAD = 'coalesce(comment.thread_n, comment.n)'

interface Row {
  readonly n: number
  readonly thread: number
  readonly document: string
}

export class Comments extends RowRepository implements CommentReads, CommentWrites {
  async get(id: string): Promise<Comment | undefined> {
    const [row] = await this.session.rows<Pick<Row, 'document'>>('SELECT document FROM comment WHERE id = $1', [id])
    return row && (JSON.parse(row.document) as Comment)
  }

  async list(asked: CommentsAsked): Promise<PlacedComment[]> {
    const { order, after, limit } = asked
    const parameters: unknown[] = [asked.recordId, limit]
    const next = (value: unknown): number => parameters.push(value)
    const conditions = [`comment.record_id = $1`, this.#readable(asked.readable, next)]
    if (asked.attributeAlias !== undefined) conditions.push(`comment.alias = $${next(asked.attributeAlias)}`)
    if (asked.isOpen !== undefined)
      conditions.push(
        `(SELECT head.is_open FROM comment AS head WHERE head.n = ${THREAD}) = $${next(Number(asked.isOpen))}`,
      )
    if (after !== undefined) conditions.push(isAfter(order, after, next))
    const sorted = order === 'threads' ? `${THREAD} DESC, comment.n` : 'comment.n DESC'
    // Only the documents of one page are read.
    const sql = `SELECT comment.n, ${THREAD} AS thread, comment.document FROM comment WHERE comment.n IN
        (SELECT comment.n FROM comment WHERE ${conditions.join(' AND ')} ORDER BY ${sorted} LIMIT $2)
      ORDER BY ${sorted}`
    const rows = await this.session.rows<Row>(sql, parameters)
    return rows.map(({ document, ...place }) => ({ ...place, comment: JSON.parse(document) as Comment }))
  }

  openOf(recordIds: readonly string[]): Promise<OpenThreads[]> {
    const { dialect } = this.session
    const sql = `SELECT record_id AS "recordId", schema_id AS "schemaId", alias AS "attributeAlias", scope, count(*) AS open
      FROM comment WHERE is_open = 1 AND ${dialect.among('record_id', 1)}
        AND EXISTS (SELECT 1 FROM record WHERE record.id = comment.record_id)
      GROUP BY record_id, schema_id, alias, scope ORDER BY record_id, coalesce(alias, ''), scope`
    return this.session.rows(sql, [recordIds])
  }

  async counts(recordId: string): Promise<{ readonly comments: number; readonly open: number }> {
    const sql = `SELECT (SELECT count(*) FROM comment WHERE record_id = $1) AS comments,
      (SELECT count(*) FROM comment WHERE record_id = $1 AND is_open = 1) AS open`
    return (await this.session.rows<{ comments: number; open: number }>(sql, [recordId]))[0]!
  }

  async countReplies(threadId: string): Promise<number> {
    const sql = `SELECT count(*) AS replies FROM comment WHERE thread_n = (SELECT n FROM comment WHERE id = $1)`
    return (await this.session.rows<{ replies: number }>(sql, [threadId]))[0]!.replies
  }

  async authorsOf(threadId: string): Promise<Actor[]> {
    const sql = `SELECT DISTINCT author FROM comment
      WHERE id = $1 OR thread_n = (SELECT n FROM comment WHERE id = $1) ORDER BY author`
    const rows = await this.session.rows<{ author: string }>(sql, [threadId])
    return rows.map(({ author }) => toActor(author))
  }

  async insert(comment: Comment): Promise<void> {
    const { writer } = this.session
    const { id, recordId, schemaId, attributeAlias, scope, threadId, author } = comment
    writer.hold(
      `INSERT INTO comment (n, id, record_id, schema_id, alias, scope, thread_n, is_open, author, created_at, document)
         VALUES ($1, $2, $3, $4, $5, $6, (SELECT head.n FROM comment AS head WHERE head.id = $7), $8, $9, $10, $11)`,
      writer.nextN(),
      id,
      recordId,
      schemaId,
      attributeAlias,
      scope,
      threadId,
      isOpen(comment),
      `${author.kind} ${author.id}`,
      comment.createdAt,
      JSON.stringify(comment),
    )
  }

  async update(comment: Comment): Promise<void> {
    const sql = 'UPDATE comment SET is_open = $1, document = $2 WHERE id = $3'
    this.session.writer.hold(sql, isOpen(comment), JSON.stringify(comment), comment.id)
  }

  async delete(id: string): Promise<void> {
    this.session.writer.hold('DELETE FROM comment WHERE id = $1', id)
  }

  deleteOf(recordId: string, through: string, limit: number): Promise<number> {
    const { writer, dialect } = this.session
    // Replies are deleted before the comments that begin their threads.
    const which = `WHERE record_id = $1 AND created_at <= $2 ORDER BY n DESC LIMIT $3`
    return writer.run(`DELETE FROM comment WHERE ${dialect.isOneOf('comment', 'n', which)}`, recordId, through, limit)
  }

  async renameAttribute(schemaId: string, from: string, to: string, limit: number): Promise<number> {
    const rows = await this.session.rows<Pick<Row, 'document'>>(
      'SELECT document FROM comment WHERE schema_id = $1 AND alias = $2 LIMIT $3',
      [schemaId, from, limit],
    )
    for (const { document } of rows) {
      const comment = JSON.parse(document) as Comment
      const sql = 'UPDATE comment SET alias = $1, document = $2 WHERE id = $3'
      this.session.writer.hold(sql, to, JSON.stringify({ ...comment, attributeAlias: to }), comment.id)
    }
    return rows.length
  }

  #readable({ schemaId, aliases }: CommentsAsked['readable'], next: (value: unknown) => number): string {
    const isOfSchema = `comment.schema_id = $${next(schemaId)}`
    const isReadable = aliases === undefined ? '' : ` AND ${this.session.dialect.among('comment.alias', next(aliases))}`
    return `(comment.alias IS NULL OR (${isOfSchema}${isReadable}))`
  }
}

function isAfter(order: CommentsAsked['order'], after: CommentPlace, next: (value: unknown) => number): string {
  if (order === 'newest') return `comment.n < $${next(after.n)}`
  const thread = next(after.thread)
  return `(${THREAD} < $${thread} OR (${THREAD} = $${thread} AND comment.n > $${next(after.n)}))`
}

/** Only the comment that begins an unresolved thread is open. */
function isOpen({ threadId, resolvedAt }: Comment): number {
  return Number(threadId === null && resolvedAt === null)
}

function toActor(text: string): Actor {
  const at = text.indexOf(' ')
  return { kind: text.slice(0, at) as Actor['kind'], id: text.slice(at + 1) }
}

export class Followers extends RowRepository implements FollowerReads, FollowerWrites {
  async get(recordId: string, userId: string): Promise<boolean | undefined> {
    const sql = 'SELECT follows FROM follower WHERE record_id = $1 AND user_id = $2'
    const [row] = await this.session.rows<{ follows: number }>(sql, [recordId, userId])
    return row && row.follows === 1
  }

  async list(recordId: string, limit: number): Promise<string[]> {
    const sql = `SELECT user_id AS id FROM follower WHERE record_id = $1 AND follows = 1 ORDER BY user_id LIMIT $2`
    return (await this.session.rows<{ id: string }>(sql, [recordId, limit])).map(({ id }) => id)
  }

  async set(recordId: string, userId: string, follows: boolean): Promise<void> {
    this.session.writer.hold(
      `INSERT INTO follower (record_id, user_id, follows) VALUES ($1, $2, $3)
         ON CONFLICT (record_id, user_id) DO UPDATE SET follows = excluded.follows`,
      recordId,
      userId,
      Number(follows),
    )
  }

  async deleteOf(recordId: string): Promise<void> {
    this.session.writer.hold('DELETE FROM follower WHERE record_id = $1', recordId)
  }
}

const DISCUSSED = ['comment', 'work_assignment', 'follower']

export class Discussed extends RowRepository implements DiscussedReads {
  async list(after: string, limit: number): Promise<string[]> {
    const parts = DISCUSSED.map(
      (table) => `SELECT id FROM (SELECT DISTINCT record_id AS id FROM ${table} WHERE record_id > $1
        ORDER BY record_id LIMIT $2) AS of_${table}`,
    )
    const sql = `SELECT id FROM (${parts.join(' UNION ')}) AS discussed ORDER BY id LIMIT $2`
    return (await this.session.rows<{ id: string }>(sql, [after, limit])).map(({ id }) => id)
  }
}
