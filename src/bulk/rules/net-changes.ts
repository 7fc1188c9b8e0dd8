// Combines the changes of several entries of one record. Contract 3 §10.
import {
  type AttributeChange,
  type AuditEntry,
  type CategoriesChange,
  isCategoriesChange,
} from '../../core/records/rules/changes.ts'
import { scopeKey } from '../../core/scopes/scope.ts'

interface NetChanges {
  readonly values: readonly AttributeChange[]
  /** Undefined: unchanged. */
  readonly state: AttributeChange | undefined
  readonly categories: CategoriesChange | undefined
}

/** Combines the first old and the last new value of each place. @param entries updates and transitions, oldest first */
export function netChangesOf(entries: readonly Pick<AuditEntry, 'action' | 'changes'>[]): NetChanges {
  const values = new Map<string, AttributeChange>()
  let state: AttributeChange | undefined
  let categories: CategoriesChange | undefined
  for (const { action, changes } of entries)
    for (const change of changes) {
      if (isCategoriesChange(change)) categories = { ...change, oldValue: categories?.oldValue ?? change.oldValue }
      else if (action === 'transition') state = { ...change, oldValue: state?.oldValue ?? change.oldValue }
      else {
        const key = `${change.attributeAlias}\n${scopeKey(change.scope)}`
        const first = values.get(key)
        values.set(key, first === undefined ? change : { ...change, oldValue: first.oldValue })
      }
    }
  return { values: [...values.values()], state, categories }
}
