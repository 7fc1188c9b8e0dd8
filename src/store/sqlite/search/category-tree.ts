// The tree of categories in one snapshot, and the categories of records.
import type { CategoryTree } from '../../../core/search/rules/searched-record.ts'
import type { StatementCache } from '../statements.ts'

/**
 * Returns the tree, which caches look-ups. The connection must name the database of records `main`. @param most the
 * most descendants to read; more of them throw `tooMany`
 */
export function categoryTree(sql: StatementCache, { most, tooMany }: Limit = NO_LIMIT): CategoryTree {
  const catalogs = new Map<string, string | undefined>()
  return {
    catalogOf: (categoryId) => {
      if (!catalogs.has(categoryId)) catalogs.set(categoryId, readCatalog(categoryId, sql))
      return catalogs.get(categoryId)
    },
    withDescendants: (categoryIds) => {
      const limit = most === undefined ? -1 : most + 1
      const family = new Set(sql.all<{ id: string }>(FAMILY, [JSON.stringify(categoryIds), limit]).map(({ id }) => id))
      if (most !== undefined && family.size > most) throw tooMany
      return family
    },
  }
}

interface Limit {
  readonly most: number | undefined
  readonly tooMany?: Error
}
const NO_LIMIT: Limit = { most: undefined }

/** Selects each category once, even if the given categories contain one another. */
const FAMILY = `
  WITH RECURSIVE family (id) AS (
    SELECT value FROM json_each(?)
    UNION SELECT category.id FROM main.category JOIN family ON category.parent_id = family.id)
  SELECT id FROM family LIMIT ?`

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
