// Categories that an import makes, and that its undo deletes if they are empty. Contract 3 §4.
import type { Transaction } from '../../store/port.ts'
import { defineCategory } from './rules/catalog.ts'
import { type ModelChanger, noteModelChange } from './model-entries.ts'

interface NewCategory {
  readonly id: string
  readonly catalogId: string
  readonly parentId: string | null
  readonly name: string
}

/** Resolves to whether the category is made: its parent, or its catalog, may be deleted. */
export async function makeCategory(
  tx: Transaction,
  { system, caller, origin }: ModelChanger,
  { id, catalogId, parentId, name }: NewCategory,
): Promise<boolean> {
  const parent = parentId === null ? undefined : await tx.categories.get(parentId)
  const isPlaced =
    parentId === null ? (await tx.catalogs.get(catalogId)) !== undefined : parent?.catalogId === catalogId
  if (!isPlaced) return false
  const category = defineCategory(id, catalogId, { parentId, name, sortOrder: 0 })
  await tx.categories.insert(category)
  noteModelChange(tx, system, caller, { entityType: 'category', after: category, origin })
  return true
}

/** Deletes the category, unless it has records or children. */
export async function removeEmptyCategory(
  tx: Transaction,
  { system, caller, origin }: ModelChanger,
  id: string,
): Promise<void> {
  const before = await tx.categories.get(id)
  if (before === undefined || (await tx.categories.findChild(id)) !== undefined) return
  if ((await tx.categories.recordIdsIn(id, 1)).length > 0) return
  await tx.categories.delete(id)
  noteModelChange(tx, system, caller, { entityType: 'category', before, origin })
}
