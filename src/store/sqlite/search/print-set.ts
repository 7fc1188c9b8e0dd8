// Sets of records as SQL: a SELECT of one column `record`, over a connection that has the index attached as `idx`.
import { EMPTY_KEY } from '../../../core/search/plan/index-rows.ts'
import type { Bounds } from '../../../core/search/rules/operator.ts'
import { endOfPrefix } from '../../../core/search/plan/text-keys.ts'
import { writePlaces } from '../../../core/search/plan/index-text.ts'
import { type CountTrigrams, hasTrigrams, rareTrigrams } from '../../../core/search/plan/rare-trigrams.ts'
import type { KeyRange, KeySet, Leaf, Needle, Place, SchemaSet, TextSet } from '../../../core/search/plan/sets.ts'

export interface Sql {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** Most parameters of one list; a longer list is one JSON parameter. */
const MAX_LISTED = 200

export function printLeaf(set: Leaf, count: CountTrigrams): Sql {
  if (set.kind === 'keys') return printKeys(set)
  return set.kind === 'text' ? printText(set, count) : printSchemas(set)
}

/** A record occurs once for each of its matching keys. */
export function printKeys({ places, range }: KeySet): Sql {
  const ofPlaces = printPlaces(places)
  const ofRange = printRange(range)
  return {
    sql: `SELECT record FROM idx.value WHERE ${ofPlaces.sql} AND ${ofRange.sql}`,
    parameters: [...ofPlaces.parameters, ...ofRange.parameters],
  }
}

function printPlaces(places: readonly Place[]): Sql {
  if (places.length === 1) {
    const { attribute, scopes } = places[0]!
    const ofScopes = isAmong('scope', scopes)
    return { sql: `attribute = ? AND ${ofScopes.sql}`, parameters: [attribute, ...ofScopes.parameters] }
  }
  const pairs = places.flatMap(({ attribute, scopes }) => scopes.map((scope) => [attribute, scope]))
  return {
    sql: '(attribute, scope) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))',
    parameters: [JSON.stringify(pairs)],
  }
}

/** SQLite sorts every number before every text. */
function printRange(range: KeyRange): Sql {
  switch (range.kind) {
    case 'point':
      return { sql: 'key = ?', parameters: [range.key] }
    case 'either':
      return isAmong('key', range.keys)
    case 'range':
      return printBounds(range)
    case 'prefix': {
      const end = endOfPrefix(range.text)
      return end === undefined
        ? { sql: "key >= ? AND key < x''", parameters: [range.text] }
        : { sql: 'key >= ? AND key < ?', parameters: [range.text, end] }
    }
    case 'filled':
      return { sql: 'key <> ?', parameters: [EMPTY_KEY] }
    case 'any':
      return { sql: 'true', parameters: [] }
  }
}

function printBounds({ from, to, isFromIncluded, isToIncluded }: Bounds): Sql {
  const begin = from === -Infinity ? undefined : `key ${isFromIncluded ? '>=' : '>'} ?`
  const end = to === Infinity ? "key < ''" : `key ${isToIncluded ? '<=' : '<'} ?`
  return {
    sql: begin === undefined ? end : `${begin} AND ${end}`,
    parameters: [from, to].filter((bound) => Number.isFinite(bound)),
  }
}

function printText({ needles }: TextSet, count: CountTrigrams): Sql {
  if (!hasTrigrams(needles)) {
    const checks = printNeedles('c0', needles)
    return { sql: `SELECT id AS record FROM idx.text_content WHERE ${checks.sql}`, parameters: checks.parameters }
  }
  const texts = needles.map(({ text }) => text)
  const rare = rareTrigrams(texts, count)
  const found = 'SELECT rowid AS record FROM idx.text WHERE text MATCH ?'
  // An FTS5 match of a whole text is certain, so the text need not be inspected.
  const isSaid = rare === undefined && needles.length === 1 && needles[0].of === undefined
  if (isSaid) return { sql: found, parameters: [phrase(texts[0]!)] }
  const checks = printNeedles('folded', needles)
  const asked = rare ?? texts.filter((text) => hasTrigrams([{ text, of: undefined }]))
  return { sql: `${found} AND ${checks.sql}`, parameters: [asked.map(phrase).join(' AND '), ...checks.parameters] }
}

/** Tests whether all needles are in the texts of a record. @param column with these texts */
export function printNeedles(column: string, needles: readonly Needle[]): Sql {
  const parts = needles.map(({ text, of }): Sql => {
    const anywhere = { sql: `instr(${column}, ?) > 0`, parameters: [text] }
    if (of === undefined) return anywhere
    return { sql: `${anywhere.sql} AND has_text(${column}, ?, ?)`, parameters: [text, writePlaces(of), text] }
  })
  return { sql: parts.map((part) => part.sql).join(' AND '), parameters: parts.flatMap((part) => part.parameters) }
}

function printSchemas({ schemaIds }: SchemaSet): Sql {
  const ofSchemas = isAmong('schema_id', schemaIds)
  return { sql: `SELECT n AS record FROM main.record WHERE ${ofSchemas.sql}`, parameters: ofSchemas.parameters }
}

/** Tests whether `column` is one of `values`. */
export function isAmong(column: string, values: readonly unknown[]): Sql {
  if (values.length > MAX_LISTED && values.every((value) => !Buffer.isBuffer(value)))
    return { sql: `${column} IN (SELECT value FROM json_each(?))`, parameters: [JSON.stringify(values)] }
  return { sql: `${column} IN (${values.map(() => '?').join(', ')})`, parameters: values }
}

/** Quotes a text as one FTS5 string, in which no character is special. */
function phrase(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
