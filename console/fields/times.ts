// Days and moments in the locale's numeric format: `date`, `dateTime`. Moments are in the user's time zone.
import { fullYear, parseDate, parseDateTime } from '../../src/core/values/dates.ts'
import { type Field, type Locale, misread } from './field.ts'
import { withMonthNumber } from './months.ts'

type Part = 'year' | 'month' | 'day'

const orders = new Map<string, readonly Part[]>()
const formats = new Map<string, Intl.DateTimeFormat>()

const DAY = { calendar: 'gregory', numberingSystem: 'latn', year: 'numeric', month: '2-digit', day: '2-digit' } as const
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

function formatOf(tag: string, timeZone: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${tag} ${timeZone} ${Object.keys(options).join()}`
  let format = formats.get(key)
  if (format === undefined) {
    format = new Intl.DateTimeFormat(tag, { ...options, timeZone })
    formats.set(key, format)
  }
  return format
}

/** The locale's order of day, month and year. */
function orderOf(tag: string): readonly Part[] {
  let order = orders.get(tag)
  if (order === undefined) {
    order = formatOf(tag, 'UTC', DAY)
      .formatToParts(0)
      .map(({ type }) => type)
      .filter((type): type is Part => type === 'year' || type === 'month' || type === 'day')
    orders.set(tag, order)
  }
  return order
}

function showDay(milliseconds: number, { tag }: Locale): string {
  return formatOf(tag, 'UTC', DAY).format(milliseconds)
}

/** Matches midnight, because spreadsheets copy a day with its first moment. */
const MIDNIGHT = /[\sT]\s*00?:00(:00(\.0+)?)?$/

/** `YYYY-MM-DD` from three numbers in the order of the locale; undefined if the text is not a day. */
function readDay(text: string, { tag }: Locale): string | undefined {
  const written = withMonthNumber(text.trim().replace(MIDNIGHT, ''), tag)
  if (parseDate(written) !== undefined) return written
  const numbers = /^(\d{1,4})\D{1,2}(\d{1,2})\D{1,2}(\d{1,4})\D?$/.exec(written)?.slice(1)
  if (numbers === undefined) return undefined
  const order = numbers[0]!.length > 2 ? (['year', 'month', 'day'] as const) : orderOf(tag)
  const part = (name: Part): string => numbers[order.indexOf(name)]!
  const day = `${fullYear(part('year'))}-${part('month').padStart(2, '0')}-${part('day').padStart(2, '0')}`
  return parseDate(day) === undefined ? undefined : day
}

const asText = (value: unknown): string => String(value)

export const date: Field = {
  editor: 'line',
  align: 'start',
  show: (value, _, locale) => {
    const day = parseDate(asText(value))
    return day === undefined ? asText(value) : showDay(day, locale)
  },
  write: (value, attribute, locale) => date.show(value, attribute, locale),
  read: (text, _, locale) => {
    if (text.trim() === '') return { value: null }
    const day = readDay(text, locale)
    return day === undefined ? misread(`must be a date such as ${showDay(EXAMPLE, locale)}`) : { value: day }
  },
}

const EXAMPLE = Date.UTC(2026, 11, 31)

/** A moment is shown to the minute. A finer moment is written as ISO 8601, so that editing loses nothing. */
export const dateTime: Field = {
  editor: 'line',
  align: 'start',
  show: (value, _, { tag, timeZone }) => {
    const moment = parseDateTime(asText(value))
    return moment === undefined ? asText(value) : formatOf(tag, timeZone, { ...DAY, ...CLOCK }).format(moment)
  },
  write: (value, attribute, locale) => {
    const shown = dateTime.show(value, attribute, locale)
    const reading = dateTime.read(shown, attribute, locale)
    return reading.code === undefined && reading.value === value ? shown : asText(value)
  },
  read: (text, _, locale) => {
    const written = text.trim()
    if (written === '') return { value: null }
    if (parseDateTime(written) !== undefined) return { value: written }
    const [, day, hours, minutes, seconds = '00'] = /^(.*?)[,\s]+(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(written) ?? []
    const iso = day === undefined ? readDay(written, locale) : readDay(day, locale)
    const moment = iso && momentOf(`${iso}T${(hours ?? '0').padStart(2, '0')}:${minutes ?? '00'}:${seconds}`, locale)
    return moment === undefined || moment === ''
      ? misread(`must be a date and time such as ${showDay(EXAMPLE, locale)} 14:30`)
      : { value: moment }
  },
}

/** Returns the moment in UTC at which clocks of the time zone show `local`; undefined: no clock ever does. */
function momentOf(local: string, { timeZone }: Locale): string | undefined {
  const asUtc = parseDateTime(`${local}Z`)
  if (asUtc === undefined) return undefined
  // The offset of the zone may change between the two moments, so the offset is computed twice.
  const once = asUtc - distanceAt(asUtc, timeZone)
  const moment = asUtc - distanceAt(once, timeZone)
  return new Date(moment).toISOString().replace('.000Z', 'Z')
}

/** Returns the milliseconds by which clocks of the zone are ahead of UTC. */
function distanceAt(moment: number, timeZone: string | undefined): number {
  const parts = formatOf('en', timeZone, { ...DAY, ...CLOCK, second: '2-digit' }).formatToParts(moment)
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value)
  const [year, month, day] = [part('year'), part('month'), part('day')]
  return Date.UTC(year, month - 1, day, part('hour'), part('minute'), part('second')) - Math.floor(moment / 1000) * 1000
}
