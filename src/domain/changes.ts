// What one write changed, scoped value by scoped value: the audit trail's content. Interface §2.5; decisions §4.
import { scopedValues, type Values } from './record.ts'
import { type Scope, type ScopedValue, scopeKey } from './scope.ts'
import { canonicalJson } from './text.ts'

export type AuditAction = 'create' | 'update' | 'delete' | 'transition'

export interface AttributeChange {
  readonly attributeAlias: string
  readonly scope: Scope
  /** Null where there was no value. */
  readonly oldValue: unknown
  /** Null where there is no value any more. */
  readonly newValue: unknown
}

export interface AuditEntry {
  readonly id: string
  readonly entityId: string
  readonly userId: string
  readonly timestamp: string
  readonly action: AuditAction
  readonly changes: readonly AttributeChange[]
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

function isSameValue(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === 'object' && canonicalJson(one) === canonicalJson(other))
}

/** The values that result when `changes` are made to `values`. Replaying a record's trail gives its current values. */
export function applyChanges(values: Values, changes: readonly AttributeChange[]): Values {
  const result = new Map(Object.entries(values))
  for (const { attributeAlias, scope, newValue } of changes) {
    const key = scopeKey(scope)
    const others = (result.get(attributeAlias) ?? []).filter((item) => scopeKey(item.scope) !== key)
    const now = newValue === null ? others : [...others, { scope, value: newValue }]
    if (now.length === 0) result.delete(attributeAlias)
    else result.set(attributeAlias, now)
  }
  return Object.fromEntries(result)
}
