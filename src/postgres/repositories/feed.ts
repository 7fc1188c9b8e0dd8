// The feed: the audit trail, and a table of the events between its entries. One counter numbers both.
import type { EntryHead } from '../../events/rules/event-type.ts'
import type { FeedEvent } from '../../core/feed/rules/feed-entry.ts'
import type { FeedEntry, FeedKind, FeedReads, FeedWrites } from '../../store/feed-port.ts'
import { countWhileSmall } from '../../store/rows/audit-rows.ts'
import {
  asRecord,
  type EventRow,
  type FeedOrder,
  type HeadRow,
  merge,
  storedKinds,
  toEvent,
  toHead,
} from '../../store/rows/feed-rows.ts'
import type { FeedHeadReads } from '../../store/subscription-port.ts'
import type { Session } from '../session.ts'
import type { Audit } from './audit.ts'

const HEADS = `SELECT * FROM
    ((SELECT sequence, 'record' AS kind, action AS what, schema_id AS "schemaId"
       FROM audit WHERE sequence > $1 ORDER BY sequence LIMIT $2)
     UNION ALL (SELECT sequence, kind, CASE kind WHEN 'run' THEN (content::json) ->> 'status' ELSE '' END, ''
       FROM event WHERE sequence > $1 ORDER BY sequence LIMIT $2)) AS head
  ORDER BY sequence LIMIT $2`

export class Feed implements FeedReads, FeedHeadReads, FeedWrites {
  readonly #session: Session
  readonly #audit: Audit

  constructor(session: Session, audit: Audit) {
    this.#session = session
    this.#audit = audit
  }

  listAfter(sequence: number, kinds: ReadonlySet<FeedKind>, limit: number): Promise<FeedEntry[]> {
    return this.#list('after', sequence, kinds, limit)
  }

  listBefore(sequence: number, kinds: ReadonlySet<FeedKind>, limit: number): Promise<FeedEntry[]> {
    return this.#list('before', sequence, kinds, limit)
  }

  async headsAfter(sequence: number, limit: number): Promise<EntryHead[]> {
    return (await this.#session.rows<HeadRow>(HEADS, [sequence, limit])).map(toHead)
  }

  newest(): Promise<number> {
    return this.#audit.newest()
  }

  append(event: FeedEvent): void {
    this.#session.writer.event(event)
  }

  async #list(order: FeedOrder, sequence: number, kinds: ReadonlySet<FeedKind>, limit: number): Promise<FeedEntry[]> {
    // A commit between the two questions is left to the next piece, so that no entry is missing among those returned.
    const [newest, events] = await Promise.all([this.newest(), this.#events(order, sequence, kinds, limit)])
    if (!kinds.has('record')) return events
    const audit = this.#audit
    const entries = await (order === 'after' ? audit.listAfter(sequence, limit) : audit.listBefore(sequence, limit))
    return merge(entries.map(asRecord), events, order, limit).filter((entry) => entry.sequence <= newest)
  }

  async #events(order: FeedOrder, sequence: number, kinds: ReadonlySet<FeedKind>, limit: number): Promise<FeedEntry[]> {
    const wanted = storedKinds(kinds)
    if (wanted.length === 0) return []
    const side = order === 'after' ? 'sequence > $1 ORDER BY sequence' : 'sequence < $1 ORDER BY sequence DESC'
    // Each kind by its index: other kinds may have many entries.
    const which = `sequence IN (SELECT found.sequence FROM unnest($2::text[]) AS wanted (kind),
      LATERAL (SELECT sequence FROM event WHERE kind = wanted.kind AND ${side} LIMIT $3) AS found)
      ORDER BY sequence ${order === 'after' ? 'ASC' : 'DESC'} LIMIT $3`
    const sizes = await this.#session.rows<{ sequence: number; size: number }>(
      `SELECT sequence, octet_length(content) AS size FROM event WHERE ${which}`,
      [sequence, wanted, limit],
    )
    const count = countWhileSmall(sizes.map(({ sequence: place, size }) => [place, size]))
    const rows = await this.#session.rows<EventRow>(`SELECT * FROM event WHERE ${which}`, [sequence, wanted, count])
    return rows.map(toEvent)
  }
}
