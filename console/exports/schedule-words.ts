// Common schedules in words: "weekdays at 02:00". Others stay cron expressions. Pure.

export type ScheduleKind = 'hourly' | 'daily' | 'weekdays' | 'weekly' | 'monthly'

export interface Schedule {
  readonly kind: ScheduleKind
  /** From 0 to 59. */
  readonly minute: number
  /** From 0 to 23, in order; none: every hour. */
  readonly hours: readonly number[]
  /** Days of a weekly schedule, from Monday on; 0 is Sunday. */
  readonly weekdays: readonly number[]
  /** Day of a monthly schedule, from 1 to 31. */
  readonly day: number
}

const WORKDAYS = '1,2,3,4,5'
/** Weekdays as the week is read, from Monday. */
export const WEEK: readonly number[] = [1, 2, 3, 4, 5, 6, 0]

/** Reads an expression; undefined: it means more than one sentence. @param cron minute hour day month weekday */
export function readSchedule(cron: string): Schedule | undefined {
  const [minute = '', hour = '', ...rest] = cron.trim().split(/\s+/)
  const at = numberIn(minute, 59)
  const hours = hour === '*' ? [] : numbersIn(hour, 23)
  const days = daysIn(rest)
  if (at === undefined || hours === undefined || days === undefined) return undefined
  const schedule = { minute: at, hours, weekdays: [], day: 1, ...days }
  if (hours.length > 0) return schedule
  return days.kind === 'daily' ? { ...schedule, kind: 'hourly' } : undefined
}

function daysIn([day = '', month, weekday = '', ...more]: readonly string[]):
  | (Pick<Schedule, 'kind'> & Partial<Schedule>)
  | undefined {
  if (month !== '*' || more.length > 0) return undefined
  if (day !== '*') {
    const date = weekday === '*' ? numberIn(day, 31) : undefined
    return date ? { kind: 'monthly', day: date } : undefined
  }
  if (weekday === '*') return { kind: 'daily' }
  const found = numbersIn(weekday, 7)?.map((one) => one % 7)
  if (found === undefined) return undefined
  const weekdays = WEEK.filter((one) => found.includes(one))
  return weekdays.join() === WORKDAYS ? { kind: 'weekdays' } : { kind: 'weekly', weekdays }
}

export function writeSchedule({ kind, minute, hours, weekdays, day }: Schedule): string {
  const hour = kind === 'hourly' || hours.length === 0 ? '*' : hours.join(',')
  const days = kind === 'weekdays' ? '1-5' : kind === 'weekly' ? weekdays.join(',') : '*'
  return `${minute} ${hour} ${kind === 'monthly' ? day : '*'} * ${days}`
}

/** `1,3-5` */
function numbersIn(text: string, most: number): number[] | undefined {
  const found = new Set<number>()
  for (const part of text.split(',')) {
    const [from, to = from, ...more] = part.split('-').map((one) => numberIn(one, most))
    if (from === undefined || to === undefined || from > to || more.length > 0) return undefined
    for (let number = from; number <= to; number += 1) found.add(number)
  }
  return [...found].sort((one, other) => one - other)
}

function numberIn(text: string, most: number): number | undefined {
  const number = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN
  return number <= most ? number : undefined
}
