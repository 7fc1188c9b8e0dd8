// The feed of a workspace as storage keeps it: changes of records and all else that happens, in one order. Part of `port.ts`.
import type { FeedEvent } from '../core/feed/rules/feed-entry.ts'
import type { StoredAuditEntry } from './audit-port.ts'

export type FeedKind = 'record' | FeedEvent['kind']

/** The sequence is the place in the order of commits. */
export type FeedEntry = { readonly sequence: number } & (
  | { readonly kind: 'record'; readonly entry: StoredAuditEntry }
  | FeedEvent
)

export interface FeedReads {
  /** Entries of these kinds after `sequence` in commit order: fewer than `limit` where they are large, but one at least. */
  listAfter(sequence: number, kinds: ReadonlySet<FeedKind>, limit: number): Promise<FeedEntry[]>
  /** The same of those before it, newest first. */
  listBefore(sequence: number, kinds: ReadonlySet<FeedKind>, limit: number): Promise<FeedEntry[]>
  /** The sequence of the newest entry; 0 where there is none. */
  newest(): Promise<number>
}

export interface FeedWrites {
  /**
   * The event is in the feed when the transaction has resolved. `audit.append` writes changes of records; storage
   * itself notes the ends of export runs and bulk jobs.
   */
  append(event: FeedEvent): void
}
