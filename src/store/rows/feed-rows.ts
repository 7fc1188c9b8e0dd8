// Stores the feed: the audit trail, and a separate table for events between its entries. One counter numbers both.
import type { BulkJob } from '../../core/jobs/rules/bulk-job.ts'
import type { AccountEntry } from '../../core/feed/rules/account-entry.ts'
import type { EntryHead } from '../../events/rules/event-type.ts'
import type { FeedEvent } from '../../core/feed/rules/feed-entry.ts'
import type { ModelEntry } from '../../core/feed/rules/model-entry.ts'
import type { ExportRun } from '../../exports/rules/export-run.ts'
import type { AuditAction } from '../../core/records/rules/changes.ts'
import type { AuditReads, StoredAuditEntry } from '../audit-port.ts'
import type { FeedEntry, FeedKind, FeedReads, FeedWrites } from '../feed-port.ts'
import type { FeedHeadReads } from '../subscription-port.ts'
import { countWhileSmall } from './audit-rows.ts'
import type { SqlSession } from './session.ts'

interface EventRow {
  readonly sequence: number
  readonly kind: StoredKind
  readonly timestamp: string
  readonly content: string
}

interface HeadRow {
  readonly sequence: number
  readonly kind: 'record' | StoredKind
  /** The action for a record, the status for a run. */
  readonly what: string
  readonly schemaId: string
}

type FeedOrder = 'after' | 'before'

/** Roles belong to both the model and the accounts, so their entries have a separate kind. */
type StoredKind = FeedEvent['kind'] | 'role'

const STORED: Record<FeedEvent['kind'], readonly StoredKind[]> = {
  model: ['model', 'role'],
  run: ['run'],
  bulk: ['bulk'],
  account: ['account', 'role'],
}

/** Returns the kinds under which events are stored. */
function storedKinds(kinds: ReadonlySet<FeedKind>): StoredKind[] {
  return [...new Set([...kinds].flatMap((kind) => (kind === 'record' ? [] : STORED[kind])))]
}

export function storedKindOf(event: FeedEvent): StoredKind {
  return event.kind === 'model' && event.entry.entityType === 'role' ? 'role' : event.kind
}

function asRecord(entry: StoredAuditEntry): FeedEntry {
  return { sequence: entry.sequence, kind: 'record', entry }
}

function toEvent({ sequence, kind, timestamp, content }: EventRow): FeedEntry {
  if (kind === 'model' || kind === 'role')
    return { sequence, kind: 'model', timestamp, entry: JSON.parse(content) as ModelEntry }
  if (kind === 'account') return { sequence, kind, timestamp, entry: JSON.parse(content) as AccountEntry }
  if (kind === 'run') return { sequence, kind, timestamp, run: JSON.parse(content) as ExportRun }
  return { sequence, kind, timestamp, job: JSON.parse(content) as BulkJob }
}

/** Returns the event's content as text. */
export function contentOf(event: FeedEvent): string {
  if (event.kind === 'run') return JSON.stringify(event.run)
  return JSON.stringify(event.kind === 'bulk' ? event.job : event.entry)
}

function toHead({ sequence, kind, what, schemaId }: HeadRow): EntryHead {
  if (kind === 'record') return { sequence, kind, action: what as AuditAction, schemaId }
  if (kind === 'run') return { sequence, kind, isSuccess: what === 'success' }
  return { sequence, kind: kind === 'role' ? 'model' : kind }
}

/** Merges two lists in order, as far as both are complete. Beyond the end of a full list, further entries may follow. */
function merge(one: readonly FeedEntry[], other: readonly FeedEntry[], order: FeedOrder, limit: number): FeedEntry[] {
  const sign = order === 'after' ? 1 : -1
  const ends = [one, other].flatMap((list) => list.at(-1)?.sequence ?? [])
  const end = Math.min(...ends.map((sequence) => sequence * sign))
  return [...one, ...other]
    .filter(({ sequence }) => sequence * sign <= end)
    .sort((left, right) => (left.sequence - right.sequence) * sign)
    .slice(0, limit)
}

/** The feed except for appending, which depends on the engine. */
export abstract class FeedOfRows<Session extends SqlSession> implements FeedReads, FeedHeadReads, FeedWrites {
  protected readonly session: Session
  readonly #audit: Pick<AuditReads, 'listAfter' | 'listBefore' | 'newest'>

  constructor(session: Session, audit: Pick<AuditReads, 'listAfter' | 'listBefore' | 'newest'>) {
    this.session = session
    this.#audit = audit
  }

  abstract append(event: FeedEvent): void

  listAfter(sequence: number, kinds: ReadonlySet<FeedKind>, limit: number): Promise<FeedEntry[]> {
    return this.#list('after', sequence, kinds, limit)
  }

  listBefore(sequence: number, kinds: ReadonlySet<FeedKind>, limit: number): Promise<FeedEntry[]> {
    return this.#list('before', sequence, kinds, limit)
  }

  async headsAfter(sequence: number, limit: number): Promise<EntryHead[]> {
    const status = this.session.dialect.member('content', 'status')
    const sql = `SELECT * FROM
        (SELECT * FROM (SELECT sequence, 'record' AS kind, action AS what, schema_id AS "schemaId"
           FROM audit WHERE sequence > $1 ORDER BY sequence LIMIT $2) AS record
         UNION ALL SELECT * FROM (SELECT sequence, kind, CASE kind WHEN 'run' THEN ${status} ELSE '' END, ''
           FROM event WHERE sequence > $1 ORDER BY sequence LIMIT $2) AS other) AS head
      ORDER BY sequence LIMIT $2`
    return (await this.session.rows<HeadRow>(sql, [sequence, limit])).map(toHead)
  }

  newest(): Promise<number> {
    return this.#audit.newest()
  }

  async #list(order: FeedOrder, sequence: number, kinds: ReadonlySet<FeedKind>, limit: number): Promise<FeedEntry[]> {
    // Entries committed between the two queries are left to the next piece. So no entry is missing in the middle.
    const [newest, events] = await Promise.all([this.newest(), this.#events(order, sequence, kinds, limit)])
    if (!kinds.has('record')) return events
    const audit = this.#audit
    const entries = await (order === 'after' ? audit.listAfter(sequence, limit) : audit.listBefore(sequence, limit))
    return merge(entries.map(asRecord), events, order, limit).filter((entry) => entry.sequence <= newest)
  }

  async #events(order: FeedOrder, sequence: number, kinds: ReadonlySet<FeedKind>, limit: number): Promise<FeedEntry[]> {
    const wanted = storedKinds(kinds)
    if (wanted.length === 0) return []
    const [side, direction] = order === 'after' ? ['>', 'ASC'] : ['<', 'DESC']
    // Each kind uses its index, because entries of other kinds may be many.
    const parts = wanted.map(
      (_kind, index) => `SELECT * FROM (SELECT sequence FROM event WHERE kind = $${index + 3} AND sequence ${side} $1
        ORDER BY sequence ${direction} LIMIT $2) AS kind_${index}`,
    )
    const which = `sequence IN (${parts.join(' UNION ALL ')}) ORDER BY sequence ${direction} LIMIT $2`
    // The size of a text is known without reading the text.
    const sizes = await this.session.rows<{ sequence: number; size: number }>(
      `SELECT sequence, octet_length(content) AS size FROM event WHERE ${which}`,
      [sequence, limit, ...wanted],
    )
    const count = countWhileSmall(sizes.map(({ sequence: place, size }) => [place, size]))
    const sql = `SELECT * FROM event WHERE ${which}`
    return (await this.session.rows<EventRow>(sql, [sequence, count, ...wanted])).map(toEvent)
  }
}
