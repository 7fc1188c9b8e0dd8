// Counts which kinds of attributes fit the cells of a column. Contract 5 §1.
import type { CsvCell } from '../../../core/csv/csv-cell.ts'
import { DecimalVotes } from '../../../core/csv/decimal-evidence.ts'
import { type Decimal, type Delimiter, withDot, withoutGroups } from '../../../core/csv/source-dialect.ts'
import { splitAmount } from '../../../core/csv/written-amount.ts'
import { parseNumber } from '../../../core/datatypes/numbers.ts'
import { dataTypes } from '../../../core/datatypes/data-types.ts'
import { isCurrency } from '../../../core/values/currencies.ts'
import { isHeld } from '../../../kernel/json/lost-numbers.ts'
import { shorten } from '../../../kernel/errors.ts'
import { MAX_NAME, type OutputOf } from '../../../kernel/input/validation.ts'
import { own } from '../../../kernel/own.ts'
import { readDate } from '../date-pattern.ts'
import { foldName } from '../fold-name.ts'
import { type Kind, KINDS, TRUTH } from './kinds.ts'
import type { FactsShape } from './proposal-shapes.ts'

/** Sample cells of a column, and characters of each. */
export const MAX_SAMPLES_OF_COLUMN = 5
export const MAX_SAMPLE_LENGTH = 100

/** Different texts of a column, or parts of its texts, that may be options. */
const MAX_OPTIONS_PROPOSED = 60
/** Characters of an option. */
const MAX_OPTION = 60
const MAX_UNITS = 20
/** Values of all columns that are remembered, to find out which are unique. */
const MAX_REMEMBERED = 100_000
/** Different texts of all columns, each once as it is and once for each separator. */
const MAX_ALL_OPTIONS = 10_000
/** Written forms of the options of one column. */
const MAX_SEEN = 200
const MAX_KEY = 100
/** Longer texts are neither numbers, dates nor truth values; nor addresses; nor lists. */
const MAX_WORD = 40
const MAX_ADDRESS = 2000
const MAX_LIST = 1000
const SEPARATORS = ['|', ';', ',', '/'] as const
/** The first pattern that fits most cells wins: `03/04/2024` is a day of April. */
const DAY_PATTERNS = ['d.M.yyyy', 'd/M/yyyy', 'M/d/yyyy', 'yyyy/M/d', 'd-M-yyyy'] as const
const TIME_PATTERNS = [...DAY_PATTERNS, 'yyyy-M-d'].flatMap((day) => [`${day} H:mm`, `${day} H:mm:ss`])
const DATE_PATTERNS: readonly string[] = [...DAY_PATTERNS, ...TIME_PATTERNS]
const LONG_TEXT = 200
/** Names of a path of categories. */
const MAX_DEPTH = 20

export type ColumnFacts = OutputOf<typeof FactsShape>

/** Memory that all columns of a file share. */
interface Memory {
  keys: number
  options: number
}

export function newMemory(): Memory {
  return { keys: MAX_REMEMBERED, options: MAX_ALL_OPTIONS }
}

type Numbers = {
  -readonly [Style in 'dot' | 'comma']: { number: number; integer: number; amount: number; withUnit: number }
}

export class ColumnCounter {
  #filled = 0
  readonly #counts = { boolean: 0, url: 0, isoDate: 0, isoTime: 0, currencies: 0, pictures: 0, arrows: 0, paths: 0 }
  readonly #numbers: Numbers = {
    dot: { number: 0, integer: 0, amount: 0, withUnit: 0 },
    comma: { number: 0, integer: 0, amount: 0, withUnit: 0 },
  }
  readonly #dates = DATE_PATTERNS.map(() => 0)
  readonly #samples: string[] = []
  readonly #units = new Set<string>()
  readonly #options: Texts
  readonly #parts: readonly Texts[]
  readonly #separated = SEPARATORS.map(() => 0)
  #hasTooManyUnits = false
  #keys: Set<string> | undefined = new Set()
  readonly #memory: Memory
  #hasLeadingZero = false
  #longest = 0
  #hasTags = false
  /** Texts that are too long for the name of an option. */
  #unnameable = 0
  readonly #votes: DecimalVotes

  constructor(memory: Memory, delimiter: Delimiter) {
    this.#memory = memory
    this.#options = new Texts(memory)
    this.#parts = SEPARATORS.map(() => new Texts(memory))
    this.#votes = new DecimalVotes(delimiter)
  }

  add(cell: CsvCell): void {
    const text = cell === null ? '' : String(cell).trim()
    if (text === '') return
    this.#filled += 1
    if (this.#samples.length < MAX_SAMPLES_OF_COLUMN) this.#samples.push(shorten(text, MAX_SAMPLE_LENGTH))
    this.#longest = Math.max(this.#longest, text.length)
    this.#noteKey(text)
    if (text.length > MAX_NAME) this.#unnameable += 1
    this.#votes.add([cell])
    this.#options.add(text)
    const bars = text.length > MAX_ADDRESS ? [] : barsOf(text)
    this.#countParts(text, bars)
    this.#countPath(text, bars)
    if (typeof cell === 'number') this.#countNumber(cell)
    else if (text.length <= MAX_WORD) this.#countWritten(text)
    this.#countMeaning(text)
    this.#hasTags ||= /<\/?[a-z][^<>]*>/i.test(text.slice(0, 2000))
    // A code, not an amount.
    this.#hasLeadingZero ||= /^(?:0\d|\+\d)/.test(text) || /^\d{16,40}$/.test(text)
  }

  #countMeaning(text: string): void {
    if (text.length <= MAX_WORD && own(TRUTH, text) !== undefined) this.#counts.boolean += 1
    if (text.length === 3 && isCurrency(text)) this.#counts.currencies += 1
    if (text.length <= MAX_ADDRESS && /^https?:\/\//i.test(text)) this.#countAddress(text)
  }

  #noteKey(text: string): void {
    if (this.#keys === undefined) return
    if (text.length > MAX_KEY || this.#keys.has(text) || this.#memory.keys <= 0) {
      this.#memory.keys += this.#keys.size
      this.#keys = undefined
      return
    }
    this.#keys.add(text)
    this.#memory.keys -= 1
  }

  #countParts(text: string, bars: readonly string[]): void {
    for (const [index, separator] of SEPARATORS.entries()) {
      const parts = this.#parts[index]!
      if (!parts.isOpen) continue
      if (text.length > MAX_LIST) {
        parts.close()
        continue
      }
      if (text.includes(separator)) this.#separated[index]! += 1
      for (const bar of bars)
        if (bar.includes(separator)) for (const part of bar.split(separator)) parts.add(part.trim())
        else parts.add(bar)
    }
  }

  #countPath(text: string, bars: readonly string[]): void {
    if (text.length > MAX_ADDRESS) return
    if (text.includes('>')) this.#counts.arrows += 1
    if (bars.length > 0 && bars.every(isPath)) this.#counts.paths += 1
  }

  #countNumber(cell: number): void {
    for (const numbers of Object.values(this.#numbers)) {
      numbers.number += 1
      numbers.amount += 1
      numbers.integer += Number(Number.isInteger(cell))
    }
  }

  #countWritten(text: string): void {
    if (/\d/.test(text)) {
      this.#countText(text)
      this.#countDate(text)
    }
  }

  #countText(text: string): void {
    const [amount, unit] = splitAmount(text) ?? [text, '']
    if (unit !== '') {
      if (this.#units.size < MAX_UNITS) this.#units.add(unit)
      else this.#hasTooManyUnits ||= !this.#units.has(unit)
    }
    for (const [style, read] of [
      ['dot', readDot],
      ['comma', readComma],
    ] as const) {
      const whole = read(text)
      if (whole !== undefined) this.#numbers[style].number += 1
      if (whole !== undefined && Number.isInteger(whole)) this.#numbers[style].integer += 1
      const isBesideUnit = whole === undefined && unit !== '' && read(amount) !== undefined
      if (isBesideUnit) this.#numbers[style].withUnit += 1
      if (whole !== undefined || isBesideUnit) this.#numbers[style].amount += 1
    }
  }

  #countDate(text: string): void {
    if (dataTypes.date.findFault(text, NO_RULES) === undefined) this.#counts.isoDate += 1
    if (dataTypes.dateTime.findFault(text, NO_RULES) === undefined) this.#counts.isoTime += 1
    const hasTime = text.includes(':')
    for (const [index, pattern] of DATE_PATTERNS.entries())
      if (withTime(pattern) === hasTime && readDate(text, pattern) !== undefined) this.#dates[index]! += 1
  }

  #countAddress(text: string): void {
    if (dataTypes.url.findFault(text, NO_RULES) !== undefined) return
    this.#counts.url += 1
    if (/\.(?:jpe?g|png|webp|gif|avif|tiff?|svg)(?:[?#]|$)/i.test(text)) this.#counts.pictures += 1
  }

  /** The decimal sign of a column of numbers; null: either; undefined: the column says nothing. */
  get decimal(): Decimal | null | undefined {
    const { dot, comma } = this.#numbers
    const isOfNumbers = this.#filled > 0 && Math.max(dot.amount, comma.amount) === this.#filled
    if (!isOfNumbers) return undefined
    return this.#votes.decided ?? (this.#votes.either === undefined ? undefined : null)
  }

  facts(decimal: Decimal): ColumnFacts {
    const { number, integer, amount, withUnit } = this.#numbers[decimal === ',' ? 'comma' : 'dot']
    const { boolean, url, isoDate, isoTime, currencies, pictures, arrows, paths } = this.#counts
    const best = this.#dates.indexOf(Math.max(...this.#dates))
    const isIso = Math.max(isoDate, isoTime) >= this.#dates[best]!
    const options = this.#options.found
    const at = this.#separated.indexOf(Math.max(...this.#separated))
    const parts = this.#separated[at] === 0 ? null : this.#parts[at]!.found
    const filled = this.#filled
    const fits: Record<Kind, number> = {
      ...(Object.fromEntries(KINDS.map((kind) => [kind, filled])) as Record<Kind, number>),
      select: filled - this.#unnameable,
      multiSelect: filled - this.#unnameable,
      integer,
      number,
      boolean,
      date: isIso ? isoDate : withTime(DATE_PATTERNS[best]!) ? 0 : this.#dates[best]!,
      dateTime: isIso ? isoTime : this.#dates[best]!,
      measurement: amount,
      price: [...this.#units].every((unit) => isCurrency(unit)) ? amount : number,
      url,
      file: url,
      categories: paths,
    }
    return {
      samples: this.#samples,
      filled,
      fits,
      options,
      parts,
      separator: parts === null ? null : SEPARATORS[at]!,
      separated: this.#separated[at]!,
      datePattern: isIso ? null : DATE_PATTERNS[best]!,
      units: this.#hasTooManyUnits ? [] : [...this.#units],
      withUnit,
      isUnique: filled > 0 && this.#keys?.size === filled,
      hasLeadingZero: this.#hasLeadingZero,
      isLong: this.#longest > LONG_TEXT,
      hasTags: this.#hasTags,
      currencies,
      pictures,
      arrows,
    }
  }
}

function withTime(pattern: string): boolean {
  return pattern.includes('H')
}

/** The different texts between the signs `|`, in their order: a list mostly repeats a few. */
function barsOf(text: string): string[] {
  if (!text.includes('|')) return [text]
  const bars = new Set(text.split('|').map((bar) => bar.trim()))
  bars.delete('')
  return [...bars]
}

function isPath(path: string): boolean {
  if (!path.includes('/') && !path.includes('>')) return path.length <= MAX_NAME
  const names = path.split(/[/>]/).map((name) => name.trim())
  return names.length <= MAX_DEPTH && names.every((name) => name !== '' && name.length <= MAX_NAME)
}

const NO_RULES = { alias: '', validation: {}, options: [], units: [], currencies: [] }
function readDot(text: string): number | undefined {
  return held(withoutGroups(text) ?? text)
}

function readComma(text: string): number | undefined {
  const written = withDot(text)
  return written === undefined ? undefined : held(written)
}

function held(text: string): number | undefined {
  const number = parseNumber(text)
  return number !== undefined && isHeld(text) ? number : undefined
}

/** Different texts, in their order, as long as they are few and short. */
class Texts {
  #byName: Map<string, string> | undefined = new Map()
  /** The latest texts as they are written: a list repeats them, and folding takes most of the time. */
  readonly #seen = new Set<string>()
  readonly #memory: Memory

  constructor(memory: Memory) {
    this.#memory = memory
  }

  get isOpen(): boolean {
    return this.#byName !== undefined
  }

  get found(): readonly string[] | null {
    return this.#byName === undefined ? null : [...this.#byName.values()]
  }

  add(text: string): void {
    if (this.#byName === undefined || text === '' || this.#seen.has(text)) return
    if (text.length > MAX_OPTION) return this.close()
    if (this.#seen.size >= MAX_SEEN) this.#seen.clear()
    this.#seen.add(text)
    const name = foldName(text)
    if (this.#byName.has(name)) return
    if (this.#byName.size >= MAX_OPTIONS_PROPOSED || this.#memory.options <= 0) return this.close()
    this.#byName.set(name, text)
    this.#memory.options -= 1
  }

  close(): void {
    this.#memory.options += this.#byName?.size ?? 0
    this.#byName = undefined
    this.#seen.clear()
  }
}
