// Converts texts and moments as spreadsheets write them. Contract 3 §4.

const ESCAPED = /_x([0-9A-Fa-f]{4})_/g

/** Decodes characters that XML forbids, written as `_x000D_`. */
export function decodeText(text: string): string {
  return text.includes('_x')
    ? text.replaceAll(ESCAPED, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text
}

const DAY = 86_400_000
/** Days from the first day of the calendar to 1970. */
const DAYS_FROM_1900 = 25_569
const DAYS_FROM_1904 = 24_107
/** The last moment of the year 9999. */
const MAX_DAYS = 2_958_466

/** `YYYY-MM-DD`; with a time ISO 8601; without a day only the time. Undefined: the number is no moment. */
export function momentOf(days: number, isFrom1904: boolean): string | undefined {
  if (!(days >= 0 && days < MAX_DAYS)) return undefined
  if (days < 1) return new Date(Math.round(days * DAY)).toISOString().slice(11, 19)
  // Spreadsheets count the 29th of February 1900, which never existed.
  const counted = !isFrom1904 && days < 60 ? days + 1 : days
  const iso = new Date(Math.round((counted - (isFrom1904 ? DAYS_FROM_1904 : DAYS_FROM_1900)) * DAY)).toISOString()
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso
}
