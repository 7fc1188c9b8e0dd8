// The measured searches: each as a request, and as bare SQL with the same result.
import type { Connection, Statement } from '../../src/store/sqlite/connection.ts'
import { foldForIndex } from '../../src/core/search/plan/index-text.ts'
import { RECORD_COLUMNS } from '../../src/store/sqlite/record-lists.ts'
import { type Catalogue, SCHEMA_ID } from './catalogue.ts'
import { httpRequest } from './load.ts'
import { API_KEY } from './processes.ts'

export interface Query {
  readonly request: string
  /** Runs only the SQL. @returns the number of matches */
  readonly runBare: () => number
}

export interface QueryKind {
  readonly name: string
  readonly queries: readonly Query[]
}

const PAGE = 50
const MAX_HITS = 50
const WORDS = 100

/** @param records number of created records; words are taken from all of them */
export function makeQueries(db: Connection, catalogue: Catalogue, records: number): QueryKind[] {
  const words = rareWords(db, catalogue, records)
  return [
    {
      name: `full-text, at most ${MAX_HITS} hits`,
      queries: words.map((word) => ({ request: fullText(word), runBare: () => matchText(db, word) })),
    },
    {
      name: `\`contains\` on a text, at most ${MAX_HITS} hits`,
      queries: words.map((word) => ({
        request: search('name', 'contains', word),
        runBare: () => matchText(db, word),
      })),
    },
    {
      name: '`equals` on a select, `limit` 50 with total',
      queries: selectOptions(db).map((key) => ({
        request: search('manufacturer', 'equals', key, PAGE),
        runBare: () => pageOfKeys(db, 'manufacturer', 'key = ?', [key]),
      })),
    },
    {
      name: '`gt` on a number, `limit` 50 with total',
      queries: numberBounds(records).map((bound) => ({
        request: search('stock', 'gt', String(bound), PAGE),
        runBare: () => pageOfKeys(db, 'stock', "key > ? AND key < ''", [bound]),
      })),
    },
  ]
}

export interface SlowQuery {
  readonly name: string
  readonly request: string
}

/** Searches that no index supports. */
export function slowQueries(): SlowQuery[] {
  return [
    { name: 'full-text of two characters, `limit` 50 with total', request: fullText('xk', PAGE) },
    { name: 'full-text of two frequent characters, `limit` 50 with total', request: fullText('th', PAGE) },
    {
      name: '`contains` of two characters on one text, `limit` 50 with total',
      request: search('description', 'contains', 'th', PAGE),
    },
  ]
}

function fullText(query: string, limit?: number): string {
  const body = JSON.stringify({ query, schemaId: SCHEMA_ID, limit })
  return httpRequest('POST', '/api/v1/search/full-text', API_KEY, body)
}

function search(attributeAlias: string, operator: string, value: string, limit?: number): string {
  const criteria = [{ attributeAlias, operator, value }]
  const body = JSON.stringify({ schemaId: SCHEMA_ID, criteriaOperator: 'and', criteria, limit })
  return httpRequest('POST', '/api/v1/search', API_KEY, body)
}

function matchText(db: Connection, word: string): number {
  const sql = `SELECT ${RECORD_COLUMNS} FROM (SELECT rowid AS n FROM idx.text WHERE text MATCH ? ORDER BY rowid) AS found
     JOIN main.record ON record.n = found.n ORDER BY found.n`
  return prepared(db, sql).all(`"${foldForIndex(word)}"`).length
}

/** Reads a page, and counts all matches. */
function pageOfKeys(db: Connection, alias: string, condition: string, keys: readonly unknown[]): number {
  const attribute = prepared(db, 'SELECT n FROM idx.attribute WHERE schema_id = ? AND alias = ?')
    .pluck()
    .get(SCHEMA_ID, alias)
  const global = prepared(db, "SELECT n FROM idx.scope WHERE key = ''").pluck().get()
  const where = `FROM idx.value WHERE attribute = ? AND scope = ? AND ${condition}`
  const sql = `SELECT ${RECORD_COLUMNS} FROM (SELECT record AS n ${where} ORDER BY record LIMIT ${PAGE}) AS found
     JOIN main.record ON record.n = found.n ORDER BY found.n`
  prepared(db, sql).all(attribute, global, ...keys)
  return prepared(db, `SELECT count(*) ${where}`)
    .pluck()
    .get(attribute, global, ...keys) as number
}

function rareWords(db: Connection, catalogue: Catalogue, records: number): string[] {
  const words: string[] = []
  for (let step = 1; words.length < WORDS && step < WORDS * 20; step += 1) {
    const word = catalogue.rareWordOf(1 + ((step * 7919) % records))
    const hits = matchText(db, word)
    if (word.length >= 6 && hits > 0 && hits <= MAX_HITS) words.push(word)
  }
  return words
}

function selectOptions(db: Connection): string[] {
  const sql =
    'SELECT DISTINCT key FROM idx.value WHERE attribute = (SELECT n FROM idx.attribute WHERE alias = ?) LIMIT 20'
  return prepared(db, sql).pluck().all('manufacturer') as string[]
}

/** Returns bounds that about 1,000 records exceed: `stock` is spread evenly below 100,000. */
function numberBounds(records: number): number[] {
  const share = Math.min(0.5, 1000 / records)
  return Array.from({ length: 20 }, (_, index) => Math.floor(100_000 * (1 - share)) - index)
}

const statements = new WeakMap<Connection, Map<string, Statement>>()

function prepared(db: Connection, sql: string): Statement {
  const known = statements.get(db) ?? new Map<string, Statement>()
  statements.set(db, known)
  const statement = known.get(sql) ?? db.prepare<unknown[], unknown>(sql)
  known.set(sql, statement)
  return statement
}
