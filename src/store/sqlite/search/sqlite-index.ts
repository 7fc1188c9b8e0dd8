// Answers the queries of a search plan in SQL, over a connection with the index attached as `idx`.
import { NONE, type Numbers, toNumbers } from '../../../core/search/plan/record-numbers.ts'
import { type CountTrigrams, rarestCount } from '../../../core/search/plan/rare-trigrams.ts'
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
} from '../../../core/search/plan/search-index.ts'
import type { IndexKey, KeySet, Leaf, Needle, Place } from '../../../core/search/plan/sets.ts'
import type { TaskTime } from '../../reading/task-time.ts'
import { RECORD_COLUMNS } from '../record-lists.ts'
import { SAMPLED, trigramCounts } from '../search-index/trigram-counts.ts'
import type { StatementCache } from '../statements.ts'
import { isAmong, printKeys, printLeaf, printNeedles, type Sql } from './print-set.ts'

/** Most states of schemas that are merged. With more states, records are read in order and filtered. */
const MAX_STATES = 20

const COLUMNS = `record.n, ${RECORD_COLUMNS}, parent."values" AS inheritedJson`

const ASCENDING = `
  SELECT ${COLUMNS}
    FROM main.record LEFT JOIN main.record AS parent ON parent.id = record.parent_id
   WHERE record.n IN (SELECT value FROM json_each(?)) ORDER BY record.n`

/** SQLite never reorders a CROSS JOIN, so it reads the list in order, and holds nothing for sorting. */
const IN_ORDER = `
  SELECT ${COLUMNS}
    FROM json_each(?) AS wanted CROSS JOIN main.record ON record.n = wanted.value
    LEFT JOIN main.record AS parent ON parent.id = record.parent_id`

const ROWS = 'SELECT key, record FROM idx.value WHERE attribute = ? AND scope = ?'

/** Statements are short, except for large sets; the task yields between two statements. */
export class SqliteIndex implements SearchIndex {
  readonly #sql: StatementCache
  readonly #time: Pick<TaskTime, 'breathe'>
  readonly #counts: CountTrigrams

  constructor(sql: StatementCache, time: Pick<TaskTime, 'breathe'>) {
    this.#sql = sql
    this.#time = time
    this.#counts = trigramCounts(sql)
  }

  breathe(): Promise<void> | undefined {
    return this.#time.breathe()
  }

  protected async answer<Answer>(read: (sql: StatementCache) => Answer): Promise<Answer> {
    const answer = read(this.#sql)
    const pause = this.breathe()
    if (pause !== undefined) await pause
    return answer
  }

  count(set: KeySet, limit: number): Promise<number> {
    const { sql, parameters } = printKeys(set)
    return this.answer((from) => sizeOf({ sql: `${sql} LIMIT ?`, parameters: [...parameters, limit] }, from))
  }

  size(set: KeySet): Promise<number> {
    return this.answer((from) => sizeOf(printKeys(set), from))
  }

  frequency(needles: readonly Needle[]): Promise<number> {
    const texts = needles.map(({ text }) => text)
    return this.answer(() => (rarestCount(texts, this.#counts) ?? Infinity) * SAMPLED)
  }

  read(set: Leaf): Promise<Numbers> {
    return this.answer((from) => numbersOf(printLeaf(set, this.#counts), from))
  }

  page(set: Leaf, page: PageOfLeaf): Promise<LeafPage> {
    return this.answer((from) => {
      if (set.kind !== 'schemas') return pageOfLeaf(printLeaf(set, this.#counts), page, from)
      const found = pageOfSchemas(set.schemaIds, page, from)
      return page.isCounted ? found : { ...found, total: null }
    })
  }

  cells(records: Numbers): Promise<readonly CellsOfRecord[]> {
    // A list after `IN` would first be sorted into a table.
    const sql =
      'SELECT record, rows FROM json_each(?) AS wanted CROSS JOIN idx.indexed ON indexed.record = wanted.value'
    return this.answer((from) => from.tuples<CellsOfRecord>(sql, [listOf(records)]))
  }

  withTexts(records: Numbers, needles: readonly Needle[]): Promise<Numbers> {
    const checks = printNeedles('c0', needles)
    const sql = `SELECT id FROM idx.text_content WHERE id IN (SELECT value FROM json_each(?)) AND ${checks.sql}`
    return this.answer((from) => numbersOf({ sql, parameters: [listOf(records), ...checks.parameters] }, from))
  }

  ofSchemas(records: Numbers, schemaIds: readonly string[]): Promise<Numbers> {
    const ofSchemas = isAmong('schema_id', schemaIds)
    const sql = `SELECT n FROM main.record WHERE n IN (SELECT value FROM json_each(?)) AND ${ofSchemas.sql}`
    return this.answer((from) => numbersOf({ sql, parameters: [listOf(records), ...ofSchemas.parameters] }, from))
  }

  largeTexts(): Promise<Numbers> {
    return this.answer((from) => numbersOf({ sql: 'SELECT record FROM idx.large_text', parameters: [] }, from))
  }

  walk(walk: Walk): Promise<readonly WalkedRow[]> {
    const { key } = walk
    return this.answer((from) => (key === undefined ? walkKeys(walk, from) : walkKey(walk, key, from)))
  }

  /** Looks up each next key from the previous one, without reading rows of the same key. */
  keys({ attribute, scopes: scope }: Place<number>, after: string, limit: number): Promise<readonly string[]> {
    const next = (from: string): string =>
      `(SELECT key FROM idx.value WHERE attribute = @attribute AND scope = @scope AND key > ${from} ORDER BY key LIMIT 1)`
    const sql = `WITH RECURSIVE found (key) AS (
         SELECT ${next('@after')} UNION ALL SELECT ${next('found.key')} FROM found WHERE found.key IS NOT NULL LIMIT @limit
       ) SELECT key FROM found WHERE key IS NOT NULL`
    return this.answer((from) =>
      from.all<{ key: string }>(sql, { attribute, scope, after, limit }).map(({ key }) => key),
    )
  }

  /** Within one scope, each row of a key belongs to another record. */
  tally(place: Place): Promise<readonly (readonly [IndexKey, number])[]> {
    const filled = printFilled(place)
    const counted = place.scopes.length === 1 ? '*' : 'DISTINCT record'
    const sql = `SELECT key, count(${counted}) ${filled.sql} GROUP BY key`
    return this.answer((from) => from.tuples<[IndexKey, number]>(sql, filled.parameters))
  }

  filled(place: Place, isSingle: boolean): Promise<number> {
    const filled = printFilled(place)
    const sql = `SELECT count(${isSingle ? '*' : 'DISTINCT record'}) ${filled.sql}`
    return this.answer((from) => from.numbers(sql, filled.parameters)[0]!)
  }

  countStates(schemaIds: readonly string[]): Promise<readonly CountedState[]> {
    return this.answer((from) => countStates(schemaIds, from))
  }

  next(schemaIds: readonly string[], after: number, limit: number): Promise<Numbers> {
    // The `+` avoids the index over schemas, because its records are separated by state.
    const ofSchemas = isAmong('+schema_id', schemaIds)
    const sql = `SELECT n FROM main.record WHERE n > ? AND ${ofSchemas.sql} ORDER BY n LIMIT ?`
    return this.answer((from) => numbersOf({ sql, parameters: [after, ...ofSchemas.parameters, limit] }, from))
  }

  /** Merges the states, because each state has its records in order. */
  nextInStates(states: readonly CountedState[], after: number, limit: number): Promise<Numbers> {
    const sql = 'SELECT n FROM main.record WHERE schema_id = ? AND state_id = ? AND n > ? ORDER BY n LIMIT ?'
    return this.answer((from) => {
      const numbers = states.flatMap(({ schemaId, stateId }) => from.numbers(sql, [schemaId, stateId, after, limit]))
      return toNumbers(numbers).subarray(0, limit)
    })
  }

  async *records(records: Numbers): AsyncGenerator<Iterable<ReadRecord>, void> {
    yield await this.answer((from) => readRows(records, from))
  }

  assignments(records: Numbers): Promise<ReadonlyMap<number, readonly string[]>> {
    const sql = `SELECT record.n, record.id, assignment.category_id, assignment.sort_order
       FROM json_each(?) AS wanted
       CROSS JOIN main.record ON record.n = wanted.value
       JOIN main.assignment ON assignment.record_n = record.n
       JOIN main.category ON category.id = assignment.category_id
       JOIN main.catalog ON catalog.id = category.catalog_id
      ORDER BY record.n, catalog.n, category.n`
    type Row = readonly [n: number, entityId: string, categoryId: string, sortOrder: number]
    return this.answer((from) => {
      const rows = from.tuples<Row>(sql, [listOf(records)])
      return groupByRecord(
        rows.map(([n, entityId, categoryId, sortOrder]) => [n, JSON.stringify({ entityId, categoryId, sortOrder })]),
      )
    })
  }

  categoryIds(records: Numbers): Promise<ReadonlyMap<number, readonly string[]>> {
    const sql = `SELECT DISTINCT record.n, category.id
       FROM json_each(?) AS wanted
       CROSS JOIN main.record ON record.n = wanted.value
       JOIN main.assignment ON assignment.record_n IN
         (record.n, (SELECT parent.n FROM main.record AS parent WHERE parent.id = record.parent_id))
       JOIN main.category ON category.id = assignment.category_id
       JOIN main.catalog ON catalog.id = category.catalog_id
      ORDER BY record.n, catalog.n, category.n`
    return this.answer((from) => groupByRecord(from.tuples<readonly [number, string]>(sql, [listOf(records)])))
  }

  numbersOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const sql =
      'SELECT record.id, record.n FROM json_each(?) AS wanted CROSS JOIN main.record ON record.id = wanted.value'
    return this.answer((from) => new Map(from.tuples<[string, number]>(sql, [JSON.stringify(ids)])))
  }

  variantCounts(records: Numbers): Promise<ReadonlyMap<number, number>> {
    const sql = `SELECT record.n, (SELECT count(*) FROM main.record AS variant WHERE variant.parent_id = record.id)
         FROM json_each(?) AS wanted CROSS JOIN main.record ON record.n = wanted.value`
    return this.answer((from) => new Map(from.tuples<[number, number]>(sql, [listOf(records)])))
  }
}

/**
 * Reads records one by one, so that at most one large record is in memory. Reading starts with the first request. From
 * then on, the connection is busy until the last record.
 */
export function* readRows(records: Numbers, from: StatementCache): Generator<ReadRecord, void> {
  yield* from.iterate<ReadRecord>(isAscending(records) ? ASCENDING : IN_ORDER, [listOf(records)])
}

/** Record numbers as a parameter: JSON. */
export function listOf(records: Numbers): string {
  return `[${records.join(',')}]`
}

function isAscending(records: Numbers): boolean {
  return records.every((record, index) => index === 0 || record > records[index - 1]!)
}

/** Returns the sorted numbers of a SELECT of one column. Sorting here takes a tenth of SQLite's time. */
function numbersOf({ sql, parameters }: Sql, from: StatementCache): Numbers {
  return toNumbers(from.numbers(sql, parameters))
}

export function sizeOf({ sql, parameters }: Sql, from: StatementCache): number {
  return from.get<{ size: number }>(`SELECT count(*) AS size FROM (${sql})`, parameters)!.size
}

export function pageOfLeaf(leaf: Sql, { after, limit, offset, isCounted }: PageOfLeaf, from: StatementCache): LeafPage {
  const total = isCounted ? sizeOf(leaf, from) : null
  // A condition without effect is left out, because SQLite would choose a slower plan for the first records.
  const begin = after === undefined ? { sql: '', parameters: [] } : { sql: 'WHERE record > ?', parameters: [after] }
  const sql = `SELECT record FROM (${leaf.sql}) ${begin.sql} ORDER BY record LIMIT ? OFFSET ?`
  const parameters = [...leaf.parameters, ...begin.parameters, limit, offset]
  return { total, records: numbersOf({ sql, parameters }, from) }
}

/**
 * Returns a page of all records of some schemas. The total is already counted. The states have their records in order.
 * They are merged, so only records up to the end of the page are read.
 */
function pageOfSchemas(
  schemaIds: readonly string[],
  { after = -1, offset, limit }: PageOfLeaf,
  from: StatementCache,
): LeafPage {
  const states = countStates(schemaIds, from)
  const total = states.reduce((sum, { records }) => sum + records, 0)
  if (total === 0) return { records: NONE, total }
  const isMerged = states.length <= MAX_STATES
  const ofSchemas = isAmong('schema_id', schemaIds)
  const conditions = isMerged ? states.map(() => 'schema_id = ? AND state_id = ?') : [ofSchemas.sql]
  const wanted = isMerged
    ? states.flatMap(({ schemaId, stateId }) => [schemaId, stateId, after])
    : [...ofSchemas.parameters, after]
  const parts = conditions.map((condition) => `SELECT n FROM main.record WHERE ${condition} AND n > ?`)
  const sql = `${parts.join(' UNION ALL ')} ORDER BY n LIMIT ? OFFSET ?`
  return { records: numbersOf({ sql, parameters: [...wanted, limit, offset] }, from), total }
}

/** Counts the records of each state with records. */
function countStates(schemaIds: readonly string[], from: StatementCache): CountedState[] {
  const ofSchemas = isAmong('schema_id', schemaIds)
  const sql = `SELECT schema_id AS schemaId, state_id AS stateId, sum(records) AS records FROM main.record_count
      WHERE ${ofSchemas.sql} GROUP BY schema_id, state_id HAVING sum(records) > 0`
  return from.all<CountedState>(sql, ofSchemas.parameters)
}

function printFilled({ attribute, scopes }: Place): Sql {
  const ofScopes = isAmong('scope', scopes)
  return {
    sql: `FROM idx.value WHERE attribute = ? AND ${ofScopes.sql} AND key <> ''`,
    parameters: [attribute, ...ofScopes.parameters],
  }
}

function walkKey({ attribute, scope, from, limit }: Walk, key: IndexKey, sql: StatementCache): WalkedRow[] {
  const text = `${ROWS} AND key = ? AND record > ? ORDER BY record LIMIT ?`
  return sql.tuples<WalkedRow>(text, [attribute, scope, key, from?.record ?? 0, limit])
}

/**
 * Returns filled keys. The rest of the reached key comes first, because SQLite cannot compare a pair with opposite
 * orders.
 */
function walkKeys(walk: Walk, sql: StatementCache): WalkedRow[] {
  const { attribute, scope, direction, from, limit } = walk
  const order = direction === 'asc' ? 'key, record' : 'key DESC, record'
  if (from === undefined)
    return sql.tuples<WalkedRow>(`${ROWS} AND key <> '' ORDER BY ${order} LIMIT ?`, [attribute, scope, limit])
  const beyond = direction === 'asc' ? '>' : '<'
  const rest = from.record === undefined ? [] : walkKey(walk, from.key, sql)
  if (rest.length === limit) return rest
  const comparison = from.record === undefined ? `${beyond}=` : beyond
  const text = `${ROWS} AND key ${comparison} ? AND key <> '' ORDER BY ${order} LIMIT ?`
  return [...rest, ...sql.tuples<WalkedRow>(text, [attribute, scope, from.key, limit - rest.length])]
}
