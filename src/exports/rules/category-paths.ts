// Where a record is in a catalog: the names of its categories.
import type { Category } from '../../core/model/rules/catalog.ts'

/**
 * Catalog ID and the IDs of a record's categories → `Men/Shirts`, `New`; empty if the record is not in the catalog.
 * `between`: stands between the names of one path.
 */
export type PathsOf = (catalogId: string, categoryIds: readonly string[], between?: string) => string[]

/** @param categories all of the catalogs that are asked for */
export function createCategoryPaths(categories: readonly Category[]): PathsOf {
  const byId = new Map(categories.map((category) => [category.id, category]))
  const known = new Map<string, Map<Category, string>>()
  const pathOf = (category: Category, between: string, paths: Map<Category, string>): string => {
    const path = paths.get(category) ?? namesOf(category, byId).join(between)
    paths.set(category, path)
    return path
  }
  return (catalogId, categoryIds, between = '/') => {
    const placed = categoryIds.flatMap((id) => byId.get(id) ?? []).filter((one) => one.catalogId === catalogId)
    const paths = known.get(between) ?? new Map<Category, string>()
    known.set(between, paths)
    return placed.map((category) => pathOf(category, between, paths))
  }
}

/** From the root down. */
function namesOf(category: Category, byId: ReadonlyMap<string, Category>): string[] {
  const names: string[] = []
  for (let at: Category | undefined = category; at !== undefined; at = byId.get(at.parentId ?? ''))
    names.unshift(at.name)
  return names
}
