// Which deletions can be undone: the audit entries that note what was removed, of records that nobody has made again.
import type { RemovedRecord } from '../../core/records/rules/past-record.ts'
import type { Connection } from './connection.ts'
import { StatementCache } from './statements.ts'
import type { DeletedRecord, DeletionPiece, DeletionQuery } from '../audit-port.ts'

/** Deletions that a piece looks at: of how many the records are back is not known before. */
const MOST_LOOKED_AT = 1000

type Row = Omit<DeletedRecord, 'removed'> & { readonly removed: string; readonly isLast: 0 | 1 }

export class AuditDeletions {
  readonly #sql: StatementCache

  constructor(db: Connection) {
    this.#sql = new StatementCache(db)
  }

  list({ before = Number.MAX_SAFE_INTEGER, limit }: DeletionQuery): DeletionPiece {
    const rows = this.#sql.iterate<Row>(
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
}
