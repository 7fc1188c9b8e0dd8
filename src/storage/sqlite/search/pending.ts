// Which records the search index has not seen in their present state. The index follows the commits; a search looks
// through these few by itself, so that every answer reads its own writes.
import type { Schema } from '../../../domain/model.ts'
import type { Rebuild } from '../search-index/index-tables.ts'
import type { StatementCache } from '../statements.ts'

export interface Pending {
  /** Record numbers in ascending order; they may be gone. */
  readonly records: readonly number[]
  /** The index is being made anew for one of the schemas: nothing it says of them counts. */
  readonly isAll: boolean
}

interface PendingRow {
  readonly sequence: number
  readonly record: number | null
  readonly schema: string | null
}

/** The index was moved on and its changes forgotten between the two snapshots: both must be taken again. */
export class SnapshotMissed extends Error {
  override readonly name = 'SnapshotMissed'
}

/**
 * Takes the snapshot of the index, then that of the records, which is then the same or newer.
 * @throws SnapshotMissed
 */
export function readPending(sql: StatementCache, schemas: readonly Schema[]): Pending {
  const progress = sql.get<{ sequence: number; rebuilds: string }>('SELECT sequence, rebuilds FROM idx.progress', [])!
  const oldest = sql.get<{ sequence: number | null }>('SELECT min(sequence) AS sequence FROM main.index_pending', [])!
  if (oldest.sequence !== null && oldest.sequence > progress.sequence + 1) throw new SnapshotMissed()
  const rows = sql.all<PendingRow>(
    'SELECT sequence, record_n AS record, schema_id AS schema FROM main.index_pending WHERE sequence > ?',
    [progress.sequence],
  )
  const rebuilds = JSON.parse(progress.rebuilds) as Rebuild[]
  const rebuilt = new Set([...rebuilds.map((rebuild) => rebuild.schemaId), ...rows.flatMap((row) => row.schema ?? [])])
  return {
    records: [...new Set(rows.flatMap((row) => row.record ?? []))].sort((one, other) => one - other),
    isAll: rebuilt.has(null) || schemas.some((schema) => rebuilt.has(schema.id)),
  }
}
