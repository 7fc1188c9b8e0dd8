// The counts of one day and schema: the number of records, and their changes. Contract 5 §6.
import type { AuditAction } from '../../core/records/rules/changes.ts'
import type { Scope } from '../../core/scopes/scope.ts'

/** Days that counts are kept. */
export const KEEP_DAYS = 750
const DAY = 86_400_000

export interface StateCount {
  readonly stateId: string
  readonly count: number
}

/** Complete records in a scope. */
export interface CompleteCount {
  readonly scope: Scope
  readonly count: number
}

/** The records that existed when they were counted. */
export interface Stock {
  /** ISO 8601. */
  readonly countedAt: string
  readonly records: number
  readonly states: readonly StateCount[]
  /** The state whose requirements count; null: the schema requires nothing. */
  readonly stateId: string | null
  readonly complete: readonly CompleteCount[]
}

export interface DayCount {
  readonly schemaId: string
  /** In UTC, such as `2026-03-01`. */
  readonly day: string
  /** null: no server counted on that day. */
  readonly stock: Stock | null
  readonly created: number
  /** Changes of values, several of one record included. */
  readonly updated: number
  readonly deleted: number
  /** Transitions, by the state that they led to. */
  readonly entered: readonly StateCount[]
}

export function emptyDay(schemaId: string, day: string): DayCount {
  return { schemaId, day, stock: null, created: 0, updated: 0, deleted: 0, entered: [] }
}

/** Entries of the trail that are alike. */
export interface Traffic {
  readonly schemaId: string
  readonly day: string
  readonly action: AuditAction
  /** The state that a transition led to; null: it is unknown, or the entries are no transitions. */
  readonly stateId: string | null
  readonly count: number
}

/** The day with these entries, too. */
export function withTraffic(before: DayCount, { action, stateId, count }: Traffic): DayCount {
  if (action === 'create') return { ...before, created: before.created + count }
  if (action === 'update') return { ...before, updated: before.updated + count }
  if (action === 'delete') return { ...before, deleted: before.deleted + count }
  if (action !== 'transition' || stateId === null) return before
  const isKnown = before.entered.some((one) => one.stateId === stateId)
  const entered = isKnown
    ? before.entered.map((one) => (one.stateId === stateId ? { stateId, count: one.count + count } : one))
    : [...before.entered, { stateId, count }]
  return { ...before, entered }
}

/** The day of a moment in UTC, some days before. */
export function dayBefore(moment: Date, days: number): string {
  return new Date(moment.getTime() - days * DAY).toISOString().slice(0, 10)
}

/** Days from one to the other, both included; below 1 where the second is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1
}
