// The numbers of the charts: completeness by day and scope, and changes of records by day. Contract 5 §6.
import { type Scope, scopeKey } from '../../src/core/scopes/scope.ts'
import type { Endpoints } from '../api/types.ts'

export type CountedDay = Endpoints['GET /api/v1/statistics/days']['reply']['items'][number]

/** Days of the bars. */
const BAR_DAYS = 30
const DAY = 86_400_000

interface Line {
  readonly scope: Scope
  /** Per cent by day; null: not counted. */
  readonly points: readonly (number | null)[]
}

export interface Completeness {
  readonly days: readonly string[]
  readonly lines: readonly Line[]
}

/** The records now: all, and the complete ones by scope. */
interface Now {
  readonly total: number
  readonly complete: readonly { readonly scope: Scope; readonly count: number }[]
}

/** Returns the lines; undefined: before the second day. Days that were counted for another state are gaps. */
export function completenessOf(
  items: readonly CountedDay[],
  stateId: string,
  now: Now,
  today: string,
): Completeness | undefined {
  const past = items.filter((item) => isDrawn(item, today) && item.stock?.stateId === stateId)
  if (past.length === 0) return undefined
  const days = daysFrom(past[0]!.day, today)
  const known = new Map(past.map(({ day, stock }) => [day, stock!]))
  const lines = now.complete.map(({ scope, count }): Line => {
    const key = scopeKey(scope)
    const points = days.slice(0, -1).map((day) => {
      const stock = known.get(day)
      const found = stock?.complete?.find((one) => scopeKey(one.scope) === key)
      return stock === undefined || found === undefined ? null : share(found.count, stock.records)
    })
    return { scope, points: [...points, share(count, now.total)] }
  })
  return { days, lines }
}

/** Returns whether a past day has figures of completeness that the user may read. */
function isDrawn({ day, stock }: CountedDay, today: string): boolean {
  return day < today && stock !== null && stock.complete !== null
}

export interface Throughput {
  readonly day: string
  readonly created: number
  readonly updated: number
  readonly entered: number
}

/** Returns the last days up to today; undefined: before the second day. */
export function throughputOf(items: readonly CountedDay[], stateId: string, today: string): Throughput[] | undefined {
  if (!items.some(({ day }) => day < today)) return undefined
  const known = new Map(items.map((item) => [item.day, item]))
  const first = new Date(Date.parse(today) - (BAR_DAYS - 1) * DAY).toISOString().slice(0, 10)
  return daysFrom(first, today).map((day) => {
    const { created = 0, updated = 0, entered = [] } = known.get(day) ?? {}
    return { day, created, updated, entered: entered.find((one) => one.stateId === stateId)?.count ?? 0 }
  })
}

/** A round number at the upper end of an axis: 1, 2, 5, 10, 20, 50 … */
export function niceMaximum(value: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, value)))
  return [1, 2, 5, 10].map((factor) => factor * step).find((nice) => nice >= value)!
}

/** Pieces of a line without gaps, as points `x,y` in a box of 100 by 100. */
export function piecesOf(points: readonly (number | null)[]): string[] {
  const width = Math.max(1, points.length - 1)
  const pieces: string[][] = [[]]
  for (const [index, point] of points.entries()) {
    if (point === null) pieces.push([])
    else pieces.at(-1)!.push(`${round((100 * index) / width)},${round(100 - point)}`)
  }
  return pieces.filter((piece) => piece.length > 0).map((piece) => piece.join(' '))
}

export function round(value: number): number {
  return Math.round(value * 100) / 100
}

function share(count: number, total: number): number {
  return total === 0 ? 100 : Math.floor((100 * count) / total)
}

function daysFrom(first: string, last: string): string[] {
  const days: string[] = []
  for (let time = Date.parse(first); time <= Date.parse(last); time += DAY)
    days.push(new Date(time).toISOString().slice(0, 10))
  return days
}
