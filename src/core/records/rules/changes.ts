// The changes of one write, by scoped value, or the categories of a record: the content of the audit trail.
// Contract 1 §2.5, 2 §4, 3 §3, 3 §10.
import * as v from 'valibot'
import { Timestamp, type OutputOf } from '../../../kernel/input/validation.ts'
import type { CategoryAssignment } from '../../model/rules/catalog.ts'
import { scopedValues, type Values } from './record.ts'
import { type ScopedValue, scopeKey, ScopeShape } from '../../scopes/scope.ts'
import { isSameValue } from '../../../kernel/text.ts'

/** `erase`: older entries have lost the values of the record. */
export const AUDIT_ACTIONS = ['create', 'update', 'delete', 'transition', 'erase'] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export const AttributeChangeShape = v.object({
  attributeAlias: v.pipe(v.string(), v.description('`lifecycleState` in the entry of a transition.')),
  scope: ScopeShape,
  /** Null: the scope had no value. */
  oldValue: v.unknown(),
  /** Null: the scope has no value any more. */
  newValue: v.unknown(),
})
export type AttributeChange = OutputOf<typeof AttributeChangeShape>

/** The place of a record in one category. */
export type CategoryPlace = Pick<CategoryAssignment, 'categoryId' | 'sortOrder'>

const Places = v.array(v.object({ categoryId: v.string(), sortOrder: v.number() }))

export const CategoriesChangeShape = v.object({
  /** Changes of an attribute with this name have `attributeAlias` instead. */
  field: v.literal('categories'),
  oldValue: Places,
  newValue: v.pipe(v.nullable(Places), v.description('null if the record was deleted.')),
})
export type CategoriesChange = OutputOf<typeof CategoriesChangeShape>

export type Change = AttributeChange | CategoriesChange

/** Origins of a change. */
const CHANGE_ORIGINS = ['api', 'import', 'bulk', 'undo', 'restore', 'schema'] as const

export const ChangeOriginShape = v.object({
  kind: v.pipe(
    v.picklist(CHANGE_ORIGINS),
    v.description('The cause of the change. api: a single request. schema: a change of the model.'),
  ),
  id: v.optional(v.pipe(v.string(), v.description('The ID of the job that made the change, if any.'))),
})
export type ChangeOrigin = OutputOf<typeof ChangeOriginShape>

export const BY_REQUEST: ChangeOrigin = { kind: 'api' }

export const AuditEntryShape = v.object({
  id: v.string(),
  entityId: v.string(),
  userId: v.string(),
  timestamp: Timestamp,
  action: v.picklist(AUDIT_ACTIONS),
  changes: v.array(v.union([AttributeChangeShape, CategoriesChangeShape])),
  version: v.pipe(v.number(), v.description('The version of the record after the change, as in its ETag.')),
  origin: ChangeOriginShape,
  erased: v.optional(
    v.pipe(v.literal(true), v.description('The changes were erased for good, so `changes` is empty.')),
  ),
})

export type AuditEntry = Omit<OutputOf<typeof AuditEntryShape>, 'version'>

/** The attribute that a transition's entry names. */
export const LIFECYCLE_CHANGE = 'lifecycleState'

/** Without the permission to read the trail. */
export const ChangeNoteShape = v.pick(AuditEntryShape, ['entityId', 'action', 'timestamp'])

/** The entry for a caller who may not read the audit trail. */
export type ChangeNote = OutputOf<typeof ChangeNoteShape>

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
