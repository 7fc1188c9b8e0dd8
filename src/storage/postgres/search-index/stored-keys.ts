// Keys of the search index as text that PostgreSQL can store. In the order of texts, and what begins alike still begins alike.
import type { IndexKey } from '../../search/sets.ts'

/** Stands before what it changes: NUL, which is refused, itself, and what connections would write in another way. */
const ESCAPE = '\u0002'
const ESCAPED = /[\0\u0002\ufdd0]/g
const WRITTEN = /\u0002(.)/g
const DIGITS: Readonly<Record<string, string>> = { '\0': '0', '\ufdd0': '1', [ESCAPE]: '2' }
const CHARACTERS: Readonly<Record<string, string>> = { 0: '\0', 1: '\ufdd0', 2: ESCAPE }
/** Before the hexadecimal digits of a digest: no text is written so. */
const DIGEST = `${ESCAPE}d`

/** Of a key that is no number. */
export function writeKey(key: string | Buffer): string {
  if (typeof key !== 'string') return DIGEST + key.toString('hex')
  const text = key.toWellFormed()
  return text.search(ESCAPED) === -1 ? text : text.replaceAll(ESCAPED, (character) => ESCAPE + DIGITS[character]!)
}

export function readKey(text: string): IndexKey {
  if (!text.includes(ESCAPE)) return text
  if (text.startsWith(DIGEST)) return Buffer.from(text.slice(DIGEST.length), 'hex')
  return text.replaceAll(WRITTEN, (_, digit: string) => CHARACTERS[digit]!)
}
