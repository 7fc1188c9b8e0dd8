// Rows of records: their columns, and pages of rows that fit into memory.
import { invalid } from '../../kernel/errors.ts'
import type { StoredRecord } from '../../store/record-port.ts'
import type { Asked } from '../../store/rows/session.ts'
import type { PlacedRow } from '../session.ts'

const HEAD_COLUMNS = `record.n, record.id, record.schema_id AS "schemaId", record.parent_id AS "parentId",
  record.state_id AS "lifecycleStateId", record.version, record.created_at AS "createdAt", record.updated_at AS "updatedAt",
  record.created_by AS "createdBy", record.updated_by AS "updatedBy"`

export const RECORD_COLUMNS = `${HEAD_COLUMNS}, record.vals AS "valuesJson"`

/** Bytes of values from which on a record is read by itself. */
const LARGE_VALUES = 65_536
/** Bytes of such records on one page. */
const MAX_PAGE = 128 * 1024 * 1024

/** The same, without the values of a record that is large. */
export const PAGE_COLUMNS = `${HEAD_COLUMNS}, octet_length(record.vals) AS size,
  CASE WHEN octet_length(record.vals) <= ${LARGE_VALUES} THEN record.vals END AS "valuesJson"`

/** The row of `RECORD_COLUMNS`. */
export type RecordRow = StoredRecord & { readonly n: number }

/** The row of `PAGE_COLUMNS`. */
export type PageRow = Omit<RecordRow, 'valuesJson'> & { readonly size: number; readonly valuesJson: string | null }

export function toPlaced({ n, ...record }: RecordRow): PlacedRow {
  return { n, record }
}

/** The records of a page, made whole. @throws VALIDATION_ERROR for records that are too large together */
export async function completePage(rows: readonly PageRow[], from: Asked): Promise<PlacedRow[]> {
  const large = rows.filter(({ valuesJson }) => valuesJson === null)
  if (large.reduce((sum, { size }) => sum + size, 0) > MAX_PAGE)
    throw invalid('limit: the records of this page are too large together; ask for fewer')
  const texts = new Map<number, string>()
  for (const { n } of large) {
    const [row] = await from.rows<{ vals: string }>('SELECT vals FROM record WHERE n = $1', [n])
    if (row !== undefined) texts.set(n, row.vals)
  }
  // One that is gone since the page was read was there when it was.
  return rows.flatMap(({ size: _size, valuesJson, ...row }) => {
    const text = valuesJson ?? texts.get(row.n)
    return text === undefined ? [] : [toPlaced({ ...row, valuesJson: text })]
  })
}
