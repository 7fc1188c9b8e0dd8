// How the texts of one record stand in the full-text index: each behind a mark and the number of its attribute, in
// characters that text hardly ever has, so that one attribute's texts can be told from the others'.
import { foldText } from '../../domain/text.ts'

const MARK = '\u001e'
/** Stands for the mark in text, and for NUL, which FTS5 takes for the end of the text. */
const STAND_IN = '\u001f'
const REPLACED = /[\0\u001e]/g
/** Private-use characters (U+F0000…) are the digits of attribute numbers. */
const FIRST_DIGIT = 0xf0000
const BASE = 60_000
const MARKS = /[\u001e\u001f\u{f0000}-\u{fffff}]/u

/** The folded form that text is indexed and asked for in. */
export function foldForIndex(text: string): string {
  const folded = foldText(text)
  return folded.replaceAll(REPLACED, STAND_IN)
}

/** Whether `text` has a character that stands for something else in the index: what it finds there must be judged. */
export function hasMark(text: string): boolean {
  return MARKS.test(text)
}

/** `text` as one of the texts of the attribute with this number. */
export function markText(attribute: number, text: string): string {
  const low = String.fromCodePoint(FIRST_DIGIT + (attribute % BASE))
  const high = attribute < BASE ? '' : String.fromCodePoint(FIRST_DIGIT + Math.floor(attribute / BASE))
  return `${MARK}${high}${low}${MARK}${text}`
}

/** The texts of `markText`, one by one, with their marks. */
export function splitTexts(texts: string): string[] {
  return texts.split(/(?=\u001e[\u{f0000}-\u{fffff}]+\u001e)/u)
}

/** Whether one of the texts behind `mark` (what `markText` makes of no text) contains `needle`. */
export function hasText(texts: string, mark: string, needle: string): number {
  for (let at = texts.indexOf(mark); at !== -1; at = texts.indexOf(mark, at + 1)) {
    const begin = at + mark.length
    const end = texts.indexOf(MARK, begin)
    const found = texts.indexOf(needle, begin)
    if (found === -1) return 0
    if (end === -1 || found + needle.length <= end) return 1
  }
  return 0
}
