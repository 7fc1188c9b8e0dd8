// The stored feed of a workspace: changes of records and all other events, in one order. Part of `port.ts`.
import type { FeedEvent } from '../core/feed/rules/feed-entry.ts'
import type { StoredAuditEntry } from './audit-port.ts'

export type FeedKind = 'record' | FeedEvent['kind']

/** The sequence is the place in the order of commits. */
export type FeedEntry = { readonly sequence: number } & (
  | { readonly kind: 'record'; readonly entry: StoredAuditEntry }
  | FeedEvent
)

export interface FeedReads {
  /**
   * Lists entries of these kinds after `sequence` in commit order: fewer than `limit` if they are large, but at least
   * one.
   */
  listAfter(sequence: number, kinds: ReadonlySet<FeedKind>, limit: number): Promise<FeedEntry[]>
  /** Lists entries of these kinds before `sequence`, the newest first, with the same limits. */
  listBefore(sequence: number, kinds: ReadonlySet<FeedKind>, limit: number): Promise<FeedEntry[]>
  /** Returns the sequence of the newest entry; 0: no entry exists. */
  newest(): Promise<number>
}

export interface FeedWrites {
  /**
   * The event is in the feed when the transaction has resolved. `audit.append` writes changes of records; storage
   * itself notes the ends of export runs and bulk jobs.
   */
  append(event: FeedEvent): void
}
