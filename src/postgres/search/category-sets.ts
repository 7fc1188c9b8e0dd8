// Reads the whole tree of categories of one snapshot, if a search names categories.
import { type Criterion, isGroup, isOnField } from '../../core/search/rules/criterion.ts'
import type { CategoryTree } from '../../core/search/rules/searched-record.ts'
import type { Asked } from '../../store/rows/session.ts'

export const NO_CATEGORIES: CategoryTree = { catalogOf: () => undefined, withDescendants: (ids) => new Set(ids) }

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
  const withDescendants = (ids: readonly string[]): ReadonlySet<string> => {
    const family = new Set(ids)
    for (const one of family) for (const child of children.get(one) ?? []) family.add(child.id)
    return family
  }
  return { catalogOf: (id) => catalogs.get(id), withDescendants }
}
