// Reads the whole tree of categories of one snapshot, if a search names categories.
import { type Criterion, isGroup, isOnField } from '../../core/search/rules/criterion.ts'
import type { CategoryTree } from '../../core/search/rules/searched-record.ts'
import type { Asked } from '../../store/rows/session.ts'

export const NO_CATEGORIES: CategoryTree = { catalogOf: () => undefined, withDescendants: (id) => [id] }

export function namesCategories(criteria: readonly Criterion[]): boolean {
  return criteria.some((one) => {
    if (isGroup(one)) return namesCategories(one.criteria)
    return isOnField(one) && (one.field === 'categoryId' || one.field === 'catalogId')
  })
}

export async function readCategories(from: Asked): Promise<CategoryTree> {
  const sql = 'SELECT id, parent_id AS "parentId", catalog_id AS "catalogId" FROM category'
  const rows = await from.rows<{ id: string; parentId: string | null; catalogId: string }>(sql)
  const catalogs = new Map(rows.map(({ id, catalogId }) => [id, catalogId]))
  const children = Map.groupBy(rows, ({ parentId }) => parentId)
  const withDescendants = (id: string): string[] => {
    const ids = [id]
    for (const one of ids) for (const child of children.get(one) ?? []) ids.push(child.id)
    return ids
  }
  return { catalogOf: (id) => catalogs.get(id), withDescendants }
}
