// Rows of categories, whatever keeps them.
import type { Category } from '../../core/model/rules/catalog.ts'
import type { Names } from '../../core/model/rules/names.ts'

export type CategoryRow = Omit<Category, 'names'> & { readonly names: string | null }

export function toCategory(row: CategoryRow | undefined): Category | undefined {
  if (row === undefined) return undefined
  const { names, ...category } = row
  return names === null ? category : { ...category, names: JSON.parse(names) as Names }
}

export function textOfNames(names: Names | undefined): string | null {
  return names === undefined ? null : JSON.stringify(names)
}
