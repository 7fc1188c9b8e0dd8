// The changes of one write, by scoped value, or the categories of a record: the content of the audit trail.
// Contract 1 §2.5, 2 §4, 3 §3, 3 §10.
import type { CategoryAssignment } from '../../model/rules/catalog.ts'
import { scopedValues, type Values } from './record.ts'
import { type Scope, type ScopedValue, scopeKey } from '../../scopes/scope.ts'
import { isSameValue } from '../../../kernel/text.ts'

/** erase: older entries have lost the values of the record. */
export const AUDIT_ACTIONS = ['create', 'update', 'delete', 'transition', 'erase'] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export interface AttributeChange {
  readonly attributeAlias: string
  readonly scope: Scope
  /** Null where there was no value. */
  readonly oldValue: unknown
  /** Null where there is no value any more. */
  readonly newValue: unknown
}

/** Where a record is in one category. */
export type CategoryPlace = Pick<CategoryAssignment, 'categoryId' | 'sortOrder'>

export interface CategoriesChange {
  /** An attribute that is called so has changes with `attributeAlias`. */
  readonly field: 'categories'
  readonly oldValue: readonly CategoryPlace[]
  /** Null where the record is deleted. */
  readonly newValue: readonly CategoryPlace[] | null
}

export type Change = AttributeChange | CategoriesChange

/** Ways by which a change comes about. */
export const CHANGE_ORIGINS = ['api', 'import', 'bulk', 'undo', 'restore', 'schema'] as const

export interface ChangeOrigin {
  /** api: a request; schema: a change of the model, which did not fit the record's values any more. */
  readonly kind: (typeof CHANGE_ORIGINS)[number]
  /** The job that made the change, if any. */
  readonly id?: string
}

export const BY_REQUEST: ChangeOrigin = { kind: 'api' }

export interface AuditEntry {
  readonly id: string
  readonly entityId: string
  readonly userId: string
  readonly timestamp: string
  readonly action: AuditAction
  readonly changes: readonly Change[]
  readonly origin: ChangeOrigin
  /** The changes were erased. */
  readonly erased?: true | undefined
}

/** The attribute that a transition's entry names. */
export const LIFECYCLE_CHANGE = 'lifecycleState'

/** The scoped values that differ between `before` and `after`; of the attributes in `aliases` where that is given. */
export function diffValues(before: Values, after: Values, aliases?: readonly string[]): AttributeChange[] {
  const touched = aliases ?? [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return touched.flatMap((alias) => diffAttribute(alias, scopedValues(before, alias), scopedValues(after, alias)))
}

function diffAttribute(
  attributeAlias: string,
  before: readonly ScopedValue[],
  after: readonly ScopedValue[],
): AttributeChange[] {
  const old = new Map(before.map((item) => [scopeKey(item.scope), item]))
  const changes: AttributeChange[] = []
  for (const { scope, value } of after) {
    const key = scopeKey(scope)
    const previous = old.get(key)
    old.delete(key)
    if (previous === undefined || !isSameValue(previous.value, value))
      changes.push({ attributeAlias, scope, oldValue: previous?.value ?? null, newValue: value })
  }
  for (const { scope, value } of old.values()) changes.push({ attributeAlias, scope, oldValue: value, newValue: null })
  return changes
}

export function isCategoriesChange(change: Change): change is CategoriesChange {
  return 'field' in change
}

/** The change between two lists of assignments in any order; none if they are equal. */
export function diffCategories(before: readonly CategoryPlace[], after: readonly CategoryPlace[]): CategoriesChange[] {
  const [oldValue, newValue] = [placesOf(before), placesOf(after)]
  if (isSameValue(inOrder(oldValue), inOrder(newValue))) return []
  return [{ field: 'categories', oldValue, newValue }]
}

/** The changes that delete all values of a record. */
export function loseCategories(before: readonly CategoryPlace[]): CategoriesChange[] {
  return before.length === 0 ? [] : [{ field: 'categories', oldValue: placesOf(before), newValue: null }]
}

function placesOf(assignments: readonly CategoryPlace[]): CategoryPlace[] {
  return assignments.map(({ categoryId, sortOrder }) => ({ categoryId, sortOrder }))
}

function inOrder(places: readonly CategoryPlace[]): CategoryPlace[] {
  return places.toSorted((one, other) => (one.categoryId < other.categoryId ? -1 : 1))
}

/**
 * The values after `changes`, which may also have changes of categories. Replaying a record's trail gives its current
 * values.
 */
export function applyChanges(values: Values, changes: readonly Change[]): Values {
  const result = new Map(Object.entries(values))
  for (const change of changes) {
    if (isCategoriesChange(change)) continue
    const { attributeAlias, scope, newValue } = change
    const key = scopeKey(scope)
    const others = (result.get(attributeAlias) ?? []).filter((item) => scopeKey(item.scope) !== key)
    const now = newValue === null ? others : [...others, { scope, value: newValue }]
    if (now.length === 0) result.delete(attributeAlias)
    else result.set(attributeAlias, now)
  }
  return Object.fromEntries(result)
}
