// Stores the audit trail. A change appends its entry in its own transaction. Readers read the newest entries first;
// other systems read in commit order. Each read is limited in size, so that no request waits for long.
import {
  type AuditAction,
  type Change,
  type ChangeOrigin,
  isCategoriesChange,
} from '../../core/records/rules/changes.ts'
import type { RemovedRecord } from '../../core/records/rules/past-record.ts'
import type {
  AuditReads,
  AuditWrites,
  DeletedRecord,
  DeletionPiece,
  DeletionQuery,
  ErasedPiece,
  FoundEntry,
  NewAuditEntry,
  StoredAuditEntry,
  TrailFilter,
  TrailPiece,
  TrailQuery,
} from '../audit-port.ts'
import type { Dialect, SqlSession } from './session.ts'

export interface AuditRow {
  readonly sequence: number
  readonly id: string
  readonly record_id: string
  readonly schema_id: string
  readonly user_id: string
  readonly timestamp: string
  readonly action: AuditAction
  readonly origin: ChangeOrigin['kind']
  readonly origin_id: string | null
  readonly changes: string
  readonly removed: string | null
}

/** SQL for the newest entry of the feed, which is in the audit trail or among the other events; 0: none. */
export const NEWEST_SEQUENCE = `(SELECT coalesce(max(sequence), 0) FROM
  (SELECT max(sequence) AS sequence FROM audit UNION ALL SELECT max(sequence) FROM event) AS newest)`

/** Selects the oldest entries of the feed, without its newest one. */
const OLDEST = `SELECT sequence, timestamp FROM
    (SELECT * FROM (SELECT sequence, timestamp FROM audit ORDER BY sequence LIMIT $1) AS record
     UNION ALL SELECT * FROM (SELECT sequence, timestamp FROM event ORDER BY sequence LIMIT $1) AS other) AS entry
  WHERE sequence < ${NEWEST_SEQUENCE} ORDER BY sequence LIMIT $1`

/** The most deletions that a piece inspects. Nobody knows in advance how many of their records were restored. */
const MOST_LOOKED_AT = 1000
const IS_LAST = `NOT EXISTS (SELECT 1 FROM audit AS later
    WHERE later.record_id = audit.record_id AND later.sequence > audit.sequence)`
const DELETIONS = `SELECT sequence, ${IS_LAST} AS "isLast"
  FROM audit WHERE removed IS NOT NULL AND sequence < $1 ORDER BY sequence DESC LIMIT $2`
/** Removed data may be large, so it is read only for the shown deletions. */
const DELETED = `SELECT sequence, record_id AS "recordId", schema_id AS "schemaId", user_id AS "userId", timestamp, removed
  FROM audit WHERE removed IS NOT NULL AND sequence >= $1 AND sequence <= $2 AND ${IS_LAST} ORDER BY sequence DESC`

interface Size {
  readonly sequence: number
  readonly size: number
}

interface Deletion {
  readonly sequence: number
  /** SQLite returns 0 and 1. */
  readonly isLast: boolean | 0 | 1
}

type Deleted = Omit<DeletedRecord, 'removed'> & { readonly removed: string }

/** The most entries that a piece inspects, and the most bytes of their changes; one entry may be larger. */
const MOST_ENTRIES = 500
const MOST_BYTES = 256 * 1024
/** The most entries whose IDs are compared at once; no other column is read. */
const MOST_IDS = 2000

/** Returns how many of the first entries fit within the limits; at least one. */
export function countWhileSmall(sizes: readonly (readonly [number, number])[]): number {
  let bytes = 0
  const end = sizes.findIndex(([, size], index) => (bytes += size) > MOST_BYTES && index > 0)
  return end === -1 ? sizes.length : end
}

function hasChangeOf({ changes }: StoredAuditEntry, alias: string | undefined): boolean {
  if (alias === undefined) return true
  return changes.some((change) => !isCategoriesChange(change) && change.attributeAlias === alias)
}

/** Replaces erased changes. */
const ERASED = 'null'

export function toEntry(row: AuditRow): StoredAuditEntry {
  return {
    sequence: row.sequence,
    version: row.sequence,
    schemaId: row.schema_id,
    id: row.id,
    entityId: row.record_id,
    userId: row.user_id,
    timestamp: row.timestamp,
    action: row.action,
    changes: toChanges(row.changes),
    origin: row.origin_id === null ? { kind: row.origin } : { kind: row.origin, id: row.origin_id },
    ...(row.removed === null ? {} : { removed: JSON.parse(row.removed) as RemovedRecord }),
    ...(row.changes === ERASED ? { erased: true } : {}),
  }
}

export function toChanges(text: string): Change[] {
  return text === ERASED ? [] : (JSON.parse(text) as Change[])
}

/** The audit trail except for appending, which depends on the engine. */
export abstract class AuditOfRows<Session extends SqlSession> implements AuditReads, AuditWrites {
  protected readonly session: Session

  constructor(session: Session) {
    this.session = session
  }

  abstract append(entry: NewAuditEntry): void

  listAfter(sequence: number, limit: number): Promise<StoredAuditEntry[]> {
    return this.#piece('sequence > $1 ORDER BY sequence', sequence, limit)
  }

  listBefore(sequence: number, limit: number): Promise<StoredAuditEntry[]> {
    return this.#piece('sequence < $1 ORDER BY sequence DESC', sequence, limit)
  }

  async newest(): Promise<number> {
    const [row] = await this.session.rows<{ newest: number }>(`SELECT ${NEWEST_SEQUENCE} AS newest`)
    return row!.newest
  }

  async readTrail(recordId: string, query: TrailQuery): Promise<TrailPiece> {
    const { before = Number.MAX_SAFE_INTEGER, limit, ...filter } = query
    const { conditions, values } = compile(filter, this.session.dialect)
    const most = conditions === '' ? Math.min(MOST_ENTRIES, limit) : MOST_ENTRIES
    // The engine knows the size of a text without reading the text.
    const sizes = await this.session.rows<Size>(
      `SELECT sequence, octet_length(changes) AS size FROM audit WHERE record_id = $1 AND sequence < $2
        ORDER BY sequence DESC LIMIT $3`,
      [recordId, before, most],
    )
    const taken = countWhileSmall(sizes.map(({ sequence, size }) => [sequence, size]))
    if (taken === 0) return { entries: [], next: undefined }
    const oldest = sizes[taken - 1]!.sequence
    const rows = await this.session.rows<AuditRow>(
      `SELECT * FROM audit WHERE record_id = $1 AND sequence < $2 AND sequence >= $3${conditions}
        ORDER BY sequence DESC LIMIT $4`,
      [recordId, before, oldest, limit, ...values],
    )
    const isWhole = taken === sizes.length && sizes.length < most
    const next = rows.length === limit ? rows.at(-1)!.sequence : isWhole ? undefined : oldest
    return { entries: rows.map(toEntry).filter((entry) => hasChangeOf(entry, filter.attributeAlias)), next }
  }

  async findInTrail(recordId: string, entryId: string, before = Number.MAX_SAFE_INTEGER): Promise<FoundEntry> {
    const [row] = await this.session.rows<{ found: number | null; oldest: number | null; looked: number }>(
      `SELECT max(sequence) FILTER (WHERE id = $1) AS found, min(sequence) AS oldest, count(*) AS looked FROM
         (SELECT id, sequence FROM audit WHERE record_id = $2 AND sequence < $3 ORDER BY sequence DESC LIMIT $4) AS entry`,
      [entryId, recordId, before, MOST_IDS],
    )
    return { found: row!.found ?? undefined, next: row!.looked < MOST_IDS ? undefined : row!.oldest! }
  }

  async listDeletions({ before = Number.MAX_SAFE_INTEGER, limit }: DeletionQuery): Promise<DeletionPiece> {
    const looked = await this.session.rows<Deletion>(DELETIONS, [before, MOST_LOOKED_AT])
    const shown = looked.filter(({ isLast }) => Boolean(isLast)).slice(0, limit)
    const end = shown.length === limit ? shown.at(-1) : looked.length === MOST_LOOKED_AT ? looked.at(-1) : undefined
    const last = shown.at(-1)
    const rows =
      last === undefined ? [] : await this.session.rows<Deleted>(DELETED, [last.sequence, shown[0]!.sequence])
    const items = rows.map((row) => ({ ...row, removed: JSON.parse(row.removed) as RemovedRecord }))
    return { items, next: end?.sequence }
  }

  async deleteBefore(moment: string, limit: number): Promise<number> {
    // Deletes the oldest entries up to the last one that is old enough. Entries are in the order of time, so no index
    // is needed. Runs that other programs report may have any time; they count as old as the next entry.
    const oldest = await this.session.rows<Pick<AuditRow, 'sequence' | 'timestamp'>>(OLDEST, [limit])
    const last = oldest.findLast(({ timestamp }) => timestamp < moment)
    if (last === undefined) return 0
    this.session.writer.hold('DELETE FROM audit WHERE sequence <= $1', last.sequence)
    this.session.writer.hold('DELETE FROM event WHERE sequence <= $1', last.sequence)
    return oldest.indexOf(last) + 1
  }

  async eraseChanges(recordId: string, before: number): Promise<ErasedPiece> {
    const sizes = await this.session.rows<Size>(
      `SELECT sequence, octet_length(changes) AS size FROM audit WHERE record_id = $1 AND sequence < $2
        ORDER BY sequence DESC LIMIT $3`,
      [recordId, before, MOST_ENTRIES],
    )
    const taken = countWhileSmall(sizes.map(({ sequence, size }) => [sequence, size]))
    const oldest = sizes[taken - 1]?.sequence
    if (oldest === undefined) return { next: undefined }
    const erase = `UPDATE audit SET changes = '${ERASED}', removed = NULL
      WHERE record_id = $1 AND sequence < $2 AND sequence >= $3 AND action <> 'erase'`
    this.session.writer.hold(erase, recordId, before, oldest)
    return { next: taken === sizes.length && sizes.length < MOST_ENTRIES ? undefined : oldest }
  }

  /** Reads a piece that is small enough to delay no request, but at least one entry. */
  async #piece(which: string, sequence: number, limit: number): Promise<StoredAuditEntry[]> {
    const sizes = await this.session.rows<Size>(
      `SELECT sequence, octet_length(changes) AS size FROM audit WHERE ${which} LIMIT $2`,
      [sequence, limit],
    )
    const count = countWhileSmall(sizes.map(({ sequence: place, size }) => [place, size]))
    const rows = await this.session.rows<AuditRow>(`SELECT * FROM audit WHERE ${which} LIMIT $2`, [sequence, count])
    return rows.map(toEntry)
  }
}

function compile(
  { userId, action, attributeAlias }: TrailFilter,
  dialect: Dialect,
): { conditions: string; values: unknown[] } {
  const parts: [(parameter: number) => string, unknown][] = []
  if (userId !== undefined) parts.push([(parameter) => `user_id = $${parameter}`, userId])
  if (action !== undefined) parts.push([(parameter) => `action = $${parameter}`, action])
  // JSON.stringify writes this text for a change. Values may contain the same text, so each match is checked again.
  const text = `"attributeAlias":${JSON.stringify(attributeAlias)}`
  if (attributeAlias !== undefined) parts.push([(parameter) => dialect.contains('changes', parameter), text])
  return {
    conditions: parts.map(([condition], index) => ` AND ${condition(index + 5)}`).join(''),
    values: parts.map(([, value]) => value),
  }
}
