// The history of a record: what each entry changed, and what puts it back. Pure. Y1, Y2.
import { scopedValues, type Values } from '../../src/core/records/rules/record.ts'
import { type Scope, type ScopedValue, scopeKey } from '../../src/core/scopes/scope.ts'
import { isSameValue, storedValue } from '../grid/cell-value.ts'
import type { Endpoints } from '../api/types.ts'
import type { CallOptions } from '../api/call.ts'

export type AuditEntry = Endpoints['GET /api/v1/records/:id/audit']['reply'][number]
export type RestoreBody = NonNullable<CallOptions<'POST /api/v1/records/:id/restore'>['body']>
type Change = AuditEntry['changes'][number]
export type ValueChange = Extract<Change, { readonly attributeAlias: string }>

export function isValueChange(change: Change): change is ValueChange {
  return 'attributeAlias' in change
}

/** A move between states is none, although it is told like one. */
export function valueChanges({ action, changes }: Pick<AuditEntry, 'action' | 'changes'>): ValueChange[] {
  return action === 'transition' ? [] : changes.filter(isValueChange)
}

/**
 * The version that an entry found: that of the entry before it, since numbers count the changes of all records. Undefined for
 * the first one, and where what came before is not known.
 * @param entries the latest first
 */
export function versionBefore(entries: readonly AuditEntry[], index: number): number | undefined {
  return entries[index]?.action === 'create' ? undefined : entries[index + 1]?.version
}

/** One value as it was in a version. */
export function restoreValue(version: number, { attributeAlias, scope }: ValueChange): RestoreBody {
  return { version, attributeAliases: [attributeAlias], scopes: [scope] }
}

/** All that an entry changed, as it was in a version before; undefined where there is nothing to be put back. */
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

/** The whole record as the entry left it. */
export function restoreMoment({ version }: AuditEntry): RestoreBody {
  return { version }
}

/** The last version in which a deleted record still was there. @param entries the latest first */
export function lastVersion(entries: readonly AuditEntry[]): number | undefined {
  return entries[0]?.action === 'delete' ? entries[1]?.version : undefined
}

/** Where the cause of an entry can be looked at; undefined: it was an ordinary request, or the place is not known. */
export function originPlace({ origin }: AuditEntry): { readonly place: string; readonly id: string } | undefined {
  if (origin.id === undefined) return undefined
  if (origin.kind === 'import') return { place: 'imports', id: origin.id }
  if (origin.kind === 'bulk' || origin.kind === 'undo') return { place: 'bulk', id: origin.id }
  return undefined
}

/** What a record goes through from `now` to `then`, as a trail would tell it. */
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
