// Numbers in the format of a locale. Text in, text out; the domain parses the number.

import type { NumberDisplay } from '../../src/core/model/rules/number-display.ts'
import { formatOptions, withUnit } from '../../src/core/model/rules/number-format.ts'

interface Signs {
  readonly decimal: string
  readonly group: string
}

const signsOf = new Map<string, Signs>()
const formats = new Map<string, Intl.NumberFormat>()

export function signsOfLocale(tag: string): Signs {
  let signs = signsOf.get(tag)
  if (signs === undefined) {
    const parts = new Intl.NumberFormat(tag, { numberingSystem: 'latn', useGrouping: true }).formatToParts(1234567.5)
    const sign = (type: string): string => parts.find((part) => part.type === type)?.value ?? ''
    signs = { decimal: sign('decimal') || '.', group: sign('group') }
    signsOf.set(tag, signs)
  }
  return signs
}

function formatOf(tag: string, fraction: number, display: NumberDisplay): Intl.NumberFormat {
  const key = `${tag} ${fraction} ${display.style} ${display.decimals}`
  let format = formats.get(key)
  if (format === undefined) {
    format = new Intl.NumberFormat(tag, { numberingSystem: 'latn', ...formatOptions(display, fraction) })
    formats.set(key, format)
  }
  return format
}

/**
 * Shows a number for reading. @param display of the attribute @param fraction fewest digits after the decimal sign, if
 * `display` sets none
 */
export function showNumber(value: number, tag: string, display: NumberDisplay = {}, fraction = 0): string {
  const size = Math.abs(value)
  const isWritten = size !== 0 && (size < 1e-15 || size >= 1e21)
  const number = isWritten ? writeNumber(value, tag) : formatOf(tag, fraction, display).format(value)
  return withUnit(number, display)
}

/** All digits, without group separators. */
export function writeNumber(value: number, tag: string): string {
  return String(value).replace('.', signsOfLocale(tag).decimal)
}

/** Typed or pasted spaces that represent the separator of the locale. */
const SPACES = /[\u00A0\u2009\u202F ]/g
const MINUS = /[\u2212\u2012\u2013]/g
/** Direction marks: some locales put them beside a sign. */
const DIRECTIONS = /[\u061C\u200E\u200F]/g

/**
 * Converts a typed number to the form of the domain. Group separators count only between groups of three digits. A text
 * that does not fit the locale stays unchanged: 1234.5 works in every locale.
 */
export function toCanonical(text: string, tag: string): string {
  const { decimal, group } = signsOfLocale(tag)
  const plain = text.replace(DIRECTIONS, '').trim().replace(MINUS, '-')
  const isSpace = /^\s$/.test(group)
  const signed = isSpace ? plain.replace(SPACES, group) : plain
  const [sign = ''] = /^[+-]?/.exec(signed) ?? []
  const [whole = '', fraction, ...more] = signed.slice(sign.length).split(decimal)
  if (more.length > 0) return plain
  const [mantissa = '', exponent] = (fraction ?? '').split(/e/i)
  const ungrouped = withoutGroups(whole, group)
  const isFraction = /^\d*$/.test(mantissa) && (exponent === undefined || /^[+-]?\d+$/.test(exponent))
  if (ungrouped === undefined || !isFraction) return plain
  const tail = fraction === undefined ? '' : `.${mantissa}${exponent === undefined ? '' : `e${exponent}`}`
  return `${sign}${ungrouped}${tail}`
}

function withoutGroups(whole: string, group: string): string | undefined {
  if (/^\d*$/.test(whole)) return whole
  if (group === '') return undefined
  const [first = '', ...rest] = whole.split(group)
  const isGrouped = /^\d{1,3}$/.test(first) && rest.length > 0 && rest.every((digits) => /^\d{2,3}$/.test(digits))
  return isGrouped && rest.at(-1)!.length === 3 ? first + rest.join('') : undefined
}
