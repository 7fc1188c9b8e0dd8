// The counts of one day and schema: the number of records, and their changes. Contract 5 §6.
import * as v from 'valibot'
import { Day } from '../../collaboration/rules/assignment.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { type OutputOf, Timestamp } from '../../kernel/input/validation.ts'
import type { AuditAction } from '../../core/records/rules/changes.ts'
import { ScopeShape } from '../../core/scopes/scope.ts'

/** Days that counts are kept. */
export const KEEP_DAYS = 750
const DAY = 86_400_000

export const DaysQuery = exactObject({
  schemaId: v.string('must be a string'),
  from: v.optional(v.pipe(Day, v.description('The first day, in UTC. Default: 89 days before `to`.'))),
  to: v.optional(
    v.pipe(Day, v.description(`The last day, in UTC; at most ${KEEP_DAYS} days with the first. Default: today.`)),
  ),
})
export type DaysQuery = OutputOf<typeof DaysQuery>

const StateCountShape = v.object({ stateId: v.string(), count: v.number() })
export type StateCount = OutputOf<typeof StateCountShape>

/** Complete records in a scope. */
const CompleteCountShape = v.object({ scope: ScopeShape, count: v.number() })
export type CompleteCount = OutputOf<typeof CompleteCountShape>

const StockShape = v.object({
  countedAt: Timestamp,
  records: v.pipe(v.number(), v.description('All records of the schema, variants included.')),
  states: v.pipe(v.array(StateCountShape), v.description('Records by state.')),
  stateId: v.pipe(v.nullable(v.string()), v.description('The state that records are complete for; null: none.')),
  complete: v.pipe(
    v.nullable(v.array(CompleteCountShape)),
    v.description('Complete records by scope, at most 24. null: your role may not read every attribute.'),
  ),
})

export const DayShape = v.object({
  day: v.pipe(v.string(), v.description('In UTC.')),
  stock: v.pipe(
    v.nullable(StockShape),
    v.description('The records when they were counted on this day; null: they were not counted.'),
  ),
  created: v.pipe(v.number(), v.description('Created records.')),
  updated: v.pipe(v.number(), v.description('Changes of values; a record may be changed several times.')),
  deleted: v.pipe(v.number(), v.description('Deleted records.')),
  entered: v.pipe(v.array(StateCountShape), v.description('Transitions, by the state that they led to.')),
})

/** The records that existed when they were counted. */
export interface Stock extends OutputOf<typeof StockShape> {
  readonly complete: readonly CompleteCount[]
}

export interface DayCount extends OutputOf<typeof DayShape> {
  readonly schemaId: string
  readonly stock: Stock | null
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
