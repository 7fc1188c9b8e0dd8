// The history of a record: the changes of each entry, and the requests that restore them. Pure. Y1, Y2.
import { scopedValues, type Values } from '../../src/core/records/rules/record.ts'
import { type Scope, type ScopedValue, scopeKey } from '../../src/core/scopes/scope.ts'
import { isSameValue } from '../../src/kernel/text.ts'
import { storedValue } from '../grid/cell-value.ts'
import type { Endpoints } from '../api/types.ts'
import type { CallOptions } from '../api/call.ts'

export type AuditEntry = Endpoints['GET /api/v1/records/:id/audit']['reply'][number]
export type RestoreBody = NonNullable<CallOptions<'POST /api/v1/records/:id/restore'>['body']>
type Change = AuditEntry['changes'][number]
export type ValueChange = Extract<Change, { readonly attributeAlias: string }>

export function isValueChange(change: Change): change is ValueChange {
  return 'attributeAlias' in change
}

/** Returns the changes of values in an entry. A transition changes no value, although its entry looks like a change. */
export function valueChanges({ action, changes }: Pick<AuditEntry, 'action' | 'changes'>): ValueChange[] {
  return action === 'transition' ? [] : changes.filter(isValueChange)
}

/**
 * The version before an entry: the version of the previous entry, since version numbers count the changes of all
 * records. Undefined for the first entry, and if the previous entry is unknown. @param entries the latest first
 */
export function versionBefore(entries: readonly AuditEntry[], index: number): number | undefined {
  return entries[index]?.action === 'create' ? undefined : entries[index + 1]?.version
}

/** Restores one value from a version. */
export function restoreValue(version: number, { attributeAlias, scope }: ValueChange): RestoreBody {
  return { version, attributeAliases: [attributeAlias], scopes: [scope] }
}

/** Restores everything that an entry changed, from the previous version; undefined: nothing can be restored. */
export function restoreEntry(version: number, entry: AuditEntry): RestoreBody | undefined {
  const changes = valueChanges(entry)
  if (changes.length === 0) return undefined
  const scopes = new Map(changes.map(({ scope }) => [scopeKey(scope), scope as Scope]))
  return {
    version,
    attributeAliases: [...new Set(changes.map(({ attributeAlias }) => attributeAlias))],
    scopes: [...scopes.values()],
  }
}

/** Restores the whole record as of the entry. */
export function restoreMoment({ version }: AuditEntry): RestoreBody {
  return { version }
}

/** Returns the last version in which a deleted record existed. @param entries the latest first */
export function lastVersion(entries: readonly AuditEntry[]): number | undefined {
  return entries[0]?.action === 'delete' ? entries[1]?.version : undefined
}

/** The page about the cause of an entry; undefined: an ordinary request, or the page is unknown. */
export function originPlace({ origin }: AuditEntry): { readonly place: string; readonly id: string } | undefined {
  if (origin.id === undefined) return undefined
  if (origin.kind === 'import') return { place: 'imports', id: origin.id }
  if (origin.kind === 'bulk' || origin.kind === 'undo') return { place: 'bulk', id: origin.id }
  return undefined
}

/** The changes of a record from `now` to `then`, like an audit trail. */
export function differences(now: Values, then: Values): ValueChange[] {
  const aliases = new Set([...Object.keys(now), ...Object.keys(then)])
  return [...aliases].flatMap((attributeAlias) => {
    const all: readonly ScopedValue[] = [...scopedValues(now, attributeAlias), ...scopedValues(then, attributeAlias)]
    const scopes = new Map(all.map(({ scope }) => [scopeKey(scope), scope]))
    return [...scopes.values()]
      .map((scope) => ({
        attributeAlias,
        scope,
        oldValue: storedValue(now, attributeAlias, scope) ?? null,
        newValue: storedValue(then, attributeAlias, scope) ?? null,
      }))
      .filter(({ oldValue, newValue }) => !isSameValue(oldValue, newValue))
  })
}
