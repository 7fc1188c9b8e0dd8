// The stored audit trail: part of `port.ts`.
import type { TrailListQuery } from '../core/records/rules/audit-trail.ts'
import type { AuditEntry } from '../core/records/rules/changes.ts'
import type { RemovedRecord } from '../core/records/rules/past-record.ts'

export interface AuditReads {
  /**
   * Returns the next piece of a record's trail, newest first; also of a deleted record. A piece is small for any limit,
   * so that other work runs between the pieces of a long trail.
   */
  readTrail(recordId: string, query: TrailQuery): Promise<TrailPiece>
  /** Searches a piece of a record's trail for the entry with this ID. */
  findInTrail(recordId: string, entryId: string, before?: number): Promise<FoundEntry>
  /**
   * Returns the next piece of deletions that can be undone, newest first: they describe the removed record, which does
   * not exist now.
   */
  listDeletions(query: DeletionQuery): Promise<DeletionPiece>
  /** Lists entries after `sequence` in commit order: fewer than `limit` if they are large. */
  listAfter(sequence: number, limit: number): Promise<StoredAuditEntry[]>
  /** Lists the entries before the sequence, newest first. */
  listBefore(sequence: number, limit: number): Promise<StoredAuditEntry[]>
  /** Returns the sequence of the newest entry of the feed, even if that entry concerns no record; 0: no entry exists. */
  newest(): Promise<number>
}

export interface TrailQuery extends TrailFilter {
  /** A sequence: only entries before it. */
  readonly before?: number | undefined
  /** The most entries of the piece; 1 or more. */
  readonly limit: number
}

/** Conditions on an entry; an absent member is no condition. */
export type TrailFilter = Omit<TrailListQuery, 'before' | 'limit'>

export interface TrailPiece {
  /** May be empty, although more pieces follow. */
  readonly entries: readonly StoredAuditEntry[]
  /** `before` of the next piece; undefined: this is the last piece. */
  readonly next: number | undefined
}

export interface DeletionQuery {
  /** A sequence: only deletions before it. */
  readonly before?: number | undefined
  /** 1 or more. */
  readonly limit: number
}

export interface DeletedRecord {
  readonly sequence: number
  readonly recordId: string
  readonly schemaId: string
  readonly removed: RemovedRecord
  readonly userId: string
  /** ISO 8601. */
  readonly timestamp: string
}

export interface DeletionPiece {
  /** May be empty, although more pieces follow. */
  readonly items: readonly DeletedRecord[]
  /** `before` of the next piece; undefined: this is the last piece. */
  readonly next: number | undefined
}

export interface FoundEntry {
  /** The sequence of the entry. */
  readonly found: number | undefined
  /** As in `TrailPiece`. */
  readonly next: number | undefined
}

export interface ErasedPiece {
  /** As in `TrailPiece`. */
  readonly next: number | undefined
}

export interface NewAuditEntry extends AuditEntry {
  /** The version of the record after the entry. */
  readonly version: number
  readonly schemaId: string
  /** Only for a deletion. Deletions by version 0.2.0 lack it. */
  readonly removed?: RemovedRecord | undefined
}

export interface StoredAuditEntry extends NewAuditEntry {
  /** The place of the entry in the order of commits. Places rise, and the feed has no gaps except for deleted entries. */
  readonly sequence: number
}

export interface AuditWrites {
  /** Appends an entry. The transaction reads the entry from now on; others read it after the commit. */
  append(entry: NewAuditEntry): void
  /**
   * Deletes entries of the feed before a moment (ISO 8601), the oldest first, `limit` at most. The newest entry stays
   * at any age, so that sequences never start again. @returns the number of deleted entries
   */
  deleteBefore(moment: string, limit: number): Promise<number>
  /**
   * Erases the changes of a record's entries before `before`, the newest first. It erases as many as a piece of
   * `readTrail` contains, and the entries stay.
   */
  eraseChanges(recordId: string, before: number): Promise<ErasedPiece>
}
