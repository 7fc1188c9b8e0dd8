// The audit trail: appended to in the transaction of the change, read newest first or, by other systems, in commit order.
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
} from '../../store/audit-port.ts'
import {
  type AuditRow,
  countWhileSmall,
  ERASED,
  hasChangeOf,
  MOST_ENTRIES,
  MOST_IDS,
  textOfAlias,
  toEntry,
} from '../../store/rows/audit-rows.ts'
import type { Session } from '../session.ts'

/** The newest entry of the audit trail, or of the events between its entries; 0: there is none. */
const NEWEST = `greatest((SELECT coalesce(max(sequence), 0) FROM audit), (SELECT coalesce(max(sequence), 0) FROM event))`

/** The oldest entries of the feed, without the newest one. */
const OLDEST = `SELECT sequence, timestamp FROM
    ((SELECT sequence, timestamp FROM audit ORDER BY sequence LIMIT $1)
     UNION ALL (SELECT sequence, timestamp FROM event ORDER BY sequence LIMIT $1)) AS entry
  WHERE sequence < ${NEWEST} ORDER BY sequence LIMIT $1`

/** Deletions that a piece looks at: of how many the records are back is not known before. */
const MOST_LOOKED_AT = 1000
const DELETIONS = `SELECT sequence, record_id AS "recordId", schema_id AS "schemaId", user_id AS "userId", timestamp, removed,
    NOT EXISTS (SELECT 1 FROM audit AS later
                 WHERE later.record_id = audit.record_id AND later.sequence > audit.sequence) AS "isLast"
  FROM audit WHERE removed IS NOT NULL AND sequence < $1 ORDER BY sequence DESC LIMIT $2`

interface Size {
  readonly sequence: number
  readonly size: number
}

type Deletion = Omit<DeletedRecord, 'removed'> & { readonly removed: string; readonly isLast: boolean }

export class Audit implements AuditReads, AuditWrites {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  listAfter(sequence: number, limit: number): Promise<StoredAuditEntry[]> {
    return this.#piece('sequence > $1 ORDER BY sequence', sequence, limit)
  }

  listBefore(sequence: number, limit: number): Promise<StoredAuditEntry[]> {
    return this.#piece('sequence < $1 ORDER BY sequence DESC', sequence, limit)
  }

  async newest(): Promise<number> {
    const [row] = await this.#session.rows<{ newest: number }>(`SELECT ${NEWEST} AS newest`)
    return row!.newest
  }

  async readTrail(recordId: string, query: TrailQuery): Promise<TrailPiece> {
    const { before = Number.MAX_SAFE_INTEGER, limit, ...filter } = query
    const { conditions, values } = compile(filter)
    const isNewest = query.before === undefined && conditions === ''
    const ahead = isNewest ? this.#session.trailAhead?.(recordId)?.(limit) : undefined
    if (ahead !== undefined)
      return { entries: ahead, next: ahead.length === limit ? ahead.at(-1)!.sequence : undefined }
    const most = conditions === '' ? Math.min(MOST_ENTRIES, limit) : MOST_ENTRIES
    // The size of a text is known without reading it.
    const sizes = await this.#session.rows<Size>(
      `SELECT sequence, octet_length(changes) AS size FROM audit WHERE record_id = $1 AND sequence < $2
        ORDER BY sequence DESC LIMIT $3`,
      [recordId, before, most],
    )
    const taken = countWhileSmall(sizes.map(({ sequence, size }) => [sequence, size]))
    if (taken === 0) return { entries: [], next: undefined }
    const oldest = sizes[taken - 1]!.sequence
    const rows = await this.#session.rows<AuditRow>(
      `SELECT * FROM audit WHERE record_id = $1 AND sequence < $2 AND sequence >= $3${conditions}
        ORDER BY sequence DESC LIMIT $4`,
      [recordId, before, oldest, limit, ...values],
    )
    const isWhole = taken === sizes.length && sizes.length < most
    const next = rows.length === limit ? rows.at(-1)!.sequence : isWhole ? undefined : oldest
    return { entries: rows.map(toEntry).filter((entry) => hasChangeOf(entry, filter.attributeAlias)), next }
  }

  async findInTrail(recordId: string, entryId: string, before = Number.MAX_SAFE_INTEGER): Promise<FoundEntry> {
    const [row] = await this.#session.rows<{ found: number | null; oldest: number | null; looked: number }>(
      `SELECT max(sequence) FILTER (WHERE id = $1) AS found, min(sequence) AS oldest, count(*) AS looked FROM
         (SELECT id, sequence FROM audit WHERE record_id = $2 AND sequence < $3 ORDER BY sequence DESC LIMIT $4) AS entry`,
      [entryId, recordId, before, MOST_IDS],
    )
    return { found: row!.found ?? undefined, next: row!.looked < MOST_IDS ? undefined : row!.oldest! }
  }

  async listDeletions({ before = Number.MAX_SAFE_INTEGER, limit }: DeletionQuery): Promise<DeletionPiece> {
    const rows = await this.#session.rows<Deletion>(DELETIONS, [before, MOST_LOOKED_AT])
    const items: DeletedRecord[] = []
    for (const { isLast, ...row } of rows) {
      if (isLast) items.push({ ...row, removed: JSON.parse(row.removed) as RemovedRecord })
      if (items.length === limit) return { items, next: row.sequence }
    }
    return { items, next: rows.length < MOST_LOOKED_AT ? undefined : rows.at(-1)!.sequence }
  }

  append(entry: NewAuditEntry): void {
    this.#session.writer.audit(entry)
  }

  async deleteBefore(moment: string, limit: number): Promise<number> {
    // The oldest entries, up to the last that is old enough: entries are in the order of time, so no index is needed.
    // Runs of other programs may have any time; they count as old as the entries behind them.
    const oldest = await this.#session.rows<Pick<AuditRow, 'sequence' | 'timestamp'>>(OLDEST, [limit])
    const last = oldest.findLast(({ timestamp }) => timestamp < moment)
    if (last === undefined) return 0
    this.#session.writer.hold('DELETE FROM audit WHERE sequence <= $1', last.sequence)
    this.#session.writer.hold('DELETE FROM event WHERE sequence <= $1', last.sequence)
    return oldest.indexOf(last) + 1
  }

  async eraseChanges(recordId: string, before: number): Promise<ErasedPiece> {
    const sizes = await this.#session.rows<Size>(
      `SELECT sequence, octet_length(changes) AS size FROM audit WHERE record_id = $1 AND sequence < $2
        ORDER BY sequence DESC LIMIT $3`,
      [recordId, before, MOST_ENTRIES],
    )
    const taken = countWhileSmall(sizes.map(({ sequence, size }) => [sequence, size]))
    const oldest = sizes[taken - 1]?.sequence
    if (oldest === undefined) return { next: undefined }
    const erase = `UPDATE audit SET changes = '${ERASED}', removed = NULL
      WHERE record_id = $1 AND sequence < $2 AND sequence >= $3 AND action <> 'erase'`
    this.#session.writer.hold(erase, recordId, before, oldest)
    return { next: taken === sizes.length && sizes.length < MOST_ENTRIES ? undefined : oldest }
  }

  /** Reads few entries, so that other requests do not wait; at least one. */
  async #piece(which: string, sequence: number, limit: number): Promise<StoredAuditEntry[]> {
    const sizes = await this.#session.rows<Size>(
      `SELECT sequence, octet_length(changes) AS size FROM audit WHERE ${which} LIMIT $2`,
      [sequence, limit],
    )
    const count = countWhileSmall(sizes.map(({ sequence: place, size }) => [place, size]))
    const rows = await this.#session.rows<AuditRow>(`SELECT * FROM audit WHERE ${which} LIMIT $2`, [sequence, count])
    return rows.map(toEntry)
  }
}

function compile({ userId, action, attributeAlias }: TrailFilter): { conditions: string; values: unknown[] } {
  const parts: [string, unknown][] = []
  if (userId !== undefined) parts.push(['user_id =', userId])
  if (action !== undefined) parts.push(['action =', action])
  // A value may contain the same text: found entries are checked again.
  if (attributeAlias !== undefined) parts.push(['0 < strpos(changes,', textOfAlias(attributeAlias)])
  return {
    conditions: parts
      .map(([condition], index) => ` AND ${condition} $${index + 5}${condition.includes('(') ? ')' : ''}`)
      .join(''),
    values: parts.map(([, value]) => value),
  }
}
