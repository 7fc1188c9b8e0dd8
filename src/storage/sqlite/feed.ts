// The feed: the audit trail, and what else happens between its entries, in a table of its own. Both are numbered by one counter.
import type { FeedEvent } from '../../domain/events/feed-entry.ts'
import type { BulkJob } from '../../domain/bulk/bulk-job.ts'
import type { ExportRun } from '../../domain/exports/export-run.ts'
import type { ModelEntry } from '../../domain/events/model-entry.ts'
import type { EntryHead } from '../../domain/events/event-type.ts'
import type { AuditAction } from '../../domain/records/changes.ts'
import type { FeedEntry, FeedKind, FeedReads, FeedWrites } from '../feed-port.ts'
import type { FeedHeadReads } from '../subscription-port.ts'
import type { Audit } from './audit.ts'
import { countWhileSmall } from './audit-trail.ts'
import type { Connection } from './connection.ts'
import { StatementCache } from './statements.ts'

interface EventRow {
  readonly sequence: number
  readonly kind: FeedEvent['kind']
  readonly timestamp: string
  readonly content: string
}

interface HeadRow {
  readonly sequence: number
  readonly kind: FeedKind
  readonly what: string
  readonly schemaId: string
}

const HEADS = `SELECT * FROM
    (SELECT * FROM (SELECT sequence, 'record' AS kind, action AS what, schema_id AS schemaId
       FROM main.audit WHERE sequence > ? ORDER BY sequence LIMIT ?)
     UNION ALL SELECT * FROM (SELECT sequence, kind, iif(kind = 'run', content ->> '$.status', ''), ''
       FROM main.event WHERE sequence > ? ORDER BY sequence LIMIT ?))
  ORDER BY sequence LIMIT ?`

type Order = 'after' | 'before'

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
    return rows.map(({ sequence: place, kind, what, schemaId }): EntryHead => {
      if (kind === 'record') return { sequence: place, kind, action: what as AuditAction, schemaId }
      return kind === 'run' ? { sequence: place, kind, isSuccess: what === 'success' } : { sequence: place, kind }
    })
  }

  async listBefore(sequence: number, kinds: ReadonlySet<FeedKind>, limit: number): Promise<FeedEntry[]> {
    const records = kinds.has('record') ? await this.#audit.listBefore(sequence, limit) : []
    return merge(records.map(asRecord), this.#events('before', sequence, kinds, limit), 'before', limit)
  }

  async newest(): Promise<number> {
    return this.#audit.newest()
  }

  append(event: FeedEvent): void {
    const content = event.kind === 'model' ? event.entry : event.kind === 'run' ? event.run : event.job
    this.#sql.run('INSERT INTO event (sequence, kind, timestamp, content) VALUES (?, ?, ?, ?)', [
      this.#newVersion!(),
      event.kind,
      event.timestamp,
      JSON.stringify(content),
    ])
  }

  #events(order: Order, sequence: number, kinds: ReadonlySet<FeedKind>, limit: number): FeedEntry[] {
    const wanted = EVENT_KINDS.filter((kind) => kinds.has(kind))
    if (wanted.length === 0) return []
    const isOne =
      wanted.length === EVENT_KINDS.length ? '' : `kind IN (${wanted.map((kind) => `'${kind}'`).join(', ')}) AND `
    const which =
      order === 'after' ? `${isOne}sequence > ? ORDER BY sequence` : `${isOne}sequence < ? ORDER BY sequence DESC`
    // The size of a text is known without reading it.
    const sizes = this.#sql.tuples<[number, number]>(
      `SELECT sequence, octet_length(content) FROM main.event WHERE ${which} LIMIT ?`,
      [sequence, limit],
    )
    const rows = this.#sql.all<EventRow>(`SELECT * FROM main.event WHERE ${which} LIMIT ?`, [
      sequence,
      countWhileSmall(sizes),
    ])
    return rows.map(toEvent)
  }
}

const EVENT_KINDS = ['model', 'run', 'bulk'] as const

function asRecord(entry: Awaited<ReturnType<Audit['listAfter']>>[number]): FeedEntry {
  return { sequence: entry.sequence, kind: 'record', entry }
}

function toEvent({ sequence, kind, timestamp, content }: EventRow): FeedEntry {
  if (kind === 'model') return { sequence, kind, timestamp, entry: JSON.parse(content) as ModelEntry }
  if (kind === 'run') return { sequence, kind, timestamp, run: JSON.parse(content) as ExportRun }
  return { sequence, kind, timestamp, job: JSON.parse(content) as BulkJob }
}

/** In one order, as far as both lists are known: where one has ended there may be more of it. */
function merge(one: readonly FeedEntry[], other: readonly FeedEntry[], order: Order, limit: number): FeedEntry[] {
  const sign = order === 'after' ? 1 : -1
  const ends = [one, other].flatMap((list) => list.at(-1)?.sequence ?? [])
  const end = Math.min(...ends.map((sequence) => sequence * sign))
  return [...one, ...other]
    .filter(({ sequence }) => sequence * sign <= end)
    .sort((left, right) => (left.sequence - right.sequence) * sign)
    .slice(0, limit)
}
