// The trail of one record, read in pieces: each is so small that nobody waits for it, however long the trail is and however
// large its entries are.
import type { FoundEntry, TrailFilter, TrailPiece, TrailQuery } from '../audit-port.ts'
import {
  type AuditRow,
  countWhileSmall,
  hasChangeOf,
  MOST_ENTRIES,
  MOST_IDS,
  textOfAlias,
  toEntry,
} from '../rows/audit-rows.ts'
import type { Connection } from './connection.ts'
import { StatementCache } from './statements.ts'

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

function compile({ userId, action, attributeAlias }: TrailFilter): { conditions: string; values: unknown[] } {
  const parts: [string, unknown][] = []
  if (userId !== undefined) parts.push(['user_id = ?', userId])
  if (action !== undefined) parts.push(['action = ?', action])
  // A value may hold the same: what is found is looked at again.
  if (attributeAlias !== undefined) parts.push(['instr(changes, ?) > 0', textOfAlias(attributeAlias)])
  return {
    conditions: parts.map(([condition]) => ` AND ${condition}`).join(''),
    values: parts.map(([, value]) => value),
  }
}
