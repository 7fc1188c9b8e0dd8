// Catalogs and their category trees. Contract 1 §2.6, 2 §3.
import * as v from 'valibot'
import { invalid } from '../../../kernel/errors.ts'
import { keepNames, type Named, NamesInput } from './names.ts'
import { Id, listOf, Name, NewId, SortOrder, type OutputOf } from '../../../kernel/input/validation.ts'

export const CatalogInput = v.object({ id: v.optional(NewId), name: Name })

export interface Catalog {
  readonly id: string
  readonly name: string
}

export const CategoryInput = v.object({
  id: v.optional(NewId),
  parentId: v.optional(v.nullable(Id), null),
  name: Name,
  names: v.optional(NamesInput),
  sortOrder: v.optional(SortOrder, 0),
})

export interface Category extends Named {
  readonly id: string
  readonly catalogId: string
  readonly parentId: string | null
  readonly sortOrder: number
}

export function defineCategory(
  id: string,
  catalogId: string,
  { parentId, name, names, sortOrder }: v.InferOutput<typeof CategoryInput>,
): Category {
  return { id, catalogId, parentId, name, ...keepNames(names), sortOrder }
}

export const AssignmentInput = v.object({ categoryId: Id, sortOrder: v.optional(SortOrder, 0) })
/** The most categories of one record. */
export const MAX_ASSIGNMENTS = 1000
export const AssignmentsInput = listOf(AssignmentInput, MAX_ASSIGNMENTS)

/** The most records of a category whose order is set at once, or that move along with one record. */
export const MAX_ORDERED = 10_000
export const RecordOrder = v.object({ recordIds: listOf(Id, MAX_ORDERED) })

const BEFORE = 'The sibling that comes next after the move. null: the category becomes the last.'
const Before = v.optional(v.pipe(v.nullable(Id), v.description(BEFORE)), null)
export const CategoryMove = v.object({ parentId: v.nullable(Id), before: Before })
export const RecordMove = v.object({ recordId: Id, before: Before })

export const AssignmentShape = v.object({ entityId: v.string(), categoryId: v.string(), sortOrder: v.number() })

export type CategoryAssignment = OutputOf<typeof AssignmentShape>

/**
 * @param parents category ID → parent ID, at least of `parentId` and all categories above
 * @throws VALIDATION_ERROR if `parentId` is outside the catalog, or is the category itself or a category below it
 */
export function assertParent(
  categoryId: string,
  parentId: string | null,
  parents: ReadonlyMap<string, string | null>,
): void {
  if (parentId !== null && !parents.has(parentId))
    throw invalid(`parentId names '${parentId}', which is not a category of this catalog`)
  for (let ancestor: string | null = parentId; ancestor !== null; ancestor = parents.get(ancestor) ?? null) {
    if (ancestor === categoryId) throw invalid('parentId must not name the category itself or one below it')
  }
}
