// Days whose month is a word, in the user's language or in English: 15. Januar 2026, 15-Jan-26, January 15, 2026.
import { fullYear } from '../../src/core/values/dates.ts'
import { fold } from '../state/fold.ts'

/** The fewest letters of a month: Ma is March or May. */
const SHORTEST = 3
const DAY_FIRST = /^(\d{1,2})(?:\.|er)?[\s\u2010-]*(\p{L}{3,})[.\s\u2010-]*(\d{4}|\d{2})$/u
const MONTH_FIRST = /^(\p{L}{3,})\.?\s+(\d{1,2}),?\s+(\d{4})$/u

const known = new Map<string, readonly string[]>()

function namesOf(tag: string): readonly string[] {
  let names = known.get(tag)
  if (names === undefined) {
    const format = new Intl.DateTimeFormat(tag, { calendar: 'gregory', month: 'long', timeZone: 'UTC' })
    names = Array.from({ length: 12 }, (_, month) => fold(format.format(Date.UTC(2026, month, 1))))
    known.set(tag, names)
  }
  return names
}

/** Returns the only month with this beginning; 0: none or several. */
function monthOf(word: string, tag: string): number {
  const begun = fold(word)
  // German spreadsheets shorten March so.
  if (begun === 'mrz') return 3
  const names = namesOf(tag)
  const at = names.findIndex((name) => name.length >= SHORTEST && name.startsWith(begun))
  return at === names.findLastIndex((name) => name.startsWith(begun)) ? at + 1 : 0
}

/** Returns `YYYY-MM-DD` if the month is a word, or else the unchanged text. */
export function withMonthNumber(text: string, tag: string): string {
  const [, first, word, last] = DAY_FIRST.exec(text) ?? []
  const [, earlier, later, year = last] = MONTH_FIRST.exec(text) ?? []
  const name = word ?? earlier
  const day = first ?? later
  if (name === undefined || day === undefined || year === undefined) return text
  const month = monthOf(name, tag) || monthOf(name, 'en')
  return month === 0 ? text : `${fullYear(year)}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`
}
