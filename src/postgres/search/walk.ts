// Walks through the rows of one place of the index, a part at a time; and counts the rows of a few places. Numbers come before texts.
import type { Ask, Walk, WalkedRow } from '../../core/search/plan/ask.ts'
import type { IndexKey } from '../../core/search/plan/sets.ts'
import { readKey, writeKey } from '../search-index/stored-keys.ts'
import { printScopes, type Sql } from './print-set.ts'

/** Asks by a statement whose parameters stand as `?`. */
export type AskSql = <Row>(sql: Sql) => Promise<Row[]>

type Table = 'value_num' | 'value_text'

interface KeyRow {
  readonly key: string | number
  readonly record: number
}

const keyOf = (key: string | number): IndexKey => (typeof key === 'number' ? key : readKey(key))
const toWalked = ({ key, record }: KeyRow): WalkedRow => [keyOf(key), record]
const tableOf = (key: IndexKey): Table => (typeof key === 'number' ? 'value_num' : 'value_text')
const stored = (key: IndexKey): string | number => (typeof key === 'number' ? key : writeKey(key))

export async function walk(asked: Walk, ask: AskSql): Promise<WalkedRow[]> {
  if (asked.key !== undefined) return (await ask<KeyRow>(rowsOfKey(asked, asked.key))).map(toWalked)
  const tables: readonly Table[] = asked.direction === 'asc' ? ['value_num', 'value_text'] : ['value_text', 'value_num']
  const first = asked.from === undefined ? 0 : tables.indexOf(tableOf(asked.from.key))
  const rows: WalkedRow[] = []
  for (const table of tables.slice(first)) {
    const isFirst = asked.from !== undefined && table === tables[first]
    for (const part of isFirst ? partsBehind(asked, asked.from) : [partOf(table, asked, undefined)]) {
      if (rows.length >= asked.limit) return rows
      rows.push(...(await ask<KeyRow>(limited(part, asked.limit - rows.length))).map(toWalked))
    }
  }
  return rows
}

const ROWS = 'WHERE attribute = ? AND scope = ?'

function limited({ sql, parameters }: Sql, limit: number): Sql {
  return { sql: `${sql} LIMIT ?`, parameters: [...parameters, limit] }
}

function rowsOfKey({ attribute, scope, from, limit }: Walk, key: IndexKey): Sql {
  return limited(restOfKey(attribute, scope, key, from?.record ?? 0), limit)
}

function restOfKey(attribute: number, scope: number, key: IndexKey, after: number): Sql {
  return {
    sql: `SELECT key, record FROM ${tableOf(key)} ${ROWS} AND key = ? AND record > ? ORDER BY record`,
    parameters: [attribute, scope, stored(key), after],
  }
}

/** The rest of the key that was reached comes first: one order is the other way round. */
function partsBehind(asked: Walk, from: NonNullable<Walk['from']>): Sql[] {
  const { attribute, scope } = asked
  const rest = from.record === undefined ? [] : [restOfKey(attribute, scope, from.key, from.record)]
  return [...rest, partOf(tableOf(from.key), asked, from)]
}

function partOf(table: Table, { attribute, scope, direction }: Walk, from: Walk['from']): Sql {
  const filled = table === 'value_text' ? " AND key <> ''" : ''
  const order = direction === 'asc' ? 'key, record' : 'key DESC, record'
  if (from === undefined)
    return {
      sql: `SELECT key, record FROM ${table} ${ROWS}${filled} ORDER BY ${order}`,
      parameters: [attribute, scope],
    }
  const comparison = (direction === 'asc' ? '>' : '<') + (from.record === undefined ? '=' : '')
  return {
    sql: `SELECT key, record FROM ${table} ${ROWS} AND key ${comparison} ?${filled} ORDER BY ${order}`,
    parameters: [attribute, scope, stored(from.key)],
  }
}

type CountAsk = Extract<Ask, { readonly kind: 'tally' | 'filled' }>

/** In one scope every row of a key is of another record. */
export async function countRows(asked: CountAsk, ask: AskSql): Promise<unknown> {
  const { attribute, scopes } = asked
  const ofScopes = printScopes(scopes)
  const from = (table: Table): string =>
    `FROM ${table} WHERE attribute = ? AND ${ofScopes.sql}${table === 'value_text' ? " AND key <> ''" : ''}`
  const parameters = [attribute, ...ofScopes.parameters]
  if (asked.kind === 'filled') {
    const counted = asked.isSingle ? '*' : 'DISTINCT record'
    const both = `SELECT record ${from('value_num')} UNION ALL SELECT record ${from('value_text')}`
    const [row] = await ask<{ size: number }>({
      sql: `SELECT count(${counted}) AS size FROM (${both}) AS found`,
      parameters: [...parameters, ...parameters],
    })
    return row!.size
  }
  const counted = scopes.length === 1 ? '*' : 'DISTINCT record'
  const tally = (table: Table): string => `SELECT key, count(${counted}) AS size ${from(table)} GROUP BY key`
  const rows: (readonly [IndexKey, number])[] = []
  for (const table of ['value_num', 'value_text'] as const)
    for (const { key, size } of await ask<{ key: string | number; size: number }>({
      sql: tally(table),
      parameters,
    }))
      rows.push([keyOf(key), size])
  return rows
}

/** From each key the next one is looked up: rows of the same are not read. */
export async function keysOfPlace(asked: Extract<Ask, { kind: 'keys' }>, ask: AskSql): Promise<IndexKey[]> {
  const next = (after: string): string => `(SELECT key FROM value_text ${ROWS} AND key > ${after} ORDER BY key LIMIT 1)`
  const { attribute, scope, after, limit } = asked
  const rows = await ask<{ key: string }>({
    sql: `WITH RECURSIVE found (key) AS (
        SELECT ${next('?')} UNION ALL SELECT ${next('found.key')} FROM found WHERE found.key IS NOT NULL
      ) SELECT key FROM found WHERE key IS NOT NULL LIMIT ?`,
    parameters: [attribute, scope, stored(after), attribute, scope, limit],
  })
  return rows.map(({ key }) => readKey(key))
}
