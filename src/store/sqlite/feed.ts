// The feed: the audit trail, and a table of the events between its entries. One counter numbers both.
import type { FeedEvent } from '../../core/feed/rules/feed-entry.ts'
import type { EntryHead } from '../../events/rules/event-type.ts'
import type { FeedEntry, FeedKind, FeedReads, FeedWrites } from '../feed-port.ts'
import { countWhileSmall } from '../rows/audit-rows.ts'
import {
  asRecord,
  contentOf,
  type EventRow,
  type FeedOrder,
  type HeadRow,
  merge,
  storedKindOf,
  storedKinds,
  toEvent,
  toHead,
} from '../rows/feed-rows.ts'
import type { FeedHeadReads } from '../subscription-port.ts'
import type { Audit } from './audit.ts'
import type { Connection } from './connection.ts'
import { StatementCache } from './statements.ts'

const HEADS = `SELECT * FROM
    (SELECT * FROM (SELECT sequence, 'record' AS kind, action AS what, schema_id AS schemaId
       FROM main.audit WHERE sequence > ? ORDER BY sequence LIMIT ?)
     UNION ALL SELECT * FROM (SELECT sequence, kind, iif(kind = 'run', content ->> '$.status', ''), ''
       FROM main.event WHERE sequence > ? ORDER BY sequence LIMIT ?))
  ORDER BY sequence LIMIT ?`

export class Feed implements FeedReads, FeedHeadReads, FeedWrites {
  readonly #sql: StatementCache
  readonly #audit: Audit
  readonly #newVersion: (() => number) | undefined

  /** @param newVersion of who writes */
  constructor(db: Connection, audit: Audit, newVersion?: () => number) {
    this.#sql = new StatementCache(db)
    this.#audit = audit
    this.#newVersion = newVersion
  }

  async listAfter(sequence: number, kinds: ReadonlySet<FeedKind>, limit: number): Promise<FeedEntry[]> {
    return this.afterNow(sequence, kinds, limit)
  }

  /** `listAfter` without a promise, for threads that may block. */
  afterNow(sequence: number, kinds: ReadonlySet<FeedKind>, limit: number): FeedEntry[] {
    const records = kinds.has('record') ? this.#audit.afterNow(sequence, limit) : []
    return merge(records.map(asRecord), this.#events('after', sequence, kinds, limit), 'after', limit)
  }

  async headsAfter(sequence: number, limit: number): Promise<EntryHead[]> {
    const rows = this.#sql.all<HeadRow>(HEADS, [sequence, limit, sequence, limit, limit])
    return rows.map(toHead)
  }

  async listBefore(sequence: number, kinds: ReadonlySet<FeedKind>, limit: number): Promise<FeedEntry[]> {
    const records = kinds.has('record') ? await this.#audit.listBefore(sequence, limit) : []
    return merge(records.map(asRecord), this.#events('before', sequence, kinds, limit), 'before', limit)
  }

  async newest(): Promise<number> {
    return this.#audit.newest()
  }

  append(event: FeedEvent): void {
    this.#sql.run('INSERT INTO event (sequence, kind, timestamp, content) VALUES (?, ?, ?, ?)', [
      this.#newVersion!(),
      storedKindOf(event),
      event.timestamp,
      contentOf(event),
    ])
  }

  #events(order: FeedOrder, sequence: number, kinds: ReadonlySet<FeedKind>, limit: number): FeedEntry[] {
    const wanted = storedKinds(kinds)
    if (wanted.length === 0) return []
    const side = order === 'after' ? 'sequence > ? ORDER BY sequence' : 'sequence < ? ORDER BY sequence DESC'
    // Each kind by its index: other kinds may have many entries.
    const ofKind = `SELECT * FROM (SELECT sequence FROM main.event WHERE kind = ? AND ${side} LIMIT ?)`
    const which = `sequence IN (${wanted.map(() => ofKind).join(' UNION ALL ')}) AND ${side} LIMIT ?`
    const asked = (most: number): unknown[] => [...wanted.flatMap((kind) => [kind, sequence, most]), sequence, most]
    // The size of a text is known without reading it.
    const sizes = this.#sql.tuples<[number, number]>(
      `SELECT sequence, octet_length(content) FROM main.event WHERE ${which}`,
      asked(limit),
    )
    const small = asked(countWhileSmall(sizes))
    return this.#sql.all<EventRow>(`SELECT * FROM main.event WHERE ${which}`, small).map(toEvent)
  }
}
