// Numbers that a double cannot hold: they are refused, because rounding would change them silently. Contract 3 §9.9.
import { invalid, shorten } from '../errors.ts'

const MAX_DIGITS = 17
/** From here on, neighbouring doubles are two or more apart. */
const MAX_EXACT = 2 ** 53
/** Smaller numbers have fewer significant digits. */
const MIN_NORMAL = 2 ** -1022

const RULE = 'at most 17 significant digits, and beyond 2^53 only what comes back as it is written'

/**
 * Whether a double keeps the number that `text` writes in decimal notation:
 * - It has at most 17 significant digits; zeros at its ends do not count.
 * - It is not so small that it becomes 0.
 * - From 2^53 on, and below the least normal double, the double has the very digits of the text.
 *
 * Numbers that are too large for any double are judged elsewhere.
 */
export function isHeld(text: string): boolean {
  const size = Math.abs(Number(text))
  // Most are short, and between the ends.
  if (text.length <= MAX_DIGITS + 1 && size >= MIN_NORMAL && size < MAX_EXACT) return true
  const written = digitsOf(text)
  if (written.digits === '' || !Number.isFinite(size)) return true
  if (size === 0 || written.digits.length > MAX_DIGITS) return false
  if (size >= MIN_NORMAL && size < MAX_EXACT) return true
  const kept = digitsOf(String(size))
  return kept.digits === written.digits && kept.exponent === written.exponent
}

/** The number without sign as `digits` × 10^`exponent`, without zeros at the ends; '' is zero. */
function digitsOf(text: string): { digits: string; exponent: number } {
  const [, whole = '', fraction = '', power = '0'] = /^[+-]?(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const all = whole + fraction
  let from = 0
  let to = all.length
  while (from < to && all[from] === '0') from += 1
  while (to > from && all[to - 1] === '0') to -= 1
  return { digits: all.slice(from, to), exponent: Number(power) - fraction.length + all.length - to }
}

/** Takes the place of a number that a double cannot hold, in a parsed body. It is never stored: the request is refused instead. */
export class LostNumber {
  readonly #source: string

  constructor(source: string) {
    this.#source = source
  }

  /** The fault, as the rest of a sentence. */
  get problem(): string {
    return `is ${shorten(this.#source, 60)}, which a number cannot hold: ${RULE}`
  }

  get nearest(): number {
    return Number(this.#source)
  }

  toJSON(): never {
    throw invalid(`A number ${this.problem}`)
  }
}

/** `value` with the nearest double in place of each lost number: for values of type json, which pimlet does not judge. */
export function withNearestNumbers(value: unknown): unknown {
  return holdsLost(value) ? replaceLost(value) : value
}

function holdsLost(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return value instanceof LostNumber || Object.values(value).some(holdsLost)
}

function replaceLost(value: unknown): unknown {
  if (value instanceof LostNumber) return value.nearest
  if (Array.isArray(value)) return value.map(replaceLost)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaceLost(member)]))
}

/** The path and fault of the first lost number in `value`; `path` is that of `value`. */
export function findLostNumber(value: unknown, path = ''): { path: string; problem: string } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (value instanceof LostNumber) return { path, problem: value.problem }
  for (const [key, member] of Object.entries(value)) {
    if (typeof member !== 'object' || member === null) continue
    const found = findLostNumber(member, Array.isArray(value) ? `${path}[${key}]` : joinKey(path, key))
    if (found !== undefined) return found
  }
  return undefined
}

function joinKey(path: string, key: string): string {
  return path === '' ? shorten(key, 64) : `${path}.${shorten(key, 64)}`
}
