// What was typed into a record and is not saved: by attribute and scope, with what was stored there before. Pure. R3.
import type { Values } from '../../src/core/records/rules/record.ts'
import type { Expectation } from '../../src/core/records/rules/scoped-patch.ts'
import { type Scope, type ScopedValue, scopeKey } from '../../src/core/scopes/scope.ts'
import { isSameValue, storedValue, withValue } from '../grid/cell-value.ts'

export interface FieldChange {
  readonly alias: string
  readonly scope: Scope
  /** null: taken away. */
  readonly value: unknown
  /** What was stored in just this scope when it was read; null: nothing. */
  readonly before: unknown
  /** What stands in the field, where that is not how the value is written. */
  readonly text?: string | undefined
  /** Why `text` is no value: then there is nothing to be saved. */
  readonly problem?: string | undefined
}

export type Changes = ReadonlyMap<string, FieldChange>

export const NO_CHANGES: Changes = new Map()

export function changeKey({ alias, scope }: { readonly alias: string; readonly scope: Scope }): string {
  return `${alias} ${scopeKey(scope)}`
}

/** With `change` in place of what was typed there before; without it where it comes back to what is stored. */
export function withChange(changes: Changes, change: FieldChange): Changes {
  const next = new Map(changes)
  const key = changeKey(change)
  const isNone = change.problem === undefined && isSameValue(change.value, change.before)
  if (isNone && change.text === undefined) next.delete(key)
  else next.set(key, change)
  return next
}

export function withoutChange(changes: Changes, key: string): Changes {
  const next = new Map(changes)
  next.delete(key)
  return next
}

/** What is to be saved: without what only stands in a field. */
export function toSave(changes: Changes): FieldChange[] {
  return [...changes.values()].filter(
    ({ value, before, problem }) => problem === undefined && !isSameValue(value, before),
  )
}

export function faultyOf(changes: Changes): FieldChange[] {
  return [...changes.values()].filter(({ problem }) => problem !== undefined)
}

interface ScopedPatch {
  readonly values: Values
  readonly expect: readonly Expectation[]
}

/** One request for all scopes, which is refused as a whole where somebody else has changed one of them. */
export function toPatch(changes: readonly FieldChange[]): ScopedPatch {
  return {
    values: toValues(changes),
    expect: changes.map(({ alias, scope, before }) => ({ attributeAlias: alias, scope, value: before })),
  }
}

export function toValues(changes: readonly FieldChange[]): Values {
  const byAlias = new Map<string, ScopedValue[]>()
  for (const { alias, scope, value } of changes) byAlias.set(alias, [...(byAlias.get(alias) ?? []), { scope, value }])
  return Object.fromEntries(byAlias)
}

/** The record as it would be; what nothing was typed into stays the same object. */
export function withChanges(values: Values, changes: Iterable<FieldChange>): Values {
  let changed = values
  for (const { alias, scope, value, problem } of changes)
    if (problem === undefined) changed = withValue(changed, alias, scope, value)
  return changed
}

/** What takes them back. */
export function reversed(changes: readonly FieldChange[]): FieldChange[] {
  return changes.map(({ alias, scope, value, before }) => ({ alias, scope, value: before, before: value }))
}

export interface Conflict {
  readonly change: FieldChange
  /** What stands there now; null: nothing. */
  readonly theirs: unknown
}

interface Comparison {
  /** Stored as they were to be: the first request was carried out after all, or somebody else meant the same. */
  readonly done: readonly FieldChange[]
  readonly clear: readonly FieldChange[]
  readonly conflicts: readonly Conflict[]
}

/** After a 412: what of it can be sent anew. R4. */
export function compare(changes: readonly FieldChange[], now: Values): Comparison {
  const [done, clear, conflicts]: [FieldChange[], FieldChange[], Conflict[]] = [[], [], []]
  for (const change of changes) {
    const theirs = storedValue(now, change.alias, change.scope) ?? null
    if (isSameValue(theirs, change.value)) done.push(change)
    else if (isSameValue(theirs, change.before)) clear.push(change)
    else conflicts.push({ change, theirs })
  }
  return { done, clear, conflicts }
}
