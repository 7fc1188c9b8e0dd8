// The keys of groups, their limits, and their readers.
import type { GroupHost, RowGroup } from '../grid/groups.ts'

/** The most values of a facet, and the most groups; further values share one group. */
export const FACET_VALUES = 100
export const MOST_GROUPS = 500

export const EMPTY = '-'
export const REST = '+'

/** Returns the key of a value. Keys of groups without a value begin differently. */
export function keyOf(value: string): string {
  return `=${value}`
}

export type Host = Omit<GroupHost<never>, 'readRows' | 'newPages' | 'markMoving' | 'isMoving' | 'recordOf'>

/** The groups of a sheet, the number of its records, and whether further values could have groups. */
export interface ReadGroups {
  readonly groups: readonly RowGroup[]
  readonly total: number
  readonly hasMore: boolean
}
