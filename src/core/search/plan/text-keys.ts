// The keys of text values in the search index: first the beginning of the text as texts are compared and sorted, then the text
// itself where that says more. So one row answers what equals a text, what begins with it, and in which order texts come.
import { beginningOf, sortForm } from '../rules/sorting.ts'
import { foldText } from '../../../kernel/text.ts'

/** Stands between the two: `sortForm` leaves no character before it, nor it. */
const SEPARATOR = '\u0001'
const MAX_BEGINNING = 64
/** A longer text is represented by a digest. */
const MAX_TEXT = 100

/** @param digest in hexadecimal digits, of a text that is long */
export function textKey(text: string, digest: (text: string) => string): string {
  const beginning = beginningOf(sortForm(text), MAX_BEGINNING)
  if (beginning === text) return beginning + SEPARATOR
  return beginning + SEPARATOR + (text.length <= MAX_TEXT ? text : digest(text))
}

/** The part of a key by which it is sorted, and whether more of the text decides between equal ones. */
export function sortedPart(key: string): { readonly text: string; readonly isCut: boolean } {
  const text = key.slice(0, key.indexOf(SEPARATOR))
  return { text, isCut: text.length >= MAX_BEGINNING - 1 }
}

/** The beginning of the keys of texts with the prefix, and whether no other keys begin so. */
export function keyPrefix(prefix: string): { readonly text: string; readonly isExact: boolean } {
  const folded = foldText(prefix)
  const text = beginningOf(sortForm(prefix), MAX_BEGINNING - 1)
  return { text, isExact: text === folded }
}

/** The first text, in the order of code points, that is after all that begin with `prefix`; undefined: there is none. */
export function endOfPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0)!)
  while (points.at(-1) === LAST_POINT) points.pop()
  const last = points.pop()
  if (last === undefined) return undefined
  const next = last + 1 >= FIRST_SURROGATE && last + 1 <= LAST_SURROGATE ? LAST_SURROGATE + 1 : last + 1
  return String.fromCodePoint(...points, next)
}

const LAST_POINT = 0x10ffff
const FIRST_SURROGATE = 0xd800
const LAST_SURROGATE = 0xdfff
