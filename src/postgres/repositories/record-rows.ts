// Rows of records: their columns, and pages of rows that fit into memory.
import type { StoredRecord } from '../../store/record-port.ts'
import type { Asked } from '../../store/rows/session.ts'
import type { PlacedRow } from '../session.ts'

const HEAD_COLUMNS = `record.n, record.id, record.schema_id AS "schemaId", record.parent_id AS "parentId",
  record.state_id AS "lifecycleStateId", record.version, record.created_at AS "createdAt", record.updated_at AS "updatedAt",
  record.created_by AS "createdBy", record.updated_by AS "updatedBy"`

export const RECORD_COLUMNS = `${HEAD_COLUMNS}, record.vals AS "valuesJson"`

/**
 * `RECORD_COLUMNS` and `size`, with `valuesJson` null for large values.
 * @param most SQL for the most bytes of values; 64 KB by default
 */
export const pageColumns = (most = '65536'): string =>
  `${HEAD_COLUMNS}, octet_length(record.vals) AS size, CASE WHEN octet_length(record.vals) <= ${most} THEN record.vals END AS "valuesJson"`

/** A row of `RECORD_COLUMNS`. */
export type RecordRow = StoredRecord & { readonly n: number }

/** A row of `pageColumns`. */
export type PageRow = Omit<RecordRow, 'valuesJson'> & { readonly size: number; readonly valuesJson: string | null }

export function toPlaced({ n, ...record }: RecordRow): PlacedRow {
  return { n, record }
}

/** Reads the missing values of a page, and returns its records. */
export async function completePage(rows: readonly PageRow[], from: Asked): Promise<PlacedRow[]> {
  const texts = new Map<number, string>()
  for (const { n, valuesJson } of rows) {
    if (valuesJson !== null) continue
    const [row] = await from.rows<{ vals: string }>('SELECT vals FROM record WHERE n = $1', [n])
    if (row !== undefined) texts.set(n, row.vals)
  }
  // A record that was deleted after the page was read is left out.
  return rows.flatMap(({ size: _size, valuesJson, ...row }) => {
    const text = valuesJson ?? texts.get(row.n)
    return text === undefined ? [] : [toPlaced({ ...row, valuesJson: text })]
  })
}
