// How the texts of one record stand in the full-text index: each behind a mark with the numbers of its attribute and its
// scope, in characters that text hardly ever has, so that one attribute's texts can be told from the others'.
import { foldText } from '../../domain/text.ts'

const MARK = '\u001e'
/** Stands for the mark in text, and for NUL, which FTS5 takes for the end of the text. */
const STAND_IN = '\u001f'
const REPLACED = /[\0\u001e]/g
/** Private-use characters are the digits of attribute numbers (U+F0000…) and of scope numbers (U+100000…). */
const ATTRIBUTE_DIGIT = 0xf0000
const SCOPE_DIGIT = 0x100000
const BASE = 60_000
const MARKS = /[\u001e\u001f\u{f0000}-\u{10ffff}]/u

/** The folded form that text is indexed and asked for in. */
export function foldForIndex(text: string): string {
  const folded = foldText(text)
  return folded.replaceAll(REPLACED, STAND_IN)
}

/** Whether `text` has a character that stands for something else in the index: what it finds there must be judged. */
export function hasMark(text: string): boolean {
  return MARKS.test(text)
}

/** `text` as one of the texts of the attribute with this number, in the scope with this one: negative where it is inherited. */
export function markText(attribute: number, scope: number, text: string): string {
  return `${attributeMark(attribute)}${scopeMark(scope)}${MARK}${text}`
}

/** What the texts of an attribute begin with. */
export function attributeMark(attribute: number): string {
  return MARK + writeDigits(attribute, ATTRIBUTE_DIGIT)
}

/** What follows in the texts of a scope. */
export function scopeMark(scope: number): string {
  return writeDigits(scope < 0 ? -scope * 2 + 1 : scope * 2, SCOPE_DIGIT)
}

function writeDigits(number: number, first: number): string {
  const low = String.fromCodePoint(first + (number % BASE))
  return number < BASE ? low : String.fromCodePoint(first + Math.floor(number / BASE)) + low
}

/** The texts of `markText`, one by one, with their marks. */
export function splitTexts(texts: string): string[] {
  return texts.split(/(?=\u001e[\u{f0000}-\u{10ffff}]+\u001e)/u)
}

/**
 * Whether one of the texts behind `mark` (see `attributeMark`) contains `needle`: those of any scope, or of the scopes whose
 * marks stand in `scopes`, one behind another with a space after each.
 */
export function hasText(texts: string, mark: string, scopes: string, needle: string): number {
  for (let at = texts.indexOf(mark); at !== -1; at = texts.indexOf(mark, at + 1)) {
    const begin = texts.indexOf(MARK, at + mark.length)
    const scope = texts.slice(at + mark.length, begin)
    // A larger number may begin with the digits of this one.
    if (scope.codePointAt(0)! < SCOPE_DIGIT) continue
    if (scopes !== '' && !` ${scopes}`.includes(` ${scope} `)) continue
    const end = texts.indexOf(MARK, begin + 1)
    const found = texts.indexOf(needle, begin + 1)
    if (found === -1) return 0
    if (end === -1 || found + needle.length <= end) return 1
  }
  return 0
}
