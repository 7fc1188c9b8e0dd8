// Where in a catalog a record is, as texts. Contract 3 §5, 3 §10.
import type { Category } from '../../core/model/rules/catalog.ts'

/** Catalog ID and the IDs of a record's categories → `Men/Shirts`, `New`; none where it is in none of the catalog. */
export type PathsOf = (catalogId: string, categoryIds: readonly string[]) => string[]

/** @param categories all of the catalogs that are asked for */
export function createCategoryPaths(categories: readonly Category[]): PathsOf {
  const byId = new Map(categories.map((category) => [category.id, category]))
  const known = new Map<string, string>()
  const pathOf = (category: Category): string => {
    const path = known.get(category.id) ?? namesOf(category, byId).join('/')
    known.set(category.id, path)
    return path
  }
  return (catalogId, categoryIds) => {
    const placed = categoryIds.flatMap((id) => byId.get(id) ?? []).filter((one) => one.catalogId === catalogId)
    return placed.map(pathOf)
  }
}

/** From the root on. */
function namesOf(category: Category, byId: ReadonlyMap<string, Category>): string[] {
  const names: string[] = []
  for (let at: Category | undefined = category; at !== undefined; at = byId.get(at.parentId ?? ''))
    names.unshift(at.name)
  return names
}
