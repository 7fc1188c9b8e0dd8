// How the texts of one record stand in the full-text index: each behind a mark with the numbers of its attribute and its
// scope, in characters that text hardly ever has, so that one attribute's texts can be told from the others'.
import { foldText } from '../../../kernel/text.ts'
import type { TextPlace } from './sets.ts'

const MARK = '\u001e'
/** Stands for the mark in text, and for NUL, which FTS5 takes for the end of the text. */
const STAND_IN = '\u001f'
const REPLACED = /[\0\u001e]/g
/** Private-use characters are the digits of attribute numbers (U+F0000…) and of scope numbers (U+100000…). */
const ATTRIBUTE_DIGIT = 0xf0000
const SCOPE_DIGIT = 0x100000
const BASE = 60_000
/** Stands for every scope. */
const ANY = '*'
const MARKS = /[\u001e\u001f\u{f0000}-\u{10ffff}]/u

/**
 * UTF-8 bytes of a record's texts, with their marks, beyond which they are not in the full-text index: it collects all
 * trigrams of a record in memory before it writes them, up to some hundred bytes for each character.
 */
const MAX_INDEXED = 1024 * 1024

/** Whether the texts of a record, with their marks, are in the full-text index; else whoever looks for text looks through them. */
export function isTextIndexed(texts: readonly string[]): boolean {
  let size = 0
  for (const text of texts) {
    size += text.length
    if (size > MAX_INDEXED) return false
  }
  return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0) <= MAX_INDEXED
}

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
  return `${MARK}${writeDigits(attribute, ATTRIBUTE_DIGIT)}${writeScope(scope)}${MARK}${text}`
}

function writeScope(scope: number): string {
  return writeDigits(scope < 0 ? -scope * 2 + 1 : scope * 2, SCOPE_DIGIT)
}

function writeDigits(number: number, first: number): string {
  const low = String.fromCodePoint(first + (number % BASE))
  return number < BASE ? low : String.fromCodePoint(first + Math.floor(number / BASE)) + low
}

/** The texts of `markText`, one by one, with their marks. */
export function splitTexts(texts: string): string[] {
  const split: string[] = []
  for (let at = 0, end = 0; at < texts.length; at = end) {
    end = endOf(texts, at)
    split.push(texts.slice(at, end))
  }
  return split
}

/** Where the text ends whose marks begin at `at`. */
function endOf(texts: string, at: number): number {
  const next = texts.indexOf(MARK, texts.indexOf(MARK, at + 1) + 1)
  return next === -1 ? texts.length : next
}

/** Places as `hasText` takes them. */
export function writePlaces(places: readonly TextPlace[]): string {
  const headers = places.flatMap(({ attribute, scopes }) => {
    const digits = writeDigits(attribute, ATTRIBUTE_DIGIT)
    return scopes === 'any' ? [digits + ANY] : scopes.map((scope) => digits + writeScope(scope))
  })
  return ` ${headers.join(' ')} `
}

/** Whether one of the texts in the places (see `writePlaces`) contains `needle`: 1 or 0. */
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
