// Writes index keys as text that PostgreSQL can store. The order of texts and their common beginnings are kept.
import type { IndexKey } from '../../core/search/plan/sets.ts'

/** Precedes a changed character: NUL, which PostgreSQL refuses, or this character itself. */
const ESCAPE = '\u0002'
/**
 * Precedes a changed U+FDD0, which connections would write differently. U+FDD1 is next to U+FDD0, so the order stays
 * the same.
 */
const HIGH = '\ufdd1'
const ESCAPED = /[\0\u0002\ufdd0\ufdd1]/g
const WRITTEN = /\u0002[02]|\ufdd1[01]/g
const FORMS: Readonly<Record<string, string>> = {
  '\0': `${ESCAPE}0`,
  [ESCAPE]: `${ESCAPE}2`,
  '\ufdd0': `${HIGH}0`,
  [HIGH]: `${HIGH}1`,
}
const CHARACTERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(FORMS).map(([character, form]) => [form, character]),
)
/** Precedes the hexadecimal digits of a digest; no text is written with this prefix. */
const DIGEST = `${ESCAPE}d`

/** Writes a key that is no number. */
export function writeKey(key: string | Buffer): string {
  if (typeof key !== 'string') return DIGEST + key.toString('hex')
  const text = key.toWellFormed()
  return text.search(ESCAPED) === -1 ? text : text.replaceAll(ESCAPED, (character) => FORMS[character]!)
}

export function readKey(text: string): IndexKey {
  if (!text.includes(ESCAPE) && !text.includes(HIGH)) return text
  if (text.startsWith(DIGEST)) return Buffer.from(text.slice(DIGEST.length), 'hex')
  return text.replaceAll(WRITTEN, (form) => CHARACTERS[form]!)
}
