// Converts the shown sheet to a saved query, and back. Pure. G10. Contract 3 §7.
import type { SavedQuery } from '../../src/core/search/rules/saved-query.ts'
import type { Selection } from '../../src/core/search/rules/selection.ts'
import type { SortKey } from '../../src/core/search/rules/sorting.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import { isSameValue } from '../../src/kernel/text.ts'
import type { Column } from '../state/addresses.ts'
import { fromViewColumns, type SheetColumn, toViewColumns } from './columns.ts'
import { catalogKey, type GroupColumn } from './grouping.ts'
import { type RecordsQuery, toSelection } from '../filters/query.ts'
import { readSelection } from '../filters/read-selection.ts'

export interface ShownView {
  readonly query: RecordsQuery
  readonly columns: readonly SheetColumn[]
  readonly scope: Scope
  /** The column whose values divide the rows. */
  readonly group: GroupColumn | undefined
}

/** The members of a saved query that define the sheet. */
export type SavedView = Selection & Pick<SavedQuery, 'view'> & { readonly sort?: readonly SortKey[] | undefined }

export function toSavedView({ query, columns, scope, group }: ShownView): SavedView {
  const { sort } = query
  return {
    ...toSelection(query, scope),
    ...(sort.length === 0 ? {} : { sort }),
    view: { columns: toViewColumns(columns), scope: { ...scope }, ...(group && { group: viewGroup(group) }) },
  }
}

/** Returns whether a saved query shows exactly the same sheet. */
export function isSameView(saved: SavedView, shown: ShownView): boolean {
  return isSameValue(comparable(saved), comparable(toSavedView(shown)))
}

function comparable({
  schemaId,
  criteria,
  criteriaOperator,
  text = '',
  textMode,
  sort = [],
  view,
}: SavedView): unknown {
  const mode = text === '' ? null : (textMode ?? 'phrase')
  const { columns = [], scope = {}, group = null } = view ?? {}
  return { schemaId: schemaId ?? null, criteria, criteriaOperator, text, mode, sort, columns, scope, group }
}

interface ReadView {
  readonly query: RecordsQuery
  readonly columns: readonly Column[]
  readonly scope: Scope | undefined
  readonly group: Column | undefined
}

/** Reads the query and columns of a saved query. A part without its own chip stays a plain criterion. */
export function fromSavedView(saved: SavedView): ReadView {
  const { view, sort = [] } = saved
  const query = { ...readSelection(saved, view?.scope ?? {}), sort }
  const group = view?.group && groupOf(view.group)
  return { query, columns: fromViewColumns(view?.columns ?? []), scope: view?.scope, group }
}

type ViewGroup = NonNullable<NonNullable<SavedQuery['view']>['group']>

function viewGroup(group: GroupColumn): ViewGroup {
  return group.kind === 'catalog' ? { catalogId: group.catalog.id } : toViewColumns([group])[0]!
}

function groupOf(group: ViewGroup): Column {
  return 'catalogId' in group ? { name: catalogKey(group.catalogId), scope: {} } : fromViewColumns([group])[0]!
}
