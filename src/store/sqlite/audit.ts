// Appends to the audit trail and to the feed in SQLite, at once. Transactions commit in the order of their versions, so
// an entry's version is also its sequence.
import type { FeedEvent } from '../../core/feed/rules/feed-entry.ts'
import type { NewAuditEntry } from '../audit-port.ts'
import { AuditOfRows } from '../rows/audit-rows.ts'
import { contentOf, FeedOfRows, storedKindOf } from '../rows/feed-rows.ts'
import type { Connection, Statement } from './connection.ts'
import type { SqliteSession } from './session.ts'

class Audit extends AuditOfRows<SqliteSession> {
  readonly #db: Connection
  #append: Statement | undefined

  constructor(db: Connection, session: SqliteSession) {
    super(session)
    this.#db = db
  }

  append(entry: NewAuditEntry): void {
    this.#append ??= this.#db.prepare(
      `INSERT INTO audit (sequence, id, record_id, schema_id, user_id, timestamp, action, origin, origin_id, changes, removed)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    const { version, id, entityId, schemaId, userId, timestamp, action, origin, removed } = entry
    const head = [version, id, entityId, schemaId, userId, timestamp, action]
    this.#append.run(
      ...head,
      origin.kind,
      origin.id ?? null,
      JSON.stringify(entry.changes),
      removed === undefined ? null : JSON.stringify(removed),
    )
  }
}

class Feed extends FeedOfRows<SqliteSession> {
  readonly #newVersion: (() => number) | undefined

  constructor(session: SqliteSession, audit: Audit, newVersion: (() => number) | undefined) {
    super(session, audit)
    this.#newVersion = newVersion
  }

  append(event: FeedEvent): void {
    const sql = 'INSERT INTO event (sequence, kind, timestamp, content) VALUES ($1, $2, $3, $4)'
    this.session.hold(sql, this.#newVersion!(), storedKindOf(event), event.timestamp, contentOf(event))
  }
}

/** Creates the feed, which contains the audit trail. @param newVersion for a connection that writes */
export function createFeed(
  db: Connection,
  session: SqliteSession,
  newVersion?: () => number,
): { readonly audit: Audit; readonly feed: Feed } {
  const audit = new Audit(db, session)
  return { audit, feed: new Feed(session, audit, newVersion) }
}
