// Reads the categories that a cell of an import names: IDs, or paths of names from the root of a catalog.
// Contract 3 §4.
import type { CsvCell } from '../core/csv/csv-cell.ts'
import { assertPermission, type Role } from '../core/accounts/rules/permissions.ts'
import { invalid, shorten } from '../kernel/errors.ts'
import { partsOfCell } from '../core/datatypes/data-type.ts'
import { MAX_ASSIGNMENTS } from '../core/model/rules/catalog.ts'
import { MAX_NAME } from '../kernel/input/validation.ts'
import { lengthOf } from './rules/named-categories.ts'
import type { CategoryPlace } from '../core/records/rules/changes.ts'
import type { EmptyCells } from './rules/import-outcome.ts'
import type { CategoryReads } from '../store/category-port.ts'

/** Steps of finding the paths of one cell. The limit keeps many categories with the same name from multiplying the work. */
const MAX_LOOK_UPS = 10_000
/** Names of one path. */
const MAX_PARTS = 100
/** Most categories with the same name under one parent that are distinguished. */
const MAX_ALIKE = 20

interface Budget {
  left: number
}

interface CategoryNames {
  readonly categories: Pick<CategoryReads, 'existing' | 'named'>
}

interface PathRules {
  /** The catalog of paths that several catalogs have. */
  readonly catalogId?: string | undefined
  /** The category that a path means which no category has exactly. */
  readonly categoryOf?: ((path: string) => string | undefined) | undefined
}

/**
 * Returns all categories that the record is to have; undefined: the cell gives none.
 * @throws VALIDATION_ERROR for an unknown category, PERMISSION_DENIED
 */
export async function placesOf(
  tx: CategoryNames,
  {
    role,
    before,
    emptyCells,
    ...paths
  }: PathRules & {
    readonly role: Role
    readonly before: readonly CategoryPlace[]
    readonly emptyCells: EmptyCells
  },
  cell: CsvCell,
): Promise<CategoryPlace[] | undefined> {
  const names = categoryNames(cell)
  if (names?.length === 0 && emptyCells === 'keep') return undefined
  assertPermission(role, 'categories.write')
  if (names === undefined || names.length > MAX_ASSIGNMENTS)
    throw invalid(`categories: a record may have at most ${MAX_ASSIGNMENTS} categories`)
  const existing = await tx.categories.existing(names)
  const ids = new Set<string>()
  const budget = { left: MAX_LOOK_UPS }
  for (const name of names) ids.add(existing.has(name) ? name : await findOne(tx, name, budget, paths))
  return [...ids].map((categoryId) => ({
    categoryId,
    sortOrder: before.find((place) => place.categoryId === categoryId)?.sortOrder ?? 0,
  }))
}

/** The IDs or paths in a cell; undefined: too many. */
export function categoryNames(cell: CsvCell): string[] | undefined {
  if (cell === null) return []
  const names = partsOfCell(String(cell), '|')
  // It names too many even where most are blank.
  if (names === undefined) return undefined
  return names.map((name) => name.trim()).filter((name) => name !== '')
}

async function findOne(
  tx: CategoryNames,
  name: string,
  budget: Budget,
  { catalogId, categoryOf }: PathRules,
): Promise<string> {
  const parts = name.split('/', MAX_PARTS + 1).map((part) => part.trim())
  const preferred = catalogId === undefined ? [] : await findByPath(tx, parts, budget, catalogId)
  const found = preferred?.length === 0 ? await findByPath(tx, parts, budget) : preferred
  if (found === undefined)
    throw invalid(
      `categories names '${shorten(name)}', which takes too long to find by name: use the IDs of categories`,
    )
  if (found.length === 1) return found[0]!
  const meant = found.length === 0 ? categoryOf?.(name) : undefined
  if (meant !== undefined) return meant
  throw invalid(
    found.length === 0
      ? `categories names '${shorten(name)}', which is neither the ID nor the path of a category`
      : `categories names '${shorten(name)}', which is the path of several categories: ${found.slice(0, 5).join(', ')}. Use one of these IDs, or a profile whose column names the catalogId`,
  )
}

/**
 * Finds the categories that the names lead to from the root of the catalog, or of any. A name may contain slashes.
 * Undefined: the search takes too many steps.
 */
async function findByPath(
  { categories }: CategoryNames,
  parts: readonly string[],
  budget: Budget,
  catalogId?: string,
): Promise<string[] | undefined> {
  if (parts.length > MAX_PARTS) return undefined
  /** The index is the number of parts that lead to the categories. */
  const reached: (string | null)[][] = [[null]]
  let here: string[] = []
  for (let end = 1; end <= parts.length; end += 1) {
    here = []
    for (let begin = 0; begin < end; begin += 1) {
      const some = parts.slice(begin, end)
      if (lengthOf(some) > MAX_NAME) continue
      for (const parentId of reached[begin]!) {
        budget.left -= 1
        if (budget.left < 0) return undefined
        here.push(...(await categories.named(some.join('/'), { parentId, catalogId }, MAX_ALIKE)))
      }
    }
    reached.push(here)
  }
  return here
}
