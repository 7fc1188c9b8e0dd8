// Days of charts, such as `1 Mar`. They are days in UTC.
import { locale } from '../words/words.ts'

const formatIn = (language: string) =>
  new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' })

export function shortDay(day: string): string {
  return formatIn(locale.value).format(new Date(day))
}

/** Returns the range from the first day to the last day. */
export function range(days: readonly string[]): string {
  return formatIn(locale.value).formatRange(new Date(days[0]!), new Date(days.at(-1)!))
}
