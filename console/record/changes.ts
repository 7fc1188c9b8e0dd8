// Unsaved edits of a record: by attribute and scope, with the stored value before. Pure. R3.
import type { Values } from '../../src/core/records/rules/record.ts'
import type { Expectation } from '../../src/core/records/rules/scoped-patch.ts'
import { type Scope, type ScopedValue, scopeKey } from '../../src/core/scopes/scope.ts'
import { isSameValue } from '../../src/kernel/text.ts'
import { storedValue, withValue } from '../grid/cell-value.ts'

export interface FieldChange {
  readonly alias: string
  readonly scope: Scope
  /** null: the value is removed. */
  readonly value: unknown
  /** The value stored in exactly this scope when the record was read; null: none. */
  readonly before: unknown
  /** The text of the field, if it differs from the written form of the value. */
  readonly text?: string | undefined
  /** The reason why `text` is not a value: then nothing can be saved. */
  readonly problem?: string | undefined
}

export type Changes = ReadonlyMap<string, FieldChange>

export const NO_CHANGES: Changes = new Map()

export function changeKey({ alias, scope }: { readonly alias: string; readonly scope: Scope }): string {
  return `${alias} ${scopeKey(scope)}`
}

/** Adds `change`, or replaces the earlier change; a change back to the stored value is dropped. */
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

/** Returns the changes to save, without invalid texts, which only the field shows. */
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

/** Makes one request for all scopes. The server refuses the whole request if somebody else has changed one of them. */
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

/** Applies the changes to the record; unchanged parts stay the same objects. */
export function withChanges(values: Values, changes: Iterable<FieldChange>): Values {
  let changed = values
  for (const { alias, scope, value, problem } of changes)
    if (problem === undefined) changed = withValue(changed, alias, scope, value)
  return changed
}

/** The changes that revert these changes. */
export function reversed(changes: readonly FieldChange[]): FieldChange[] {
  return changes.map(({ alias, scope, value, before }) => ({ alias, scope, value: before, before: value }))
}

export interface Conflict {
  readonly change: FieldChange
  /** The current value on the server; null: none. */
  readonly theirs: unknown
}

interface Comparison {
  /** Changes that are already stored: the first request succeeded after all, or somebody else made the same change. */
  readonly done: readonly FieldChange[]
  readonly clear: readonly FieldChange[]
  readonly conflicts: readonly Conflict[]
}

/** After a 412: the changes that can be sent again. R4. */
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
