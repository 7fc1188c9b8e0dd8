// Which records are selected: some by their IDs, or all that match but some. G5. It lasts as long as the question that the
// records answer.
import type { BulkSelection } from '../../src/core/jobs/rules/bulk-job.ts'
import type { Selection } from '../../src/core/search/rules/selection.ts'

export type SelectedRecords =
  | { readonly kind: 'these'; readonly ids: ReadonlySet<string> }
  | { readonly kind: 'all'; readonly except: ReadonlySet<string> }

export const NOTHING_SELECTED: SelectedRecords = { kind: 'these', ids: new Set() }
export const ALL_SELECTED: SelectedRecords = { kind: 'all', except: new Set() }

/** IDs that one bulk job takes by name, selected or left out. */
export const MAX_NAMED = 10_000

export function isSelected(selected: SelectedRecords, id: string): boolean {
  return selected.kind === 'these' ? selected.ids.has(id) : !selected.except.has(id)
}

/** `selected` with or without `ids`. */
export function withRecords(selected: SelectedRecords, ids: readonly string[], isIn: boolean): SelectedRecords {
  const isNamed = selected.kind === 'these' ? isIn : !isIn
  const named = new Set(selected.kind === 'these' ? selected.ids : selected.except)
  for (const id of ids)
    if (isNamed) named.add(id)
    else named.delete(id)
  return selected.kind === 'these' ? { kind: 'these', ids: named } : { kind: 'all', except: named }
}

/** Of `total` records that match. */
export function countSelected(selected: SelectedRecords, total: number): number {
  return selected.kind === 'these' ? selected.ids.size : Math.max(0, total - selected.except.size)
}

/** Whether it names more records than one job takes. */
export function namesTooMany(selected: SelectedRecords): boolean {
  return (selected.kind === 'these' ? selected.ids : selected.except).size > MAX_NAMED
}

/** As `selection` of a bulk job says it. */
export function toBulkSelection(selected: SelectedRecords, query: Selection): BulkSelection {
  if (selected.kind === 'these') return { ids: [...selected.ids] }
  return { query, ...(selected.except.size === 0 ? {} : { except: [...selected.except] }) }
}
