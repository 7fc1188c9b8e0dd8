// The categories that a cell of an import names: by ID, or by the names from the root of a catalog on. Contract 3 §4.
import type { CsvCell } from '../../domain/csv/csv-cell.ts'
import { assertPermission, type Role } from '../../domain/accounts/permissions.ts'
import { invalid, shorten } from '../../domain/errors.ts'
import { createCategoryPaths } from '../../domain/exports/category-paths.ts'
import { MAX_ASSIGNMENTS } from '../../domain/model/catalogs.ts'
import type { CategoryPlace } from '../../domain/records/changes.ts'
import type { EmptyCells } from '../../domain/records/import.ts'
import type { CategoryReads, Reads } from '../../storage/port.ts'

export interface CategoryFinder {
  /** IDs of the categories that the names lead to: one of each catalog at most. */
  byPath(path: string): readonly string[]
}

/** Of the categories as they are now; each import has its own. */
export async function createCategoryFinder(reads: Pick<Reads, 'catalogs' | 'categories'>): Promise<CategoryFinder> {
  const byPath = new Map<string, string[]>()
  for (const catalog of await reads.catalogs.list()) {
    const categories = await reads.categories.listOf(catalog.id)
    const pathOf = createCategoryPaths(categories)
    for (const { id } of categories) {
      const path = pathOf(catalog.id, [id])!
      const known = byPath.get(path)
      if (known === undefined) byPath.set(path, [id])
      else known.push(id)
    }
  }
  return { byPath: (path) => byPath.get(path) ?? [] }
}

/**
 * All that the record is to have; undefined: the cell says nothing.
 * @throws VALIDATION_ERROR for what is no category, PERMISSION_DENIED
 */
export async function placesOf(
  tx: { readonly categories: Pick<CategoryReads, 'existing'> },
  {
    finder,
    role,
    before,
    emptyCells,
  }: {
    readonly finder: CategoryFinder
    readonly role: Role
    readonly before: readonly CategoryPlace[]
    readonly emptyCells: EmptyCells
  },
  cell: CsvCell,
): Promise<CategoryPlace[] | undefined> {
  const names =
    cell === null
      ? []
      : String(cell)
          .split('|')
          .map((name) => name.trim())
          .filter((name) => name !== '')
  if (names.length === 0 && emptyCells === 'keep') return undefined
  assertPermission(role, 'categories.write')
  if (names.length > MAX_ASSIGNMENTS)
    throw invalid(`categories: a record may have at most ${MAX_ASSIGNMENTS} categories`)
  const existing = await tx.categories.existing(names)
  const ids = new Set(names.map((name) => (existing.has(name) ? name : findOne(finder, name))))
  const found = await tx.categories.existing([...ids])
  const gone = [...ids].find((id) => !found.has(id))
  if (gone !== undefined) throw invalid(`categories names the category '${gone}', which does not exist any more`)
  return [...ids].map((categoryId) => ({
    categoryId,
    sortOrder: before.find((place) => place.categoryId === categoryId)?.sortOrder ?? 0,
  }))
}

function findOne(finder: CategoryFinder, name: string): string {
  const path = name
    .split('/')
    .map((part) => part.trim())
    .join('/')
  const found = finder.byPath(path)
  if (found.length === 1) return found[0]!
  throw invalid(
    found.length === 0
      ? `categories names '${shorten(name)}', which is neither the ID nor the path of a category`
      : `categories names '${shorten(name)}', which is the path of several categories: ${found.slice(0, 5).join(', ')}`,
  )
}
