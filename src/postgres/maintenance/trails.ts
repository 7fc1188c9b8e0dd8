// Reads the audit trails, each with its record, one after another, at any length.
import type { CategoryPlace } from '../../core/records/rules/changes.ts'
import type { Trail } from '../../store/maintenance-port.ts'
import { type RecordRow, toRecord, type TrailRow, trailsOf } from '../../store/rows/inspection-rows.ts'
import type { Connection } from '../connection.ts'
import { readSliced, type Sized } from '../sliced.ts'

/** The limits of one read. */
export const SLICE = { rows: 500, size: 1024 * 1024 }

export const READ_RECORD = `record.id, record.schema_id AS "schemaId", record.parent_id AS "parentId",
  record.state_id AS "lifecycleStateId", record.version, record.vals AS "valuesJson"`

/** Yields trails. The caller must read all entries of a trail before the next trail. */
export function readTrails(connection: Connection): AsyncGenerator<Trail, void> {
  return trailsOf(readRows(connection), ({ record }) => record)
}

/** Orders entries by record, and the oldest entry of a record first. The record also counts towards the size of a slice. */
const SIZES = `SELECT sequence, octet_length(changes)
    + coalesce((SELECT octet_length(vals) FROM record WHERE record.id = audit.record_id), 0) AS size
  FROM audit ORDER BY record_id, sequence`

const ENTRIES = `SELECT record_id AS "recordId", sequence AS version, action, changes FROM audit
  WHERE sequence = ANY ($1::bigint[]) ORDER BY record_id, sequence`

const RECORDS = `SELECT ${READ_RECORD},
    (SELECT coalesce(json_agg(json_build_array(category_id, sort_order)), '[]')::text FROM assignment
      WHERE record_n = record.n) AS places
  FROM record WHERE id = ANY ($1::text[])`

type EntryRow = TrailRow & Pick<Trail, 'record'>

async function* readRows(connection: Connection): AsyncGenerator<EntryRow, void> {
  for await (const slice of readSliced<Sized & { sequence: number }>(connection, { sql: SIZES }, SLICE)) {
    const entries = await connection.rows<TrailRow>(ENTRIES, [slice.map(({ sequence }) => sequence)])
    const ids = new Set(entries.map(({ recordId }) => recordId))
    const rows = await connection.rows<RecordRow & { places: string }>(RECORDS, [[...ids]])
    const records = new Map(
      rows.map(({ places, ...row }) => [row.id, { ...toRecord(row), categories: readPlaces(places) }]),
    )
    for (const entry of entries) yield { ...entry, record: records.get(entry.recordId) }
  }
}

function readPlaces(places: string): CategoryPlace[] {
  return (JSON.parse(places) as [string, number][]).map(([categoryId, sortOrder]) => ({ categoryId, sortOrder }))
}
