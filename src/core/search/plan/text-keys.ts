// Builds the index keys of text values: the sorted beginning of the text, then the text itself if longer. So one row
// serves equality, prefixes and sorting.
import { beginningOf, sortForm } from '../rules/sorting.ts'
import { foldText } from '../../../kernel/text.ts'

/** Separates the two parts. `sortForm` replaces this character and all lower ones. */
const SEPARATOR = '\u0001'
const MAX_BEGINNING = 64
/** A longer text is replaced by a digest. */
const MAX_TEXT = 100

/** @param digest returns the hexadecimal digest of a long text */
export function textKey(text: string, digest: (text: string) => string): string {
  const beginning = beginningOf(sortForm(text), MAX_BEGINNING)
  if (beginning === text) return beginning + SEPARATOR
  return beginning + SEPARATOR + (text.length <= MAX_TEXT ? text : digest(text))
}

/** Returns the sorted part of a key, and whether the rest of the text decides between equal parts. */
export function sortedPart(key: string): { readonly text: string; readonly isCut: boolean } {
  const text = key.slice(0, key.indexOf(SEPARATOR))
  return { text, isCut: text.length >= MAX_BEGINNING - 1 }
}

/** Returns the beginning of the keys of texts with the prefix, and whether only such keys begin so. */
export function keyPrefix(prefix: string): { readonly text: string; readonly isExact: boolean } {
  const folded = foldText(prefix)
  const text = beginningOf(sortForm(prefix), MAX_BEGINNING - 1)
  return { text, isExact: text === folded }
}

/** Returns the first text, by code points, after all texts that begin with `prefix`; undefined: none. */
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
