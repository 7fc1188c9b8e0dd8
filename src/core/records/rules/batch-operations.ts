// Operations on records that are sent together. Contract 3 §2, 3 §10.
import type { Permission } from '../../accounts/rules/permissions.ts'
import type { CategoryPlace } from './changes.ts'

export const OPERATIONS = [
  'create',
  'update',
  'patch',
  'delete',
  'transition',
  'setCategories',
  'addCategories',
  'removeCategories',
] as const
type OperationName = (typeof OPERATIONS)[number]

/** The most operations of one batch. */
export const MAX_OPERATIONS = 1000
/** The most seconds of a batch, because other writers wait for it. */
export const MAX_BATCH_SECONDS = 10

/** The permission that each operation needs; transitions have their own roles. */
export const PERMISSION_OF: Readonly<Record<OperationName, Permission | undefined>> = {
  create: 'records.create',
  update: 'records.update',
  patch: 'records.update',
  delete: 'records.delete',
  transition: undefined,
  setCategories: 'categories.write',
  addCategories: 'categories.write',
  removeCategories: 'categories.write',
}

/** Merges `added` into `places`; an existing place moves only if a sort order is given. */
export function addPlaces(
  places: readonly CategoryPlace[],
  added: readonly { readonly categoryId: string; readonly sortOrder?: number | undefined }[],
): CategoryPlace[] {
  const byCategory = new Map(places.map((place) => [place.categoryId, place]))
  for (const { categoryId, sortOrder } of added)
    byCategory.set(categoryId, { categoryId, sortOrder: sortOrder ?? byCategory.get(categoryId)?.sortOrder ?? 0 })
  return [...byCategory.values()]
}
