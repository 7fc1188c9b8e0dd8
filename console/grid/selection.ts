// The selected records: some by their IDs, or all matches except some. G5. The selection ends with the query.
import type { BulkSelection } from '../../src/core/jobs/rules/bulk-job.ts'
import type { Selection } from '../../src/core/search/rules/selection.ts'

export type SelectedRecords =
  | { readonly kind: 'these'; readonly ids: ReadonlySet<string> }
  | { readonly kind: 'all'; readonly except: ReadonlySet<string> }

export const NOTHING_SELECTED: SelectedRecords = { kind: 'these', ids: new Set() }
export const ALL_SELECTED: SelectedRecords = { kind: 'all', except: new Set() }

/** Most IDs, selected or excluded, that one bulk job takes. */
export const MAX_NAMED = 10_000

export function isSelected(selected: SelectedRecords, id: string): boolean {
  return selected.kind === 'these' ? selected.ids.has(id) : !selected.except.has(id)
}

/** Adds `ids` to the selection, or removes them. */
export function withRecords(selected: SelectedRecords, ids: readonly string[], isIn: boolean): SelectedRecords {
  const isNamed = selected.kind === 'these' ? isIn : !isIn
  const named = new Set(selected.kind === 'these' ? selected.ids : selected.except)
  for (const id of ids)
    if (isNamed) named.add(id)
    else named.delete(id)
  return selected.kind === 'these' ? { kind: 'these', ids: named } : { kind: 'all', except: named }
}

/** @param total number of records that match */
export function countSelected(selected: SelectedRecords, total: number): number {
  return selected.kind === 'these' ? selected.ids.size : Math.max(0, total - selected.except.size)
}

/** Whether the selection names more records than one job takes. */
export function namesTooMany(selected: SelectedRecords): boolean {
  return (selected.kind === 'these' ? selected.ids : selected.except).size > MAX_NAMED
}

/** The selection in the form that bulk jobs take. */
export function toBulkSelection(selected: SelectedRecords, query: Selection): BulkSelection {
  if (selected.kind === 'these') return { ids: [...selected.ids] }
  return { query, ...(selected.except.size === 0 ? {} : { except: [...selected.except] }) }
}
