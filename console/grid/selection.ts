// The selected records: some by their IDs, or all matches except some. G5. The selection ends with the query.
import type { BulkSelection } from '../../src/core/jobs/rules/bulk-job.ts'
import type { Criterion } from '../../src/core/search/rules/criterion.ts'
import type { Selection } from '../../src/core/search/rules/selection.ts'

export type SelectedRecords =
  | { readonly kind: 'these'; readonly ids: ReadonlySet<string> }
  | { readonly kind: 'all'; readonly except: ReadonlySet<string> }
  | {
      /** All records of some groups of the sheet, except some; `ids`: single records of other groups. */
      readonly kind: 'groups'
      readonly groups: ReadonlyMap<string, SelectedGroup>
      readonly except: ReadonlySet<string>
      readonly ids: ReadonlySet<string>
    }

interface SelectedGroup {
  readonly count: number
  /** The criterion that finds the records of the group among those of the query. */
  readonly criterion: Criterion
}

export const NOTHING_SELECTED: SelectedRecords = { kind: 'these', ids: new Set() }
export const ALL_SELECTED: SelectedRecords = { kind: 'all', except: new Set() }

/** The most IDs, selected or excluded, that one bulk job takes. */
export const MAX_NAMED = 10_000

/** The most IDs in one criterion of a search. */
const MAX_LISTED = 1000

/** @param group of the record, in a sheet with groups */
export function isSelected(selected: SelectedRecords, id: string, group?: string): boolean {
  switch (selected.kind) {
    case 'these':
      return selected.ids.has(id)
    case 'all':
      return !selected.except.has(id)
    case 'groups':
      return isOfGroups(selected, group) ? !selected.except.has(id) : selected.ids.has(id)
  }
}

function isOfGroups({ groups }: { readonly groups: ReadonlyMap<string, unknown> }, group?: string): boolean {
  return group !== undefined && groups.has(group)
}

/** Adds `ids` to the selection, or removes them. @param groupOf the group of a record, in a sheet with groups */
export function withRecords(
  selected: SelectedRecords,
  ids: readonly string[],
  isIn: boolean,
  groupOf: (id: string) => string | undefined = () => undefined,
): SelectedRecords {
  const change = (named: ReadonlySet<string>, some: readonly string[], isNamed: boolean): ReadonlySet<string> =>
    isNamed ? named.union(new Set(some)) : named.difference(new Set(some))
  if (selected.kind === 'these') return { kind: 'these', ids: change(selected.ids, ids, isIn) }
  if (selected.kind === 'all') return { kind: 'all', except: change(selected.except, ids, !isIn) }
  const inGroups = ids.filter((id) => isOfGroups(selected, groupOf(id)))
  const others = ids.filter((id) => !isOfGroups(selected, groupOf(id)))
  return {
    ...selected,
    except: change(selected.except, inGroups, !isIn),
    ids: change(selected.ids, others, isIn),
  }
}

/** Adds a whole group, or removes it. Single records of other groups stay selected. */
export function withGroup(
  selected: SelectedRecords,
  key: string,
  group: SelectedGroup | undefined,
  idsOfGroup: readonly string[],
): SelectedRecords {
  const ofGroups =
    selected.kind === 'groups'
      ? selected
      : {
          kind: 'groups' as const,
          groups: new Map(),
          except: new Set<string>(),
          ids: selected.kind === 'these' ? selected.ids : new Set<string>(),
        }
  const groups = new Map<string, SelectedGroup>(ofGroups.groups)
  if (group === undefined) groups.delete(key)
  else groups.set(key, group)
  const own = new Set(idsOfGroup)
  const [except, ids] = [ofGroups.except.difference(own), ofGroups.ids.difference(own)]
  return groups.size === 0 ? { kind: 'these', ids } : { kind: 'groups', groups, except, ids }
}

/** @param total number of records that match */
export function countSelected(selected: SelectedRecords, total: number): number {
  switch (selected.kind) {
    case 'these':
      return selected.ids.size
    case 'all':
      return Math.max(0, total - selected.except.size)
    case 'groups': {
      const ofGroups = [...selected.groups.values()].reduce((sum, { count }) => sum + count, 0)
      return Math.max(0, ofGroups - selected.except.size) + selected.ids.size
    }
  }
}

/** Returns whether the selection names more records than one job takes. */
export function namesTooMany(selected: SelectedRecords): boolean {
  if (selected.kind === 'these') return selected.ids.size > MAX_NAMED
  const isListed = selected.kind === 'groups' && selected.ids.size > MAX_LISTED
  return isListed || selected.except.size > MAX_NAMED
}

/** Returns the selection in the form for bulk jobs. */
export function toBulkSelection(selected: SelectedRecords, query: Selection): BulkSelection {
  if (selected.kind === 'these') return { ids: [...selected.ids] }
  const except = selected.except.size === 0 ? {} : { except: [...selected.except] }
  if (selected.kind === 'all') return { query, ...except }
  const single: Criterion[] = selected.ids.size === 0 ? [] : [{ field: 'id', operator: 'in', value: [...selected.ids] }]
  const among: Criterion = {
    criteriaOperator: 'or',
    criteria: [...[...selected.groups.values()].map(({ criterion }) => criterion), ...single],
  }
  return { query: { ...query, criteria: [...query.criteria, among] }, ...except }
}
