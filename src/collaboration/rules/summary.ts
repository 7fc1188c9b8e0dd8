// Daily summaries: the settings of a person, and the moment of the next summary. Contract 5 §7.
import * as v from 'valibot'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { Flag, wholeNumber } from '../../kernel/input/validation.ts'

const MAX_ADDRESS = 254

export const MailAddress = v.pipe(
  v.string('must be a string'),
  v.maxLength(MAX_ADDRESS, `must be at most ${MAX_ADDRESS} characters long`),
  v.regex(
    /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}@[^\s@<>()[\]\\,;:"\p{C}]{1,189}$/u,
    'must be an address such as anna@example.com',
  ),
)

export const SummaryInput = exactObject({
  isOn: Flag,
  hour: v.pipe(wholeNumber(0, 23), v.description('The hour of the day in the time zone.')),
  timeZone: v.pipe(
    v.string('must be a string'),
    v.maxLength(64, 'must be at most 64 characters long'),
    v.check(isTimeZone, 'must be a time zone such as Europe/Berlin'),
  ),
  language: v.optional(
    v.pipe(
      v.string('must be a string'),
      v.regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}$/, 'must be a language such as de'),
      v.description('The language of the summary. Without words in it, the summary is in English.'),
    ),
    'en',
  ),
})
export type SummarySettings = v.InferOutput<typeof SummaryInput>

export const NO_SUMMARY: SummarySettings = { isOn: false, hour: 8, timeZone: 'UTC', language: 'en' }

/** The state of one person's summaries. */
export interface SummaryState {
  /** Of the user. */
  readonly id: string
  /** ISO 8601; null: no summary is due. */
  readonly nextAt: string | null
  /** The person's last day with a summary; '' for none. */
  readonly day: string
  /** Failed attempts of this day. */
  readonly failures: number
  /** The newest notice that a summary has named. */
  readonly through: number
}

/** Attempts of one day. */
export const MAX_ATTEMPTS = 6
const FIRST_PAUSE = 10 * 60_000

/** When a failed summary is tried again; undefined: not on this day. */
export function retryAt(now: Date, failures: number, when: When): Date | undefined {
  if (failures >= MAX_ATTEMPTS) return undefined
  const next = new Date(now.getTime() + FIRST_PAUSE * 2 ** (failures - 1))
  return localDay(next, when.timeZone) === localDay(now, when.timeZone) ? next : undefined
}

type When = Pick<SummarySettings, 'hour' | 'timeZone'>

/** Zones differ from each other by whole quarters of an hour. */
const QUARTER = 15 * 60_000
/** More than a day, also where clocks are changed. */
const QUARTERS = 4 * 50

/** The next moment after `now` at which the hour begins, or has begun where the clocks skip the hour. */
export function nextSummaryAt(now: Date, when: When): Date {
  const clock = clockOf(when.timeZone)
  const isDue = (time: number): string | undefined => {
    const { day, hour } = clock(new Date(time))
    return hour >= when.hour ? day : undefined
  }
  const first = Math.floor(now.getTime() / QUARTER) * QUARTER
  for (let step = 1; step <= QUARTERS; step += 1) {
    const time = first + step * QUARTER
    const day = isDue(time)
    if (day !== undefined && isDue(time - QUARTER) !== day) return new Date(time)
  }
  throw new RangeError(`no hour ${when.hour} in ${when.timeZone}`)
}

/** `2026-03-01` */
export function localDay(moment: Date, timeZone: string): string {
  return clockOf(timeZone)(moment).day
}

function clockOf(timeZone: string): (moment: Date) => { readonly day: string; readonly hour: number } {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  })
  return (moment) => {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]))
    return { day: `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`, hour: Number(parts.get('hour')) }
  }
}

function isTimeZone(text: string): boolean {
  try {
    clockOf(text)
    return true
  } catch {
    return false
  }
}
