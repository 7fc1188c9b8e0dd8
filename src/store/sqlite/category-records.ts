// The SQL of which records are in a category, page by page: by sortOrder within it, or with those below it in the order of creation.
import type { CategoryPage } from '../record-port.ts'
import type { PageOfPlaces } from '../reading/workspace-reads.ts'
import type { StatementCache } from './statements.ts'

/** The category, and those below it. */
const BELOW = `WITH RECURSIVE below (id) AS (
  SELECT ? UNION SELECT category.id FROM category JOIN below ON category.parent_id = below.id)`
const ASSIGNED_BELOW = 'SELECT DISTINCT record_n FROM assignment WHERE category_id IN (SELECT id FROM below)'

/** By sortOrder, then in the order of creation. */
export function placesInCategory(sql: StatementCache, categoryId: string, page: CategoryPage): PageOfPlaces {
  const { limit, offset, after } = page
  const behind = after === undefined ? '' : 'AND (sort_order, record_n) > (?, ?)'
  const rows = sql.tuples<readonly [place: number, sortOrder: number]>(
    `SELECT record_n, sort_order FROM assignment WHERE category_id = ? ${behind}
      ORDER BY sort_order, record_n LIMIT ? OFFSET ?`,
    [categoryId, ...(after === undefined ? [] : [after.values[0], after.record]), limit, offset],
  )
  const last = rows.length === limit ? rows.at(-1) : undefined
  return {
    places: rows.map(([place]) => place),
    total: sql.numbers('SELECT count(*) FROM assignment WHERE category_id = ?', [categoryId])[0]!,
    next: last && { record: last[0], values: [last[1]] },
  }
}

/** Of the category and those below it: each record once, in the order of creation. */
export function placesBelow(sql: StatementCache, categoryId: string, page: CategoryPage): PageOfPlaces {
  const { limit, offset, after } = page
  const places = sql.numbers(`${BELOW} ${ASSIGNED_BELOW} AND record_n > ? ORDER BY record_n LIMIT ? OFFSET ?`, [
    categoryId,
    after?.record ?? 0,
    limit,
    offset,
  ])
  return {
    places,
    total: sql.numbers(`${BELOW} SELECT count(*) FROM (${ASSIGNED_BELOW})`, [categoryId])[0]!,
    next: places.length === limit ? { record: places.at(-1)!, values: [] } : undefined,
  }
}
