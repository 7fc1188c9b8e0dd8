// Answers the queries of a search plan in SQL, over the connection of a task. Numbers sort before texts.
import { NONE, type Numbers, toNumbers } from '../../core/search/plan/record-numbers.ts'
import type { CountTrigrams } from '../../core/search/plan/rare-trigrams.ts'
import {
  type CellsOfRecord,
  type CountedState,
  groupByRecord,
  type LeafPage,
  type PageOfLeaf,
  type ReadRecord,
  type SearchIndex,
  type Walk,
  type WalkedRow,
} from '../../core/search/plan/search-index.ts'
import type { IndexKey, KeySet, Leaf, Needle, Place } from '../../core/search/plan/sets.ts'
import type { TaskTime } from '../../store/reading/task-time.ts'
import type { Asked } from '../../store/rows/session.ts'
import { readKey, writeKey } from '../search-index/stored-keys.ts'
import { SAMPLED, trigramCounts } from '../search-index/trigram-counts.ts'
import { type AskSql, indexedTrigrams, printKeys, printLeaf, printNeedles, printScopes, type Sql } from './print-set.ts'
import { readRows } from './read-rows.ts'

type Table = 'value_num' | 'value_text'

interface KeyRow {
  readonly key: string | number
  readonly record: number
}

interface Placed {
  readonly n: number
  readonly categoryId: string
}

const VARIANTS = `SELECT record.n, (SELECT count(*) FROM record AS variant WHERE variant.parent_id = record.id) AS variants
  FROM record WHERE record.n = ANY (?::bigint[])`

const ASSIGNMENTS = `SELECT record.n, record.id AS "entityId", assignment.category_id AS "categoryId", assignment.sort_order AS "sortOrder"
  FROM record JOIN assignment ON assignment.record_n = record.n
  JOIN category ON category.id = assignment.category_id JOIN catalog ON catalog.id = category.catalog_id
 WHERE record.n = ANY (?::bigint[]) ORDER BY record.n, catalog.n, category.n`

/** Selects each category once. */
const CATEGORIES = `SELECT DISTINCT record.n, category.id AS "categoryId", catalog.n AS catalog_n, category.n AS category_n
  FROM record LEFT JOIN record AS parent ON parent.id = record.parent_id
  JOIN assignment ON assignment.record_n IN (record.n, parent.n)
  JOIN category ON category.id = assignment.category_id JOIN catalog ON catalog.id = category.catalog_id
 WHERE record.n = ANY (?::bigint[]) ORDER BY record.n, catalog.n, category.n`

const ROWS = 'WHERE attribute = ? AND scope = ?'

/** The resources of a task. */
interface Connected {
  readonly connection: Asked
  readonly ask: AskSql
  /** Whether records are read with their categories. */
  readonly withCategories: boolean
}

/** The index of one task. Between two queries, it lets other tasks run, and checks the time limit. */
export class PostgresIndex implements SearchIndex {
  readonly #searcher: Connected
  readonly #time: Pick<TaskTime, 'breathe'>
  readonly #ask: AskSql

  constructor(searcher: Connected, time: Pick<TaskTime, 'breathe'>) {
    this.#searcher = searcher
    this.#time = time
    this.#ask = async (sql) => {
      const rows = await searcher.ask(sql)
      await time.breathe()
      return rows as never[]
    }
  }

  breathe(): Promise<void> | undefined {
    return this.#time.breathe()
  }

  count(set: KeySet, limit: number): Promise<number> {
    return this.#sizeOf(limited(printKeys(set), limit))
  }

  size(set: KeySet): Promise<number> {
    return this.#sizeOf(printKeys(set))
  }

  async frequency(needles: readonly Needle[]): Promise<number> {
    const trigrams = indexedTrigrams(needles)
    if (trigrams.length === 0) return Infinity
    const counts = (await trigramCounts(trigrams, this.#searcher.connection))(trigrams)
    return Math.min(...trigrams.map((trigram) => counts.get(trigram) ?? 0)) * SAMPLED
  }

  async read(set: Leaf): Promise<Numbers> {
    return this.#numbersOf(await this.#printed(set))
  }

  async page(set: Leaf, { after = 0, limit, offset, isCounted }: PageOfLeaf): Promise<LeafPage> {
    const leaf = await this.#printed(set)
    const sql = `SELECT record FROM (${leaf.sql}) AS found WHERE record > ? ORDER BY record LIMIT ? OFFSET ?`
    const records = await this.#numbersOf({ sql, parameters: [...leaf.parameters, after, limit, offset] })
    if (!isCounted) return { total: null, records }
    if (set.kind !== 'schemas') return { total: await this.#sizeOf(leaf), records }
    const states = await this.countStates(set.schemaIds)
    return { total: states.reduce((sum, state) => sum + state.records, 0), records }
  }

  async cells(records: Numbers): Promise<readonly CellsOfRecord[]> {
    const sql = 'SELECT record, cells FROM record_cells WHERE record = ANY (?::bigint[])'
    const rows = await this.#ask<{ record: number; cells: string }>({ sql, parameters: [[...records]] })
    return rows.map(({ record, cells }) => [record, cells])
  }

  withTexts(records: Numbers, needles: readonly Needle[]): Promise<Numbers> {
    const checks = printNeedles('folded', needles)
    const sql = `SELECT record FROM record_text WHERE record = ANY (?::bigint[]) AND ${checks.sql}`
    return this.#numbersOf({ sql, parameters: [[...records], ...checks.parameters] })
  }

  ofSchemas(records: Numbers, schemaIds: readonly string[]): Promise<Numbers> {
    const sql = 'SELECT n AS record FROM record WHERE n = ANY (?::bigint[]) AND schema_id = ANY (?::text[])'
    return this.#numbersOf({ sql, parameters: [[...records], schemaIds] })
  }

  largeTexts(): Promise<Numbers> {
    return this.#numbersOf({ sql: 'SELECT record FROM large_text', parameters: [] })
  }

  walk(walk: Walk): Promise<readonly WalkedRow[]> {
    return walkRows(walk, this.#ask)
  }

  /** Looks up each next key from the previous one, without reading rows of the same key. */
  async keys({ attribute, scopes: scope }: Place<number>, after: string, limit: number): Promise<readonly string[]> {
    const next = (from: string): string => `(SELECT key FROM value_text ${ROWS} AND key > ${from} ORDER BY key LIMIT 1)`
    const rows = await this.#ask<{ key: string }>({
      sql: `WITH RECURSIVE found (key) AS (
        SELECT ${next('?')} UNION ALL SELECT ${next('found.key')} FROM found WHERE found.key IS NOT NULL
      ) SELECT key FROM found WHERE key IS NOT NULL LIMIT ?`,
      parameters: [attribute, scope, stored(after), attribute, scope, limit],
    })
    return rows.map(({ key }) => String(readKey(key)))
  }

  /** Within one scope, each row of a key belongs to another record. */
  async tally(place: Place): Promise<readonly (readonly [IndexKey, number])[]> {
    const counted = place.scopes.length === 1 ? '*' : 'DISTINCT record'
    const tallies: (readonly [IndexKey, number])[] = []
    for (const { sql, parameters } of printFilled(place)) {
      const tally = `SELECT key, count(${counted}) AS size ${sql} GROUP BY key`
      const rows = await this.#ask<{ key: string | number; size: number }>({ sql: tally, parameters })
      for (const { key, size } of rows) tallies.push([keyOf(key), size])
    }
    return tallies
  }

  async filled(place: Place, isSingle: boolean): Promise<number> {
    const both = printFilled(place)
    const sql = `SELECT count(${isSingle ? '*' : 'DISTINCT record'}) AS size
       FROM (${both.map((one) => `SELECT record ${one.sql}`).join(' UNION ALL ')}) AS found`
    const [row] = await this.#ask<{ size: number }>({ sql, parameters: both.flatMap(({ parameters }) => parameters) })
    return row!.size
  }

  countStates(schemaIds: readonly string[]): Promise<readonly CountedState[]> {
    const sql = `SELECT schema_id AS "schemaId", state_id AS "stateId", sum(records)::bigint AS records FROM record_count
      WHERE schema_id = ANY (?::text[]) GROUP BY schema_id, state_id HAVING sum(records) > 0`
    return this.#ask<CountedState>({ sql, parameters: [schemaIds] })
  }

  next(schemaIds: readonly string[], after: number, limit: number): Promise<Numbers> {
    const sql = 'SELECT n AS record FROM record WHERE n > ? AND schema_id = ANY (?::text[]) ORDER BY n LIMIT ?'
    return this.#numbersOf({ sql, parameters: [after, schemaIds, limit] })
  }

  /** Each state has its records in order, so at most `limit` records of each state are read. */
  async nextInStates(states: readonly CountedState[], after: number, limit: number): Promise<Numbers> {
    const sql = `SELECT found.n AS record FROM unnest(?::text[], ?::text[]) AS place (schema_id, state_id) CROSS JOIN LATERAL
     (SELECT n FROM record WHERE record.schema_id = place.schema_id AND record.state_id = place.state_id AND n > ?
       ORDER BY n LIMIT ?) AS found`
    const places = [states.map(({ schemaId }) => schemaId), states.map(({ stateId }) => stateId)]
    return (await this.#numbersOf({ sql, parameters: [...places, after, limit] })).subarray(0, limit)
  }

  async *records(records: Numbers): AsyncGenerator<Iterable<ReadRecord>, void> {
    for (let left = records; left.length > 0;) {
      const rows = await readRows(left, this.#searcher.withCategories, this.#ask)
      if (rows.length === 0) return
      yield rows
      left = left.subarray(left.indexOf(rows.at(-1)!.n) + 1)
    }
  }

  async assignments(records: Numbers): Promise<ReadonlyMap<number, readonly string[]>> {
    type Row = Placed & { readonly entityId: string; readonly sortOrder: number }
    const rows = await this.#ask<Row>({ sql: ASSIGNMENTS, parameters: [[...records]] })
    return groupByRecord(
      rows.map(({ n, entityId, categoryId, sortOrder }) => [n, JSON.stringify({ entityId, categoryId, sortOrder })]),
    )
  }

  async categoryIds(records: Numbers): Promise<ReadonlyMap<number, readonly string[]>> {
    const rows = await this.#ask<Placed>({ sql: CATEGORIES, parameters: [[...records]] })
    return groupByRecord(rows.map(({ n, categoryId }) => [n, categoryId]))
  }

  async numbersOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const sql = 'SELECT id, n FROM record WHERE id = ANY (?)'
    const rows = await this.#ask<{ id: string; n: number }>({ sql, parameters: [[...ids]] })
    return new Map(rows.map(({ id, n }) => [id, n]))
  }

  async variantCounts(records: Numbers): Promise<ReadonlyMap<number, number>> {
    const rows = await this.#ask<{ n: number; variants: number }>({ sql: VARIANTS, parameters: [[...records]] })
    return new Map(rows.map(({ n, variants }) => [n, variants]))
  }

  /** Reads the numbers as one text, because reading a row for each number would take many times as long. */
  async #numbersOf({ sql, parameters }: Sql): Promise<Numbers> {
    const all = `SELECT array_agg(record)::text AS list FROM (${sql}) AS found`
    const [row] = await this.#ask<{ list: string | null }>({ sql: all, parameters })
    return row!.list === null ? NONE : toNumbers(row!.list.slice(1, -1).split(',').map(Number))
  }

  async #sizeOf({ sql, parameters }: Sql): Promise<number> {
    const all = `SELECT count(*) AS size FROM (${sql}) AS found`
    const [row] = await this.#ask<{ size: number }>({ sql: all, parameters })
    return row!.size
  }

  async #printed(set: Leaf): Promise<Sql> {
    const trigrams = set.kind === 'text' ? indexedTrigrams(set.needles) : []
    const count: CountTrigrams = await trigramCounts(trigrams, this.#searcher.connection)
    return printLeaf(set, count)
  }
}

function limited({ sql, parameters }: Sql, limit: number): Sql {
  return { sql: `${sql} LIMIT ?`, parameters: [...parameters, limit] }
}

/** Selects rows of filled keys: numbers, and texts. */
function printFilled({ attribute, scopes }: Place): readonly Sql[] {
  const ofScopes = printScopes(scopes)
  const parameters = [attribute, ...ofScopes.parameters]
  return [
    { sql: `FROM value_num WHERE attribute = ? AND ${ofScopes.sql}`, parameters },
    { sql: `FROM value_text WHERE attribute = ? AND ${ofScopes.sql} AND key <> ''`, parameters },
  ]
}

const keyOf = (key: string | number): IndexKey => (typeof key === 'number' ? key : readKey(key))
const toWalked = ({ key, record }: KeyRow): WalkedRow => [keyOf(key), record]
const tableOf = (key: IndexKey): Table => (typeof key === 'number' ? 'value_num' : 'value_text')
const stored = (key: IndexKey): string | number => (typeof key === 'number' ? key : writeKey(key))

async function walkRows(asked: Walk, ask: AskSql): Promise<WalkedRow[]> {
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

function rowsOfKey({ attribute, scope, from, limit }: Walk, key: IndexKey): Sql {
  return limited(restOfKey(attribute, scope, key, from?.record ?? 0), limit)
}

function restOfKey(attribute: number, scope: number, key: IndexKey, after: number): Sql {
  return {
    sql: `SELECT key, record FROM ${tableOf(key)} ${ROWS} AND key = ? AND record > ? ORDER BY record`,
    parameters: [attribute, scope, stored(key), after],
  }
}

/** Returns the rest of the reached key first, because the two orders may be opposite. */
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
