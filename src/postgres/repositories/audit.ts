// The audit trail in PostgreSQL. A transaction appends entries with its other writes, and may have read the newest
// entries ahead.
import type { NewAuditEntry, TrailPiece, TrailQuery } from '../../store/audit-port.ts'
import { AuditOfRows } from '../../store/rows/audit-rows.ts'
import { FeedOfRows } from '../../store/rows/feed-rows.ts'
import type { FeedEvent } from '../../core/feed/rules/feed-entry.ts'
import type { Session } from '../session.ts'

export class Audit extends AuditOfRows<Session> {
  override async readTrail(recordId: string, query: TrailQuery): Promise<TrailPiece> {
    const { before, limit, userId, action, attributeAlias } = query
    const isNewest = [before, userId, action, attributeAlias].every((one) => one === undefined)
    const entries = isNewest ? this.session.trailAhead?.(recordId)?.(limit) : undefined
    if (entries === undefined) return super.readTrail(recordId, query)
    return { entries, next: entries.length === limit ? entries.at(-1)!.sequence : undefined }
  }

  append(entry: NewAuditEntry): void {
    this.session.writer.audit(entry)
  }
}

export class Feed extends FeedOfRows<Session> {
  append(event: FeedEvent): void {
    this.session.writer.event(event)
  }
}
