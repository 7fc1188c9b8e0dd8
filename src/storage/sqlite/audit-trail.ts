// The trail of one record, read in pieces: each is so small that nobody waits for it, however long the trail is and however
// large its entries are.
import { type AuditAction, type Change, type ChangeOrigin, isCategoriesChange } from '../../domain/records/changes.ts'
import type { RemovedRecord } from '../../domain/records/past-record.ts'
import type { Connection } from './connection.ts'
import { StatementCache } from './statements.ts'
import type { FoundEntry, StoredAuditEntry, TrailFilter, TrailPiece, TrailQuery } from '../audit-port.ts'

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

/** Entries that a piece looks at, and the bytes of their changes together; one entry is looked at whatever its size. */
const MOST_ENTRIES = 500
export const MOST_BYTES = 256 * 1024
/** Entries whose IDs are compared at once: nothing else of them is read. */
const MOST_IDS = 2000

export class AuditTrail {
  readonly #sql: StatementCache

  constructor(db: Connection) {
    this.#sql = new StatementCache(db)
  }

  read(recordId: string, { before = Number.MAX_SAFE_INTEGER, limit, ...filter }: TrailQuery): TrailPiece {
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

  find(recordId: string, entryId: string, before = Number.MAX_SAFE_INTEGER): FoundEntry {
    const row = this.#sql.get<{ found: number | null; oldest: number | null; looked: number }>(
      `SELECT max(iif(id = ?, sequence, NULL)) AS found, min(sequence) AS oldest, count(*) AS looked FROM
         (SELECT id, sequence FROM audit WHERE record_id = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?)`,
      [entryId, recordId, before, MOST_IDS],
    )!
    return { found: row.found ?? undefined, next: row.looked < MOST_IDS ? undefined : row.oldest! }
  }
}

/** How many of the first ones are small enough together: one at least. */
export function countWhileSmall(sizes: readonly (readonly [number, number])[]): number {
  let bytes = 0
  const end = sizes.findIndex(([, size], index) => (bytes += size) > MOST_BYTES && index > 0)
  return end === -1 ? sizes.length : end
}

function compile({ userId, action, attributeAlias }: TrailFilter): { conditions: string; values: unknown[] } {
  const parts: [string, unknown][] = []
  if (userId !== undefined) parts.push(['user_id = ?', userId])
  if (action !== undefined) parts.push(['action = ?', action])
  // As JSON.stringify writes it. A value may hold the same: what is found is looked at again.
  if (attributeAlias !== undefined)
    parts.push(['instr(changes, ?) > 0', `"attributeAlias":${JSON.stringify(attributeAlias)}`])
  return {
    conditions: parts.map(([condition]) => ` AND ${condition}`).join(''),
    values: parts.map(([, value]) => value),
  }
}

function hasChangeOf({ changes }: StoredAuditEntry, alias: string | undefined): boolean {
  if (alias === undefined) return true
  return changes.some((change) => !isCategoriesChange(change) && change.attributeAlias === alias)
}

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
    changes: JSON.parse(row.changes) as Change[],
    origin: row.origin_id === null ? { kind: row.origin } : { kind: row.origin, id: row.origin_id },
    ...(row.removed === null ? {} : { removed: JSON.parse(row.removed) as RemovedRecord }),
  }
}
