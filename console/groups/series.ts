// Continues a series of texts downwards, as spreadsheets do: numbers, also in texts, by their step; days and months by
// theirs. Pure.

interface Part {
  /** The text around the number; for a date, its kind. */
  readonly shape: string
  readonly at: number
  readonly write: (at: number) => string
}

/** The most digits of a number in a series: more digits would be lost. */
const MOST_DIGITS = 15
const DAY = 86_400_000

/**
 * Returns `count` texts that continue `first`. A single number is counted up by one; several numbers continue with the
 * step between the last two. Texts without a common shape are repeated.
 * @param first at least one text, as written for editing
 * @param decimal the decimal sign of the locale
 */
export function continueSeries(first: readonly string[], count: number, decimal = '.'): string[] {
  const parts = first.map((text) => dateIn(text) ?? numberIn(text, decimal))
  const last = parts.at(-1)
  const isSeries = last !== undefined && parts.every((part) => part?.shape === last.shape)
  if (!isSeries) return Array.from({ length: count }, (_, index) => first[index % first.length]!)
  const before = parts.at(-2)
  const step = before === undefined ? 1 : last.at - before.at
  return Array.from({ length: count }, (_, index) => last.write(last.at + step * (index + 1)))
}

/** `2026-01-31`: a day. */
function dateIn(text: string): Part | undefined {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  const write = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10)
  // A day that its month does not have is read as a day of the next month.
  if (Number.isNaN(at) || write(at / DAY) !== text) return undefined
  return { shape: 'day', at: at / DAY, write }
}

/** The last number of the text: `7`, `-1,5`, `Size 9`, `SKU-0099-B`. */
function numberIn(text: string, decimal: string): Part | undefined {
  const sign = decimal === '.' ? '\\.' : decimal
  const whole = new RegExp(`^-?\\d+(?:${sign}\\d+)?$`).exec(text)
  const [, before = '', digits = '', after = ''] = /^(.*?)(\d+)(\D*)$/su.exec(text) ?? []
  if (whole !== null) {
    const fraction = text.split(decimal)[1]?.length ?? 0
    const write = (at: number): string => at.toFixed(fraction).replace('.', decimal)
    return text.length > MOST_DIGITS ? undefined : { shape: 'number', at: Number(text.replace(decimal, '.')), write }
  }
  if (digits === '' || digits.length > MOST_DIGITS) return undefined
  const width = digits.startsWith('0') ? digits.length : 0
  const write = (at: number): string => `${before}${String(Math.max(0, at)).padStart(width, '0')}${after}`
  return { shape: `${before}\u0000${after}`, at: Number(digits), write }
}
