// Use cases of the counts of days. Contract 5 §6.
import type { OutputOf } from '../kernel/input/validation.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Caller } from '../core/accounts/caller.ts'
import { canReadAll } from '../core/accounts/rules/permissions.ts'
import { invalid, notFound } from '../kernel/errors.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Store } from '../store/port.ts'
import type { DayCountReads } from '../store/statistics-port.ts'
import { type DaysQuery, type DayShape, type DayCount, dayBefore, daysBetween, KEEP_DAYS } from './rules/day-count.ts'

/** Days of an answer, where the caller names no first day. */
const DAYS = 90
/** Days that are read before other requests get their turn. */
const AT_ONCE = 30

/** `complete` is null where the caller may not read every attribute, so that completeness is another one. */
type SeenDay = OutputOf<typeof DayShape>

export interface CountedDays {
  readonly schemaId: string
  /** The days that are known, in order. Other requests get their turn between two pieces. */
  readonly pieces: AsyncIterable<readonly SeenDay[]>
}

export function createStatisticsService({ store, system }: { readonly store: Store; readonly system: System }) {
  return {
    /**
     * The days that are known, in order, and no others.
     * @throws NOT_FOUND; VALIDATION_ERROR for days that are too many, or in the wrong order
     */
    async days(caller: Caller, { schemaId, ...asked }: DaysQuery): Promise<CountedDays> {
      const { read } = store
      if (!(await read.model()).schemas.has(schemaId)) throw notFound('Schema', schemaId)
      const last = asked.to ?? dayBefore(system.now(), 0)
      const first = asked.from ?? dayBefore(new Date(last), DAYS - 1)
      const number = daysBetween(first, last)
      if (number < 1) throw invalid('to must not be before from')
      if (number > KEEP_DAYS) throw invalid(`from and to must be at most ${KEEP_DAYS} days apart`)
      const mayReadAll = canReadAll(caller.role, schemaId)
      return { schemaId, pieces: piecesOf(read.dayCounts, { schemaId, first, last, mayReadAll }) }
    },
  }
}

interface Range {
  readonly schemaId: string
  readonly first: string
  readonly last: string
  readonly mayReadAll: boolean
}

async function* piecesOf(
  counts: DayCountReads,
  { schemaId, first, last, mayReadAll }: Range,
): AsyncGenerator<readonly SeenDay[], void> {
  for (let from = first; from <= last; from = dayBefore(new Date(from), -AT_ONCE)) {
    const end = dayBefore(new Date(from), 1 - AT_ONCE)
    const days = await counts.list(schemaId, from, end < last ? end : last)
    yield days.map((day) => seen(day, mayReadAll))
    await nextTurn()
  }
}

function seen({ day, stock, created, updated, deleted, entered }: DayCount, mayReadAll: boolean): SeenDay {
  const shown = stock === null || mayReadAll ? stock : { ...stock, complete: null }
  return { day, stock: shown, created, updated, deleted, entered }
}
