// How text is compared: one folding for storing and for asking (contract 2 §5), and one canonical form of JSON.
import { own } from './own.ts'

/** A text is cut after this many combining marks, because sorting them takes quadratic time. No language has so many. */
const MARKS_AT_ONCE = 128
/** A fast filter: finds all texts with such a row, and some others. */
const MAY_BE_MANY_MARKS = new RegExp(`[^\\u0000-\\u02ff]{${MARKS_AT_ONCE + 1}}`)
const MANY_MARKS = new RegExp(`\\p{M}{${MARKS_AT_ONCE + 1}}`, 'u')
const PART_OF_MARKS = new RegExp(`\\p{M}{1,${MARKS_AT_ONCE}}|\\P{M}+(?:\\p{M}{1,${MARKS_AT_ONCE}})?`, 'gu')

/**
 * A normal form of Unicode, in time linear in the text. In a row of more than `MARKS_AT_ONCE` marks, each part is ordered
 * by itself.
 */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  if (text.length <= MARKS_AT_ONCE || !MAY_BE_MANY_MARKS.test(text) || !MANY_MARKS.test(text))
    return text.normalize(form)
  return text.replaceAll(PART_OF_MARKS, (part) => part.normalize(form))
}

/** UTF-16 units of a text that are folded at a time: of more, the normal form would take many times the text's memory. */
const FOLDED_AT_ONCE = 65_536

/**
 * Unicode NFC, then lower case letter by letter. A final sigma becomes a usual sigma, so that a folded text contains the
 * folded form of each of its parts.
 */
export function foldText(text: string): string {
  return text.length <= FOLDED_AT_ONCE ? foldPart(text) : foldInParts(text)
}

function foldPart(text: string): string {
  return normalForm(text, 'NFC').toLowerCase().replaceAll('ς', 'σ')
}

function foldInParts(text: string): string {
  const parts: string[] = []
  let isFolded = true
  for (let from = 0; from < text.length;) {
    const end = partEnd(text, from + FOLDED_AT_ONCE)
    const part = text.slice(from, end)
    const folded = foldPart(part)
    isFolded &&= folded === part
    parts.push(folded)
    from = end
  }
  return isFolded ? text : parts.join('')
}

/** The first place from `at` on where folding the parts separately gives the folded text. */
function partEnd(text: string, at: number): number {
  let end = at
  while (end < text.length && !standsAlone(text.charCodeAt(end))) end += 1
  return Math.min(end, text.length)
}

/** Whether a letter with this code never combines with the letter before it: below the combining marks, and ideographs. */
function standsAlone(unit: number): boolean {
  return unit < 0x300 || (unit >= 0x3400 && unit <= 0x9fff)
}

/** The longest text that `includes` looks for in linear time: behind that a periodic one costs it length times length. */
const LONGEST_PLAIN_SEARCH = 250

/** Whether `text` contains `wanted`, in time linear in both. */
export function containsText(text: string, wanted: string): boolean {
  if (wanted.length <= LONGEST_PLAIN_SEARCH || wanted.length > text.length) return text.includes(wanted)
  const borders = bordersOf(wanted)
  let matched = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = borders[matched - 1]!
    if (wanted.charCodeAt(matched) === unit) matched += 1
    if (matched === wanted.length) return true
  }
  return false
}

/** For each prefix of `text`, the length of its longest proper prefix that is also its suffix (Knuth, Morris, Pratt). */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length)
  let matched = 0
  for (let index = 1; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    while (matched > 0 && text.charCodeAt(matched) !== unit) matched = borders[matched - 1]!
    if (text.charCodeAt(matched) === unit) matched += 1
    borders[index] = matched
  }
  return borders
}

/** Shows C0, DEL and C1 as `\\u0007`, so that no client can control a terminal or forge a line. */
export function escapeControls(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** `at`, or the end of the text before it, or the next place where no character is cut in two. */
export function endOfPart(text: string, at: number): number {
  if (at >= text.length) return text.length
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at
}

/** Length in Unicode code points. */
export function countCharacters(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index += text.codePointAt(index)! > 0xffff ? 2 : 1) count += 1
  return count
}

/** Whether `text` has more than `max` bytes of UTF-8. Clear cases are decided without encoding. Browsers have no Buffer. */
export function hasMoreBytes(text: string, max: number): boolean {
  if (text.length > max) return true
  return text.length * 3 > max && new TextEncoder().encode(text).length > max
}

/** JSON with the keys of every object in order: equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`
}

/** Whether two values have the same JSON, whatever the order of members: a member that is undefined is absent. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  let members = 0
  for (const [key, member] of Object.entries(one)) {
    if (member === undefined) continue
    if (!isSameValue(member, own(other as Readonly<Record<string, unknown>>, key))) return false
    members += 1
  }
  return members === Object.values(other).filter((member) => member !== undefined).length
}

/** Whether arrays and objects nest deeper than `limit`. */
export function isNestedDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (limit === 0) return true
  return Object.values(value).some((member) => isNestedDeeper(member, limit - 1))
}

/** Whether a number in it is infinite, as `JSON.parse` reads 1e400: `JSON.stringify` would make null of it. */
export function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity)
}
