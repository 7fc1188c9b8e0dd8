// Dates as people write them, read by a pattern such as dd.MM.yyyy. Contract 3 §4.
import { fullYear, parseMomentOrDay } from '../../core/values/dates.ts'

const TOKEN = /yyyy|yy|MM|M|dd|d|HH|H|mm|ss/g
const DIGITS: Readonly<Record<string, string>> = {
  yyyy: '(\\d{4})',
  yy: '(\\d{2})',
  MM: '(\\d{2})',
  M: '(\\d{1,2})',
  dd: '(\\d{2})',
  d: '(\\d{1,2})',
  HH: '(\\d{2})',
  H: '(\\d{1,2})',
  mm: '(\\d{2})',
  ss: '(\\d{2})',
}

interface Pattern {
  readonly expression: RegExp
  readonly tokens: readonly string[]
}

const NOTHING = /(?!)/

/** Whether a part of one or two digits stands twice: a row of digits fits many such parts in billions of ways. */
export function repeatsLoosePart(pattern: string): boolean {
  const loose = [...pattern.matchAll(TOKEN)].flatMap(([token]) => (token.length === 1 ? token : []))
  return new Set(loose).size < loose.length
}

const compiled = new Map<string, Pattern>()
const MAX_COMPILED = 1000

/** Returns ISO 8601, with a time if the pattern has one; undefined: the text does not match, or names no day or time. */
export function readDate(text: string, pattern: string): string | undefined {
  const { expression, tokens } = compile(pattern)
  const match = expression.exec(text)
  if (match === null) return undefined
  const parts: Record<string, string> = {}
  for (const [index, token] of tokens.entries()) parts[token[0]!] = match[index + 1]!
  const { y: year = '', M: month = '', d: day = '', H: hours, m: minutes = '0', s: seconds = '0' } = parts
  const date = `${fullYear(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = hours && `T${[hours, minutes, seconds].map((part) => part.padStart(2, '0')).join(':')}Z`
  const read = `${date}${time ?? ''}`
  return parseMomentOrDay(read) === undefined ? undefined : read
}

function compile(pattern: string): Pattern {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  const tokens: string[] = []
  let source = ''
  let from = 0
  for (const match of pattern.matchAll(TOKEN)) {
    source += RegExp.escape(pattern.slice(from, match.index)) + DIGITS[match[0]]!
    tokens.push(match[0])
    from = match.index + match[0].length
  }
  // Profiles may have been stored before such patterns were refused.
  const expression = repeatsLoosePart(pattern)
    ? NOTHING
    : new RegExp(`^${source}${RegExp.escape(pattern.slice(from))}$`)
  const made = { expression, tokens }
  if (compiled.size >= MAX_COMPILED) compiled.clear()
  compiled.set(pattern, made)
  return made
}
