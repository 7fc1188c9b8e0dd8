// Finds the records whose present state is not yet indexed. The index follows the commits, and a search judges these
// few records directly. So every result includes the caller's own writes.
import type { Schema } from '../../../core/model/rules/model.ts'
import type { Progress } from '../search-index/index-tables.ts'
import type { StatementCache } from '../statements.ts'

interface Pending {
  /** The last change in the index. */
  readonly sequence: number
  /** Record numbers in ascending order; the records may have been deleted. */
  readonly records: readonly number[]
  /** Whether the index of a searched schema is being rebuilt, so that its data must not be used. */
  readonly isAll: boolean
}

interface PendingRow {
  readonly record: number | null
  readonly schema: string | null
}

/** The index advanced between the two snapshots, and its changes were forgotten. Both snapshots must be taken again. */
export class SnapshotMissed extends Error {
  override readonly name = 'SnapshotMissed'
}

/** @param progress of the index; the snapshot of the records must be the same or newer @throws SnapshotMissed */
export function readPending(
  { sequence, rebuilds }: Progress,
  sql: StatementCache,
  schemas: readonly Schema[],
): Pending {
  const { oldest, newest } = sql.get<{ oldest: number | null; newest: number | null }>(
    'SELECT (SELECT min(sequence) FROM main.index_pending) AS oldest, (SELECT max(sequence) FROM main.index_pending) AS newest',
    [],
  )!
  if (oldest !== null && oldest > sequence + 1) throw new SnapshotMissed()
  if (rebuilds.length === 0 && (newest ?? 0) <= sequence) return { sequence, records: [], isAll: false }
  const rows = sql.all<PendingRow>(
    'SELECT record_n AS record, schema_id AS schema FROM main.index_pending WHERE sequence > ?',
    [sequence],
  )
  const rebuilt = new Set([...rebuilds.map((rebuild) => rebuild.schemaId), ...rows.flatMap((row) => row.schema ?? [])])
  return {
    sequence,
    records: [...new Set(rows.flatMap((row) => row.record ?? []))].sort((one, other) => one - other),
    isAll: rebuilt.has(null) || schemas.some((schema) => rebuilt.has(schema.id)),
  }
}
