// Writes sets of records as SQL: a SELECT of one column `record`. Parts have `?` for parameters; the complete statement
// numbers them.
import type { Bounds } from '../../core/search/rules/operator.ts'
import { writePlaces } from '../../core/search/plan/index-text.ts'
import { type CountTrigrams, trigramsOf } from '../../core/search/plan/rare-trigrams.ts'
import type {
  IndexKey,
  KeyRange,
  KeySet,
  Leaf,
  Needle,
  Place,
  SchemaSet,
  TextSet,
} from '../../core/search/plan/sets.ts'
import { endOfPrefix } from '../../core/search/plan/text-keys.ts'
import { writeKey } from '../search-index/stored-keys.ts'

export interface Sql {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** Runs a statement that has `?` for parameters. */
export type AskSql = <Row>(sql: Sql) => Promise<Row[]>

/** The most trigrams that a search requests from the index: the rarest ones. */
const MAX_TRIGRAMS = 3

/** Numbers the parameters of a statement. */
export function numbered(sql: string): string {
  let number = 0
  return sql.replaceAll('?', () => `$${(number += 1)}`)
}

export function printLeaf(set: Leaf, count: CountTrigrams): Sql {
  if (set.kind === 'keys') return printKeys(set)
  return set.kind === 'text' ? printText(set, count) : printSchemas(set)
}

type Table = 'value_num' | 'value_text'

/** A record occurs once for each of its matching keys. */
export function printKeys({ places, range }: KeySet): Sql {
  const parts = conditionsOf(range).map(([table, condition]) => printRows(table, places, condition))
  return {
    sql: parts.map(({ sql }) => sql).join(' UNION ALL '),
    parameters: parts.flatMap(({ parameters }) => parameters),
  }
}

/** Looks up many places one by one, so that the planner cannot choose a slower way. */
function printRows(table: Table, places: readonly Place[], condition: Sql): Sql {
  if (places.length === 1) {
    const { attribute, scopes } = places[0]!
    const ofScopes = printScopes(scopes)
    return {
      sql: `(SELECT record FROM ${table} WHERE attribute = ? AND ${ofScopes.sql} AND ${condition.sql})`,
      parameters: [attribute, ...ofScopes.parameters, ...condition.parameters],
    }
  }
  const pairs = places.flatMap(({ attribute, scopes }) => scopes.map((scope) => [attribute, scope] as const))
  return {
    sql: `(SELECT found.record FROM unnest(?::int[], ?::int[]) AS place (attribute, scope) CROSS JOIN LATERAL
       (SELECT record FROM ${table} WHERE ${table}.attribute = place.attribute AND ${table}.scope = place.scope
           AND ${condition.sql} OFFSET 0) AS found)`,
    parameters: [pairs.map(([attribute]) => attribute), pairs.map(([, scope]) => scope), ...condition.parameters],
  }
}

/**
 * Restricts rows to the scopes. With a single scope, equality tells the planner that the index is in order. Then a page
 * of one key is read alone, and keys are counted in order.
 */
export function printScopes(scopes: readonly number[]): Sql {
  return scopes.length === 1
    ? { sql: 'scope = ?::int', parameters: scopes }
    : { sql: 'scope = ANY (?::int[])', parameters: [scopes] }
}

const ANY: Sql = { sql: 'true', parameters: [] }

function conditionsOf(range: KeyRange): readonly (readonly [Table, Sql])[] {
  switch (range.kind) {
    case 'point':
      return isAmong([range.key])
    case 'either':
      return isAmong(range.keys)
    case 'range':
      return [['value_num', printBounds(range)]]
    case 'prefix':
      return [['value_text', printPrefix(writeKey(range.text))]]
    case 'filled':
      return [
        ['value_num', ANY],
        ['value_text', { sql: "key <> ''", parameters: [] }],
      ]
    case 'any':
      return [
        ['value_num', ANY],
        ['value_text', ANY],
      ]
  }
}

function isAmong(keys: readonly IndexKey[]): readonly (readonly [Table, Sql])[] {
  const numbers = keys.filter((key) => typeof key === 'number')
  const texts = keys.filter((key) => typeof key !== 'number').map(writeKey)
  return [
    ...(numbers.length === 0 && texts.length > 0 ? [] : [['value_num', isOne(numbers, 'float8')] as const]),
    ...(texts.length === 0 ? [] : [['value_text', isOne(texts, 'text')] as const]),
  ]
}

function isOne(keys: readonly (string | number)[], type: 'float8' | 'text'): Sql {
  return keys.length === 1
    ? { sql: `key = ?::${type}`, parameters: [keys[0]] }
    : { sql: `key = ANY (?::${type}[])`, parameters: [keys] }
}

function printPrefix(text: string): Sql {
  const end = endOfPrefix(text)
  return end === undefined
    ? { sql: 'key >= ?', parameters: [text] }
    : { sql: 'key >= ? AND key < ?', parameters: [text, end] }
}

function printBounds({ from, to, isFromIncluded, isToIncluded }: Bounds): Sql {
  const begin = from === -Infinity ? undefined : `key ${isFromIncluded ? '>=' : '>'} ?::float8`
  const end = to === Infinity ? undefined : `key ${isToIncluded ? '<=' : '<'} ?::float8`
  const bounds = [begin, end].filter((bound) => bound !== undefined)
  return {
    sql: bounds.length === 0 ? 'true' : bounds.join(' AND '),
    parameters: [from, to].filter((bound) => Number.isFinite(bound)),
  }
}

/** Requests the rarest trigrams. A text without trigrams is not requested, because the index would be read completely. */
function printText({ needles }: TextSet, count: CountTrigrams): Sql {
  const asked = rarestOf(needles, count)
  const checks = printNeedles('folded', needles)
  return {
    sql: `SELECT record FROM record_text WHERE ${[...asked.map(() => 'folded LIKE ?'), checks.sql].join(' AND ')}`,
    parameters: [...asked.map((trigram) => `%${trigram}%`), ...checks.parameters],
  }
}

/** Returns the trigrams of texts that the index contains: those of letters and digits. */
export function indexedTrigrams(needles: readonly Needle[]): string[] {
  const trigrams = new Set(needles.flatMap(({ text }) => trigramsOf(text)))
  return [...trigrams].filter((trigram) => /^[\p{L}\p{N}]+$/u.test(trigram))
}

function rarestOf(needles: readonly Needle[], count: CountTrigrams): string[] {
  const trigrams = indexedTrigrams(needles)
  const counts = count(trigrams)
  const countOf = (trigram: string): number => counts.get(trigram) ?? 0
  return trigrams.toSorted((one, other) => countOf(one) - countOf(other)).slice(0, MAX_TRIGRAMS)
}

/** Tests whether the texts of a record contain all needles. @param column the column of these texts */
export function printNeedles(column: string, needles: readonly Needle[]): Sql {
  const parts = needles.map(({ text, of }): Sql => {
    const found = printFound(column, text)
    if (of === undefined) return found
    const patterns = patternsOf(writePlaces(of), text)
    const isThere = patterns.map(() => `${column} ~ ?`).join(' OR ')
    return {
      sql: `CASE WHEN ${found.sql} THEN ${isThere} ELSE false END`,
      parameters: [...found.parameters, ...patterns],
    }
  })
  return { sql: parts.map(({ sql }) => sql).join(' AND '), parameters: parts.flatMap(({ parameters }) => parameters) }
}

/** A leading U+FDD0 in a parameter is written differently from one within a text. */
function printFound(column: string, text: string): Sql {
  if (!text.startsWith('\ufdd0')) return { sql: `strpos(${column}, ?) > 0`, parameters: [text] }
  return { sql: `strpos(${column}, substr(?::text, 2)) > 0`, parameters: [` ${text}`] }
}

const MARK = '\u001e'
const ANY_SCOPE = '[\u{100000}-\u{10ffff}]+'

/** Most headers of one expression, because long expressions compile slowly. */
const MAX_HEADERS = 100

/** Returns regular expressions: the header of a place, followed by the needle within the same text. */
function patternsOf(places: string, needle: string): string[] {
  const headers = places
    .trim()
    .split(' ')
    .map((header) => (header.endsWith('*') ? header.slice(0, -1) + ANY_SCOPE : header))
  const text = needle.replaceAll(/[^\p{L}\p{N}\s]/gu, escaped)
  const patterns: string[] = []
  for (let at = 0; at < headers.length; at += MAX_HEADERS)
    patterns.push(`${MARK}(?:${headers.slice(at, at + MAX_HEADERS).join('|')})${MARK}[^${MARK}]*${text}`)
  return patterns
}

/** Escapes a character that may be special in a regular expression. */
function escaped(character: string): string {
  return character.charCodeAt(0) < 128 ? `\\${character}` : character
}

function printSchemas({ schemaIds }: SchemaSet): Sql {
  return { sql: 'SELECT n AS record FROM record WHERE schema_id = ANY (?::text[])', parameters: [schemaIds] }
}
