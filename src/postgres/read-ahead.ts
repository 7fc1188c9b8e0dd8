// Reads many small records and trails at once, before a long transaction needs them.
import { type AuditRow, toEntry } from '../store/rows/audit-rows.ts'
import type { Asked } from '../store/rows/session.ts'
import { pageColumns, type PageRow, toPlaced } from './repositories/record-rows.ts'
import type { PlacedRow, TrailAhead } from './session.ts'

/** Entries of each trail: the latest changes of a record. A transaction rarely reads more entries. */
const ENTRIES = 2
/** Bytes of an entry; larger entries are read one by one. */
const LARGE_ENTRY = 65_536

/** Returns records by ID, without large ones; undefined: the record does not exist. */
export async function readRecordsAhead(
  ids: readonly string[],
  from: Asked,
): Promise<ReadonlyMap<string, PlacedRow | undefined>> {
  if (ids.length === 0) return new Map()
  const rows = await from.rows<PageRow>(`SELECT ${pageColumns()} FROM record WHERE id = ANY ($1::text[])`, [ids])
  const found = new Map<string, PlacedRow | undefined>(ids.map((id) => [id, undefined]))
  for (const { size: _size, valuesJson, ...row } of rows)
    if (valuesJson === null) found.delete(row.id)
    else found.set(row.id, toPlaced({ ...row, valuesJson }))
  return found
}

type TrailRow = Omit<AuditRow, 'changes'> & { readonly changes: string | null }

const TRAILS = `SELECT entry.sequence, entry.id, entry.record_id, entry.schema_id, entry.user_id, entry.timestamp, entry.action,
    entry.origin, entry.origin_id, CASE WHEN entry.is_small THEN entry.changes END AS changes,
    CASE WHEN entry.is_small THEN entry.removed END AS removed
  FROM unnest($1::text[]) AS wanted (id) CROSS JOIN LATERAL
    (SELECT *, octet_length(changes) + coalesce(octet_length(removed), 0) <= ${LARGE_ENTRY} AS is_small
       FROM audit WHERE record_id = wanted.id ORDER BY sequence DESC LIMIT ${ENTRIES}) AS entry
  ORDER BY entry.sequence DESC`

/** Returns trails by record ID, without those that have a large entry. */
export async function readTrailsAhead(ids: readonly string[], from: Asked): Promise<Map<string, TrailAhead>> {
  if (ids.length === 0) return new Map()
  const rows = await from.rows<TrailRow>(TRAILS, [ids])
  const isSmall = (row: TrailRow): row is AuditRow => row.changes !== null
  const trails = Map.groupBy(rows, ({ record_id: id }) => id)
  return new Map(
    ids.flatMap((id) => {
      const trail = trails.get(id) ?? []
      return trail.every(isSmall) ? [[id, aheadOf(trail)] as const] : []
    }),
  )
}

function aheadOf(rows: readonly AuditRow[]): TrailAhead {
  return (limit) => (limit > ENTRIES ? undefined : rows.slice(0, limit).map(toEntry))
}
