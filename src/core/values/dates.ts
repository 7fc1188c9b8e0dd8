// Dates and times in ISO 8601, strictly: dates that are not in the calendar are refused. Contract 2 §3.

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?$/

/** Two-digit years from here on are in the past century. */
const PAST_CENTURY = 70

/** Four digits of a year that was written with two or more. */
export function fullYear(year: string): string {
  if (year.length !== 2) return year.padStart(4, '0')
  return `${Number(year) >= PAST_CENTURY ? '19' : '20'}${year}`
}

/** Milliseconds since 1970 UTC at the start of the day `YYYY-MM-DD`, or undefined. */
export function parseDate(text: string): number | undefined {
  const match = DATE.exec(text)
  if (match === null) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined
}

/** Milliseconds since 1970 UTC, or undefined. A date and time without an offset is taken as UTC. */
export function parseDateTime(text: string): number | undefined {
  const match = DATE_TIME.exec(text)
  if (match === null) return undefined
  const day = parseDate(match[1]!)
  const [hours, minutes, seconds] = [Number(match[2]), Number(match[3]), Number(match[4] ?? 0)]
  const offset = parseOffset(match[6] ?? 'Z')
  if (day === undefined || offset === undefined || hours > 23 || minutes > 59 || seconds > 59) return undefined
  const milliseconds = Math.floor(Number(`0.${match[5] ?? 0}`) * 1000)
  return day + ((hours * 60 + minutes - offset) * 60 + seconds) * 1000 + milliseconds
}

/** The moment that a date and time names, in the form of timestamps here, which sort as times do; undefined beyond the year 9999. */
export function parseMoment(text: string): string | undefined {
  const milliseconds = text.length > 64 ? undefined : parseDateTime(text)
  const moment = milliseconds === undefined ? undefined : new Date(milliseconds).toISOString()
  return moment !== undefined && /^\d{4}-/.test(moment) ? moment : undefined
}

/** The same; a date names its first moment in UTC. */
export function parseMomentOrDay(text: string): string | undefined {
  return parseMoment(DATE.test(text) ? `${text}T00:00:00Z` : text)
}

/** Minutes east of UTC, or undefined. */
function parseOffset(text: string): number | undefined {
  if (text === 'Z') return 0
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(-2))]
  if (hours > 23 || minutes > 59) return undefined
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
