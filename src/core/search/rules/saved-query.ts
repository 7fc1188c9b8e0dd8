// Saved queries: a named search, the display of its records, and its visibility.
import * as v from 'valibot'
import { ShownCriteriaInput } from './criteria-input.ts'
import { ScopeInput } from './criterion.ts'
import { ITEM_VIEW_MEMBERS, type ItemMember, type ItemView } from './item-view.ts'
import { type Selection, SELECTION_MEMBERS } from './selection.ts'
import { type SortKey, SortsInput } from './sorting.ts'
import { exactObject } from '../../../kernel/input/exact-object.ts'
import { Alias, choiceOf, Id, listOf, Name, NewId } from '../../../kernel/input/validation.ts'
import { isPlainObject } from '../../values/values.ts'

const MAX_COLUMNS = 500

const AttributeColumn = exactObject({ attributeAlias: Alias, scope: v.optional(ScopeInput) })
const FieldColumn = exactObject({
  field: v.pipe(
    v.string('must be a string'),
    v.regex(/^[A-Za-z]{1,64}$/, 'must be the name of a field: up to 64 letters'),
  ),
})
const Column = choiceOf([AttributeColumn, FieldColumn], (input) =>
  isPlainObject(input) && 'field' in input ? FieldColumn : AttributeColumn,
)

const CatalogGroups = exactObject({ catalogId: Id })
const GroupColumn = choiceOf([AttributeColumn, FieldColumn, CatalogGroups], (input) => {
  if (!isPlainObject(input)) return AttributeColumn
  return 'field' in input ? FieldColumn : 'catalogId' in input ? CatalogGroups : AttributeColumn
})

/** Only clients use the view; its attributes may no longer exist. */
export const View = exactObject({
  columns: v.optional(listOf(Column, MAX_COLUMNS)),
  /** The records are shown in groups by this column, or by the highest categories of this catalog. */
  group: v.optional(GroupColumn),
  scope: v.optional(ScopeInput),
  density: v.optional(
    v.pipe(v.string('must be a string'), v.regex(/^[\w-]{1,50}$/, 'must be a word of up to 50 characters')),
  ),
})
export type View = v.InferOutput<typeof View>

export const VISIBILITIES = ['private', 'shared'] as const
export type Visibility = (typeof VISIBILITIES)[number]

const members = {
  id: v.optional(NewId),
  name: Name,
  ...SELECTION_MEMBERS,
  schemaId: v.optional(v.nullable(v.string('must be a string')), null),
  sort: v.optional(SortsInput),
  ...ITEM_VIEW_MEMBERS,
  view: v.optional(v.nullable(View)),
  visibility: v.optional(v.picklist(VISIBILITIES, "must be 'private' or 'shared'"), 'shared'),
}

export const SavedQueryInput = exactObject(members, ['createdBy'])

/** Clients send back criteria that are hidden from the caller unchanged. */
export const SavedQueryReplacement = exactObject({ ...members, criteria: ShownCriteriaInput }, ['createdBy'])

/** Members of a search that a saved query may have, besides those that select its records. */
export const SEARCH_MEMBERS = [
  'text',
  'textMode',
  'sort',
  'select',
  'include',
  'stateId',
  'resolve',
  'completenessBy',
] as const

export interface SavedQuery extends Selection, ItemView {
  readonly include?: readonly ItemMember[] | undefined
  readonly sort?: readonly SortKey[] | undefined
  readonly id: string
  readonly name: string
  readonly schemaId: string | null
  readonly createdBy: string
  readonly view?: View | undefined
  /** Absent: shared, as all older queries are. */
  readonly visibility?: Visibility | undefined
}

/** Returns whether the caller may see the query. */
export function isVisibleTo({ visibility, createdBy }: SavedQuery, callerId: string): boolean {
  return visibility !== 'private' || createdBy === callerId
}
