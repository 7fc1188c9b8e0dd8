// The values that the steps of templates make.
import { plainText } from '../../../core/values/plain-text.ts'
import type { Step } from './template.ts'
import type { StepName } from './template-steps.ts'

export type Value = string | number | boolean | readonly string[]

type Change = (value: Value | undefined) => Value | undefined

const LIST_SIGN = '|'

export function textOf(value: Value): string {
  return typeof value === 'object' ? value.join(LIST_SIGN) : String(value)
}

export function applyStep({ name, argument }: Step): Change {
  return CHANGES[name](argument)
}

const CHANGES: Readonly<Record<StepName, (argument: Step['argument']) => Change>> = {
  plainText: () => eachText(plainText),
  cut: (length) => eachText((text) => cutText(text, Number(length))),
  upper: () => eachText((text) => text.toUpperCase()),
  lower: () => eachText((text) => text.toLowerCase()),
  fixed: (digits) => eachText((text) => fixedText(text, Number(digits))),
  url: () => eachText((text) => encodeURIComponent(text.toWellFormed())),
  default: (text) => (value) => value ?? (text as string),
  join: (sign) => (value) => (typeof value === 'object' ? value.join(sign as string) : value),
  first: () => (value) => (typeof value === 'object' ? value[0] : value),
  map: (texts) => eachText((text) => (texts as ReadonlyMap<string, string>).get(text) ?? text),
  // The source of the value has applied these.
  unit: () => (value) => value,
  path: () => (value) => value,
}

function eachText(change: (text: string) => string): Change {
  return (value) => {
    if (value === undefined) return undefined
    return typeof value === 'object' ? value.map(change).filter((text) => text !== '') : change(String(value))
  }
}

const words = new Intl.Segmenter('en', { granularity: 'word' })
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** Characters behind the cut that are looked at. */
const AHEAD = 64

/** Cuts the text at the end of a word, or else between two characters as a reader sees them. */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const near = text.slice(0, length + AHEAD)
  const wholeWords = near.slice(0, words.segment(near).containing(length)!.index).trimEnd()
  return wholeWords === '' ? near.slice(0, graphemes.segment(near).containing(length)!.index).trimEnd() : wholeWords
}

/** By the number of digits. */
const formats = new Map<number, Intl.NumberFormat>()

/** Rounded as it is written in decimal: 1.005 is 1.01. A text that is no number stays. */
function fixedText(text: string, digits: number): string {
  if (!/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(text)) return text
  const [minimumFractionDigits, maximumFractionDigits] = [digits, digits]
  const signs = { useGrouping: false, signDisplay: 'negative' } as const
  const format =
    formats.get(digits) ?? new Intl.NumberFormat('en', { minimumFractionDigits, maximumFractionDigits, ...signs })
  formats.set(digits, format)
  return format.format(text as Intl.StringNumericLiteral)
}
