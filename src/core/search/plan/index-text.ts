// Formats the texts of a record for the full-text index. A mark before each text contains the numbers of its attribute
// and scope, in characters that are rare in text. So searches can distinguish the texts of different attributes.
import { foldText } from '../../../kernel/text.ts'
import type { TextPlace } from './sets.ts'

const MARK = '\u001e'
/** Replaces the mark character in texts, and NUL, at which FTS5 would end the text. */
const STAND_IN = '\u001f'
const REPLACED = /[\0\u001e]/g
/** Private-use characters are the digits of attribute numbers (U+F0000…) and of scope numbers (U+100000…). */
const ATTRIBUTE_DIGIT = 0xf0000
const SCOPE_DIGIT = 0x100000
const BASE = 60_000
/** Matches every scope. */
const ANY = '*'
const MARKS = /[\u001e\u001f\u{f0000}-\u{10ffff}]/u

/**
 * Most UTF-8 bytes of a record's texts and marks in the full-text index. FTS5 collects all trigrams of a record in
 * memory, up to some hundred bytes per character.
 */
const MAX_INDEXED = 1024 * 1024

/** True if the full-text index contains the texts of a record with their marks. Otherwise each search reads the texts. */
export function isTextIndexed(texts: readonly string[]): boolean {
  let size = 0
  for (const text of texts) {
    size += text.length
    if (size > MAX_INDEXED) return false
  }
  return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0) <= MAX_INDEXED
}

/** Folds text for the index, and for queries of the index. */
export function foldForIndex(text: string): string {
  const folded = foldText(text)
  return folded.replaceAll(REPLACED, STAND_IN)
}

/** True if `text` has a character with a special meaning in the index. Matches must then be judged. */
export function hasMark(text: string): boolean {
  return MARKS.test(text)
}

/** Returns a text with the mark of its attribute and scope; a negative scope number means inherited. */
export function markText(attribute: number, scope: number, text: string): string {
  return `${MARK}${writeDigits(attribute, ATTRIBUTE_DIGIT)}${writeScope(scope)}${MARK}${text}`
}

function writeScope(scope: number): string {
  return writeDigits(scope < 0 ? -scope * 2 + 1 : scope * 2, SCOPE_DIGIT)
}

function writeDigits(number: number, first: number): string {
  const low = String.fromCodePoint(first + (number % BASE))
  return number < BASE ? low : String.fromCodePoint(first + Math.floor(number / BASE)) + low
}

/** Splits the texts of `markText`, keeping their marks. */
export function splitTexts(texts: string): string[] {
  const split: string[] = []
  for (let at = 0, end = 0; at < texts.length; at = end) {
    end = endOf(texts, at)
    split.push(texts.slice(at, end))
  }
  return split
}

/** Returns the end of the text whose mark begins at `at`. */
function endOf(texts: string, at: number): number {
  const next = texts.indexOf(MARK, texts.indexOf(MARK, at + 1) + 1)
  return next === -1 ? texts.length : next
}

/** Writes places for `hasText`. */
export function writePlaces(places: readonly TextPlace[]): string {
  const headers = places.flatMap(({ attribute, scopes }) => {
    const digits = writeDigits(attribute, ATTRIBUTE_DIGIT)
    return scopes === 'any' ? [digits + ANY] : scopes.map((scope) => digits + writeScope(scope))
  })
  return ` ${headers.join(' ')} `
}

/** Returns 1 if one of the texts in the places (see `writePlaces`) contains `needle`, else 0. */
export function hasText(texts: string, places: string, needle: string): 0 | 1 {
  let found = -1
  for (let at = 0, end = 0; at < texts.length; at = end) {
    const begin = texts.indexOf(MARK, at + 1) + 1
    end = endOf(texts, at)
    if (found < begin) found = texts.indexOf(needle, begin)
    if (found === -1) return 0
    if (found + needle.length <= end && isAmong(texts.slice(at + 1, begin - 1), places)) return 1
  }
  return 0
}

function isAmong(header: string, places: string): boolean {
  let digits = 0
  while (header.codePointAt(digits)! < SCOPE_DIGIT) digits += 2
  return places.includes(` ${header} `) || places.includes(` ${header.slice(0, digits)}${ANY} `)
}
