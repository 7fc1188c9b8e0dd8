// Parses bytes of JSON that were scanned before (`json-scanner.ts`). The value is safe: valid UTF-8, no lone surrogates, and a
// `LostNumber` for each number that a double cannot hold. Contract 2 §1, 3 §9.9.
import { isUtf8 } from 'node:buffer'
import { invalid, shorten } from '../errors.ts'
import { findLostNumber, isHeld, LostNumber } from './lost-numbers.ts'
import { JsonScanner, type NumberPlace } from './json-scanner.ts'

interface ParseOptions {
  /** Begins the messages. */
  readonly what: string
  /** Members of the object in which lost numbers stay, because a service judges them; elsewhere they are refused. */
  readonly keepsLostIn: ReadonlySet<string>
  /** Called when the bytes are no longer needed, while the values are still being made. */
  readonly release?: () => void
}

/** Bytes after which too many values are noticed. */
const SLICE = 65_536

/** For bytes in one piece. @throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE for more than `maxValues` values */
export function scanAndParse(bytes: Buffer, maxValues: number, options: ParseOptions): unknown {
  const scanner = new JsonScanner(options.what, maxValues)
  for (let at = 0; at < bytes.length; at += SLICE) scanner.take(bytes.subarray(at, at + SLICE))
  return parseJson(bytes, scanner.end(), options)
}

/** `lost` as the scanner of `bytes` has found them. @throws VALIDATION_ERROR */
export function parseJson(bytes: Buffer, lost: readonly NumberPlace[], options: ParseOptions): unknown {
  const { what, keepsLostIn } = options
  if (bytes.length === 0) throw invalid(`${what} is empty: JSON is expected`)
  if (!isUtf8(bytes)) throw invalid(`${what} is not valid UTF-8`)
  const sources = new Set<string>()
  const text = lost.length === 0 ? bytes.toString('utf8') : markLost(bytes, lost, sources)
  options.release?.()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid(`${what} is not valid JSON`)
  }
  if (sources.size > 0) value = putLost(value, sources)
  if (text.includes('\\ud') || text.includes('\\uD')) assertWellFormed(value, '', what)
  if (sources.size > 0) assertLostOnlyIn(keepsLostIn, value, what)
  return value
}

/** Begins a string that stands for a number. It is no character, so no string of a valid body begins so. */
const MARK = '\udfff'
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** The text with a marker string for each lost number; `sources` gets the original digits. */
function markLost(bytes: Buffer, lost: readonly NumberPlace[], sources: Set<string>): string {
  const parts: string[] = []
  let done = 0
  for (const [from, to] of lost) {
    const source = bytes.toString('latin1', from, to)
    if (!NUMBER.test(source) || isHeld(source)) continue
    sources.add(source)
    parts.push(bytes.toString('utf8', done, from), `"\\udfff${source}"`)
    done = to
  }
  parts.push(bytes.toString('utf8', done))
  return parts.join('')
}

function putLost(value: unknown, sources: ReadonlySet<string>): unknown {
  if (typeof value === 'string') {
    const isMarked = value.startsWith(MARK) && sources.has(value.slice(MARK.length))
    return isMarked ? new LostNumber(value.slice(MARK.length)) : value
  }
  if (typeof value !== 'object' || value === null) return value
  for (const [key, member] of Object.entries(value)) {
    const put = putLost(member, sources)
    // Not by assignment: a member may be called `__proto__`.
    if (put !== member) Object.defineProperty(value, key, { value: put })
  }
  return value
}

function assertLostOnlyIn(members: ReadonlySet<string>, value: unknown, what: string): void {
  const isObject =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LostNumber)
  const judged = isObject ? Object.fromEntries(Object.entries(value).filter(([key]) => !members.has(key))) : value
  const found = findLostNumber(judged)
  if (found !== undefined) throw invalid(`${found.path || what} ${found.problem}`)
}

function assertWellFormed(value: unknown, path: string, what: string): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw invalid(`${path || what} contains a lone surrogate, which is not a character`)
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => assertWellFormed(item, `${path}[${index}]`, what))
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (!key.isWellFormed()) throw invalid(`A field name in ${path || what.toLowerCase()} contains a lone surrogate`)
      assertWellFormed(member, path === '' ? shorten(key, 64) : `${path}.${shorten(key, 64)}`, what)
    }
  }
}
