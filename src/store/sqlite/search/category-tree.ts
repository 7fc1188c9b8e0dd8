// The tree of categories in one snapshot, and the categories of records.
import type { CategoryTree } from '../../../core/search/rules/searched-record.ts'
import type { StatementCache } from '../statements.ts'

/** Caches lookups. The connection must name the database of records `main`. */
export function categoryTree(sql: StatementCache): CategoryTree {
  const catalogs = new Map<string, string | undefined>()
  return {
    catalogOf: (categoryId) => {
      if (!catalogs.has(categoryId)) catalogs.set(categoryId, readCatalog(categoryId, sql))
      return catalogs.get(categoryId)
    },
    withDescendants: (categoryId) => {
      const below = sql.all<{ id: string }>(BELOW, [categoryId])
      return [categoryId, ...below.map(({ id }) => id)]
    },
  }
}

const BELOW = `
  WITH RECURSIVE below (id) AS (
    SELECT id FROM main.category WHERE parent_id = ?
    UNION SELECT category.id FROM main.category JOIN below ON category.parent_id = below.id)
  SELECT id FROM below`

function readCatalog(categoryId: string, sql: StatementCache): string | undefined {
  return sql.get<{ catalogId: string }>('SELECT catalog_id AS catalogId FROM main.category WHERE id = ?', [categoryId])
    ?.catalogId
}

/** Returns the distinct categories of the record and its parent. */
export function categoryIdsOf(record: number, parentId: string | null, sql: StatementCache): string[] {
  const own = 'SELECT category_id AS id FROM main.assignment WHERE record_n = ?'
  const rows =
    parentId === null
      ? sql.all<{ id: string }>(own, [record])
      : sql.all<{ id: string }>(`${own} OR record_n = (SELECT n FROM main.record WHERE id = ?)`, [record, parentId])
  return [...new Set(rows.map(({ id }) => id))]
}
