// Rows of the feed of every engine: the audit trail and the events between its entries, in one order.
import type { BulkJob } from '../../core/jobs/rules/bulk-job.ts'
import type { AccountEntry } from '../../core/feed/rules/account-entry.ts'
import type { EntryHead } from '../../events/rules/event-type.ts'
import type { FeedEvent } from '../../core/feed/rules/feed-entry.ts'
import type { ModelEntry } from '../../core/feed/rules/model-entry.ts'
import type { ExportRun } from '../../exports/rules/export-run.ts'
import type { AuditAction } from '../../core/records/rules/changes.ts'
import type { StoredAuditEntry } from '../audit-port.ts'
import type { FeedEntry, FeedKind } from '../feed-port.ts'

export interface EventRow {
  readonly sequence: number
  readonly kind: StoredKind
  readonly timestamp: string
  readonly content: string
}

export interface HeadRow {
  readonly sequence: number
  readonly kind: 'record' | StoredKind
  /** The action of a record's entry, or the status of a run. */
  readonly what: string
  readonly schemaId: string
}

export type FeedOrder = 'after' | 'before'

/** Roles are of the model, and of the accounts: their entries have a kind of their own. */
type StoredKind = FeedEvent['kind'] | 'role'

const STORED: Record<FeedEvent['kind'], readonly StoredKind[]> = {
  model: ['model', 'role'],
  run: ['run'],
  bulk: ['bulk'],
  account: ['account', 'role'],
}

/** As what events of these kinds are stored. */
export function storedKinds(kinds: ReadonlySet<FeedKind>): StoredKind[] {
  return [...new Set([...kinds].flatMap((kind) => (kind === 'record' ? [] : STORED[kind])))]
}

export function storedKindOf(event: FeedEvent): StoredKind {
  return event.kind === 'model' && event.entry.entityType === 'role' ? 'role' : event.kind
}

export function asRecord(entry: StoredAuditEntry): FeedEntry {
  return { sequence: entry.sequence, kind: 'record', entry }
}

export function toEvent({ sequence, kind, timestamp, content }: EventRow): FeedEntry {
  if (kind === 'model' || kind === 'role')
    return { sequence, kind: 'model', timestamp, entry: JSON.parse(content) as ModelEntry }
  if (kind === 'account') return { sequence, kind, timestamp, entry: JSON.parse(content) as AccountEntry }
  if (kind === 'run') return { sequence, kind, timestamp, run: JSON.parse(content) as ExportRun }
  return { sequence, kind, timestamp, job: JSON.parse(content) as BulkJob }
}

/** As text. */
export function contentOf(event: FeedEvent): string {
  if (event.kind === 'run') return JSON.stringify(event.run)
  return JSON.stringify(event.kind === 'bulk' ? event.job : event.entry)
}

export function toHead({ sequence, kind, what, schemaId }: HeadRow): EntryHead {
  if (kind === 'record') return { sequence, kind, action: what as AuditAction, schemaId }
  if (kind === 'run') return { sequence, kind, isSuccess: what === 'success' }
  return { sequence, kind: kind === 'role' ? 'model' : kind }
}

/** In one order, as far as both lists are known: where one has ended there may be more of it. */
export function merge(
  one: readonly FeedEntry[],
  other: readonly FeedEntry[],
  order: FeedOrder,
  limit: number,
): FeedEntry[] {
  const sign = order === 'after' ? 1 : -1
  const ends = [one, other].flatMap((list) => list.at(-1)?.sequence ?? [])
  const end = Math.min(...ends.map((sequence) => sequence * sign))
  return [...one, ...other]
    .filter(({ sequence }) => sequence * sign <= end)
    .sort((left, right) => (left.sequence - right.sequence) * sign)
    .slice(0, limit)
}
