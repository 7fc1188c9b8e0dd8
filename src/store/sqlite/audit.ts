// The audit trail: appended to in the transaction of the change, read newest first or, by other systems, in commit order.
// Transactions are committed in the order in which versions are given, so that an entry's version is its sequence, too.
import {
  type AuditRow,
  countWhileSmall,
  ERASED,
  hasChangeOf,
  MOST_ENTRIES,
  MOST_IDS,
  textOfAlias,
  toEntry,
} from '../rows/audit-rows.ts'
import type { RemovedRecord } from '../../core/records/rules/past-record.ts'
import type { Connection, Statement } from './connection.ts'
import { StatementCache } from './statements.ts'
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

/** SQL of the newest entry of the feed: of the audit trail, or of the events between its entries; 0: there is none. */
export const NEWEST_SEQUENCE = `max((SELECT coalesce(max(sequence), 0) FROM main.audit),
  (SELECT coalesce(max(sequence), 0) FROM main.event))`

/** The oldest entries of the feed, without the newest one. */
const OLDEST = `SELECT sequence, timestamp FROM
    (SELECT * FROM (SELECT sequence, timestamp FROM audit ORDER BY sequence LIMIT ?)
     UNION ALL SELECT * FROM (SELECT sequence, timestamp FROM event ORDER BY sequence LIMIT ?))
  WHERE sequence < ${NEWEST_SEQUENCE} ORDER BY sequence LIMIT ?`

/** Deletions that one piece looks at: how many of the records exist again is unknown before. */
const MOST_LOOKED_AT = 1000

type DeletionRow = Omit<DeletedRecord, 'removed'> & { readonly removed: string; readonly isLast: 0 | 1 }

export class Audit implements AuditReads, AuditWrites {
  readonly #db: Connection
  readonly #sql: StatementCache
  #append: Statement | undefined

  constructor(db: Connection) {
    this.#db = db
    this.#sql = new StatementCache(db)
  }

  async listAfter(sequence: number, limit: number): Promise<StoredAuditEntry[]> {
    return this.afterNow(sequence, limit)
  }

  /** `listAfter` without a promise, for threads that may block. */
  afterNow(sequence: number, limit: number): StoredAuditEntry[] {
    return this.#readPiece('sequence > ? ORDER BY sequence', sequence, limit)
  }

  async listBefore(sequence: number, limit: number): Promise<StoredAuditEntry[]> {
    return this.#readPiece('sequence < ? ORDER BY sequence DESC', sequence, limit)
  }

  async newest(): Promise<number> {
    return this.#sql.numbers(`SELECT ${NEWEST_SEQUENCE}`, [])[0]!
  }

  /** Reads few entries, so that other requests do not wait; at least one. */
  #readPiece(which: string, sequence: number, limit: number): StoredAuditEntry[] {
    // The size of a text is known without reading it.
    const sizes = this.#sql.tuples<[number, number]>(
      `SELECT sequence, octet_length(changes) FROM audit WHERE ${which} LIMIT ?`,
      [sequence, limit],
    )
    const rows = this.#sql.all<AuditRow>(`SELECT * FROM audit WHERE ${which} LIMIT ?`, [
      sequence,
      countWhileSmall(sizes),
    ])
    return rows.map(toEntry)
  }

  async readTrail(recordId: string, query: TrailQuery): Promise<TrailPiece> {
    return this.trailNow(recordId, query)
  }

  /** `readTrail` without a promise, for threads that may block. */
  trailNow(recordId: string, { before = Number.MAX_SAFE_INTEGER, limit, ...filter }: TrailQuery): TrailPiece {
    const { conditions, values } = compile(filter)
    const most = conditions === '' ? Math.min(MOST_ENTRIES, limit) : MOST_ENTRIES
    // The size of a text is known without reading it.
    const sizes = this.#sql.tuples<[number, number]>(
      `SELECT sequence, octet_length(changes) FROM audit WHERE record_id = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?`,
      [recordId, before, most],
    )
    const taken = countWhileSmall(sizes)
    if (taken === 0) return { entries: [], next: undefined }
    const oldest = sizes[taken - 1]![0]
    const rows = this.#sql.all<AuditRow>(
      `SELECT * FROM audit WHERE record_id = ? AND sequence < ? AND sequence >= ?${conditions} ORDER BY sequence DESC LIMIT ?`,
      [recordId, before, oldest, ...values, limit],
    )
    const isWhole = taken === sizes.length && sizes.length < most
    const next = rows.length === limit ? rows.at(-1)!.sequence : isWhole ? undefined : oldest
    return { entries: rows.map(toEntry).filter((entry) => hasChangeOf(entry, filter.attributeAlias)), next }
  }

  async findInTrail(recordId: string, entryId: string, before = Number.MAX_SAFE_INTEGER): Promise<FoundEntry> {
    const row = this.#sql.get<{ found: number | null; oldest: number | null; looked: number }>(
      `SELECT max(iif(id = ?, sequence, NULL)) AS found, min(sequence) AS oldest, count(*) AS looked FROM
         (SELECT id, sequence FROM audit WHERE record_id = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?)`,
      [entryId, recordId, before, MOST_IDS],
    )!
    return { found: row.found ?? undefined, next: row.looked < MOST_IDS ? undefined : row.oldest! }
  }

  async listDeletions({ before = Number.MAX_SAFE_INTEGER, limit }: DeletionQuery): Promise<DeletionPiece> {
    const rows = this.#sql.iterate<DeletionRow>(
      `SELECT sequence, record_id AS recordId, schema_id AS schemaId, user_id AS userId, timestamp, removed,
              NOT EXISTS (SELECT 1 FROM audit AS later
                           WHERE later.record_id = audit.record_id AND later.sequence > audit.sequence) AS isLast
         FROM audit WHERE removed IS NOT NULL AND sequence < ? ORDER BY sequence DESC LIMIT ?`,
      [before, MOST_LOOKED_AT],
    )
    const items: DeletedRecord[] = []
    let looked = 0
    let oldest = before
    for (const { isLast, ...row } of rows) {
      looked += 1
      oldest = row.sequence
      if (isLast === 1) items.push({ ...row, removed: JSON.parse(row.removed) as RemovedRecord })
      if (items.length === limit) return { items, next: oldest }
    }
    return { items, next: looked < MOST_LOOKED_AT ? undefined : oldest }
  }

  append(entry: NewAuditEntry): void {
    this.#append ??= this.#db.prepare(
      `INSERT INTO audit (sequence, id, record_id, schema_id, user_id, timestamp, action, origin, origin_id, changes, removed)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    const { version, id, entityId, schemaId, userId, timestamp, action, origin, removed } = entry
    const head = [version, id, entityId, schemaId, userId, timestamp, action]
    this.#append.run(
      ...head,
      origin.kind,
      origin.id ?? null,
      JSON.stringify(entry.changes),
      removed === undefined ? null : JSON.stringify(removed),
    )
  }

  async deleteBefore(moment: string, limit: number): Promise<number> {
    // The oldest entries, up to the last that is old enough: entries are in the order of time, so no index is needed.
    // Runs of other programs may have any time; they count as old as the entries behind them.
    const oldest = this.#sql.all<Pick<AuditRow, 'sequence' | 'timestamp'>>(OLDEST, [limit, limit, limit])
    const last = oldest.findLast(({ timestamp }) => timestamp < moment)
    if (last === undefined) return 0
    this.#sql.run('DELETE FROM audit WHERE sequence <= ?', [last.sequence])
    this.#sql.run('DELETE FROM event WHERE sequence <= ?', [last.sequence])
    return oldest.indexOf(last) + 1
  }

  async eraseChanges(recordId: string, before: number): Promise<ErasedPiece> {
    const sizes = this.#sql.tuples<[number, number]>(
      `SELECT sequence, octet_length(changes) FROM audit WHERE record_id = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?`,
      [recordId, before, MOST_ENTRIES],
    )
    const taken = countWhileSmall(sizes)
    const oldest = sizes[taken - 1]?.[0]
    if (oldest === undefined) return { next: undefined }
    const erase = `UPDATE audit SET changes = '${ERASED}', removed = NULL
      WHERE record_id = ? AND sequence < ? AND sequence >= ? AND action <> 'erase'`
    this.#sql.run(erase, [recordId, before, oldest])
    return { next: taken === sizes.length && sizes.length < MOST_ENTRIES ? undefined : oldest }
  }
}

function compile({ userId, action, attributeAlias }: TrailFilter): { conditions: string; values: unknown[] } {
  const parts: [string, unknown][] = []
  if (userId !== undefined) parts.push(['user_id = ?', userId])
  if (action !== undefined) parts.push(['action = ?', action])
  // A value may contain the same text: found entries are checked again.
  if (attributeAlias !== undefined) parts.push(['instr(changes, ?) > 0', textOfAlias(attributeAlias)])
  return {
    conditions: parts.map(([condition]) => ` AND ${condition}`).join(''),
    values: parts.map(([, value]) => value),
  }
}
