// The changes of one write, by scoped value, or the categories of a record: the content of the audit trail.
// Contract 1 §2.5, 2 §4, 3 §3, 3 §10.
import type { CategoryAssignment } from '../../model/rules/catalog.ts'
import { scopedValues, type Values } from './record.ts'
import { type Scope, type ScopedValue, scopeKey } from '../../scopes/scope.ts'
import { isSameValue } from '../../../kernel/text.ts'

/** `erase`: older entries have lost the values of the record. */
export const AUDIT_ACTIONS = ['create', 'update', 'delete', 'transition', 'erase'] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export interface AttributeChange {
  readonly attributeAlias: string
  readonly scope: Scope
  /** Null: the scope had no value. */
  readonly oldValue: unknown
  /** Null: the scope has no value any more. */
  readonly newValue: unknown
}

/** The place of a record in one category. */
export type CategoryPlace = Pick<CategoryAssignment, 'categoryId' | 'sortOrder'>

export interface CategoriesChange {
  /** Changes of an attribute with this name have `attributeAlias` instead. */
  readonly field: 'categories'
  readonly oldValue: readonly CategoryPlace[]
  /** Null: the record is deleted. */
  readonly newValue: readonly CategoryPlace[] | null
}

export type Change = AttributeChange | CategoriesChange

/** Origins of a change. */
export const CHANGE_ORIGINS = ['api', 'import', 'bulk', 'undo', 'restore', 'schema'] as const

export interface ChangeOrigin {
  /** `api`: a request; `schema`: a change of the model that the record's values did not fit. */
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

/**
 * Returns the scoped values that differ between `before` and `after`. @param aliases only these attributes; undefined:
 * all
 */
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

/** Returns the change between two lists of assignments in any order; empty: they are equal. */
export function diffCategories(before: readonly CategoryPlace[], after: readonly CategoryPlace[]): CategoriesChange[] {
  const [oldValue, newValue] = [placesOf(before), placesOf(after)]
  if (isSameValue(inOrder(oldValue), inOrder(newValue))) return []
  return [{ field: 'categories', oldValue, newValue }]
}

/** Returns the changes that remove all categories of a record. */
export function loseCategories(before: readonly CategoryPlace[]): CategoriesChange[] {
  return before.length === 0 ? [] : [{ field: 'categories', oldValue: placesOf(before), newValue: null }]
}

function placesOf(assignments: readonly CategoryPlace[]): CategoryPlace[] {
  return assignments.map(({ categoryId, sortOrder }) => ({ categoryId, sortOrder }))
}

function inOrder(places: readonly CategoryPlace[]): CategoryPlace[] {
  return places.toSorted((one, other) => (one.categoryId < other.categoryId ? -1 : 1))
}

/** Applies `changes` to values, and ignores changes of categories. Replaying a record's trail gives its current values. */
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
