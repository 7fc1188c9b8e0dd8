// The audit trail: appended to in the transaction of the change, read newest first or, by other systems, in commit order.
// Transactions are committed in the order in which versions are given, so that an entry's version is its sequence, too.
import { AuditDeletions } from './audit-deletions.ts'
import { type AuditRow, countWhileSmall, ERASED, MOST_ENTRIES, toEntry } from '../rows/audit-rows.ts'
import { AuditTrail } from './audit-trail.ts'
import type { Connection, Statement } from './connection.ts'
import { NEWEST_SEQUENCE } from './newest-sequence.ts'
import { StatementCache } from './statements.ts'
import type {
  AuditReads,
  AuditWrites,
  DeletionPiece,
  DeletionQuery,
  ErasedPiece,
  FoundEntry,
  NewAuditEntry,
  StoredAuditEntry,
  TrailPiece,
  TrailQuery,
} from '../audit-port.ts'

/** Of all entries of the feed but the newest one. */
const OLDEST = `SELECT sequence, timestamp FROM
    (SELECT * FROM (SELECT sequence, timestamp FROM audit ORDER BY sequence LIMIT ?)
     UNION ALL SELECT * FROM (SELECT sequence, timestamp FROM event ORDER BY sequence LIMIT ?))
  WHERE sequence < ${NEWEST_SEQUENCE} ORDER BY sequence LIMIT ?`

export class Audit implements AuditReads, AuditWrites {
  readonly #db: Connection
  readonly #sql: StatementCache
  readonly #trail: AuditTrail
  readonly #deletions: AuditDeletions
  #append: Statement | undefined

  constructor(db: Connection) {
    this.#db = db
    this.#trail = new AuditTrail(db)
    this.#deletions = new AuditDeletions(db)
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

  /** So many that nobody waits for them; one at least. */
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
    return this.#trail.read(recordId, query)
  }

  async findInTrail(recordId: string, entryId: string, before?: number): Promise<FoundEntry> {
    return this.#trail.find(recordId, entryId, before)
  }

  async listDeletions(query: DeletionQuery): Promise<DeletionPiece> {
    return this.#deletions.list(query)
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
    // The oldest ones, up to the last that is old enough: entries are in the order of time, and no index is needed. What other
    // programs say of their runs may have any time, and is as old as what follows it.
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
