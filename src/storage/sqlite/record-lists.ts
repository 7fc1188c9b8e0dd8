// The SQL of a page of records: in the order of creation, straight from the index whatever the filter.
import type { Page, RecordFilter } from '../port.ts'

export const RECORD_COLUMNS = [
  'record.id',
  'record.schema_id AS schemaId',
  'record.parent_id AS parentId',
  'record.state_id AS lifecycleStateId',
  'record.version',
  'record.created_at AS createdAt',
  'record.updated_at AS updatedAt',
  'record.created_by AS createdBy',
  'record.updated_by AS updatedBy',
  'record."values" AS valuesJson',
].join(', ')

/** SQLite merges the ordered rows of so many pairs; for more (a model with hundreds of states) it filters instead. */
const MAX_MERGED_PAIRS = 50

/**
 * @param pairs the (schema, state) pairs with records that the filter selects; undefined where it selects by neither
 * @returns no `sql` where nothing can match
 */
export function pageOfRecords(
  filter: RecordFilter,
  { limit, offset }: Page,
  pairs: readonly (readonly [string, string])[] | undefined,
): { sql?: string; values: unknown[] } {
  if (pairs?.length === 0) return { values: [] }
  const ofParent = filter.parentId === undefined ? '' : filter.parentId === null ? 'parent_id IS NULL' : 'parent_id = ?'
  const parentValues = typeof filter.parentId === 'string' ? [filter.parentId] : []
  if (pairs !== undefined && pairs.length <= MAX_MERGED_PAIRS && parentValues.length === 0) {
    const ofPair = `SELECT n FROM record WHERE schema_id = ? AND state_id = ?${ofParent && ` AND ${ofParent}`}`
    return {
      sql: `SELECT ${RECORD_COLUMNS}
              FROM (${pairs.map(() => ofPair).join(' UNION ALL ')} ORDER BY n LIMIT ? OFFSET ?) AS page
              JOIN record ON record.n = page.n ORDER BY page.n`,
      values: [...pairs.flat(), limit, offset],
    }
  }
  const conditions = [
    ...(ofParent === '' ? [] : [ofParent]),
    ...(filter.schemaId === undefined ? [] : ['schema_id = ?']),
    ...(filter.lifecycleStateId === undefined ? [] : ['state_id = ?']),
  ]
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const wanted = [filter.schemaId, filter.lifecycleStateId].filter((value) => value !== undefined)
  return {
    // The plus sign keeps SQLite from taking an index that does not give the order.
    sql: `SELECT ${RECORD_COLUMNS} FROM record ${where.replace('schema_id', '+schema_id')} ORDER BY n LIMIT ? OFFSET ?`,
    values: [...parentValues, ...wanted, limit, offset],
  }
}
