// Answers what a program asks, by SQL over the connection of a task.
import {
  type Ask,
  type CellsOfRecord,
  type CountedState,
  isAsk,
  type LeafPage,
  type Program,
} from '../../core/search/plan/ask.ts'
import { NONE, type Numbers, toNumbers } from '../../core/search/plan/record-numbers.ts'
import type { CountTrigrams } from '../../core/search/plan/rare-trigrams.ts'
import type { Leaf } from '../../core/search/plan/sets.ts'
import { SAMPLED, trigramCounts } from '../search-index/trigram-counts.ts'
import { lookUp } from './look-ups.ts'
import { indexedTrigrams, printKeys, printLeaf, printNeedles, type Sql } from './print-set.ts'
import { readRows } from './read-rows.ts'
import type { Searcher } from './searcher.ts'
import { type AskSql, countRows, keysOfPlace, walk } from './walk.ts'

/** Brings the steps of the program; whoever stops ends it. @param check called between answers: throws where it took too long */
export async function* followProgram<Step extends object, Result>(
  program: Program<Step, Result>,
  searcher: Searcher,
  check: () => void,
): AsyncGenerator<Step, Result> {
  let answer: unknown
  try {
    for (;;) {
      const step = program.next(answer)
      if (step.done === true) return step.value
      answer = undefined
      if (isAsk(step.value)) {
        answer = await answerAsk(step.value, searcher)
        check()
      } else yield step.value
    }
  } finally {
    program.return(undefined as Result)
  }
}

type Answers = {
  readonly [Kind in Ask['kind']]: (asked: Extract<Ask, { readonly kind: Kind }>, searcher: Searcher) => unknown
}

const ANSWERS: Answers = {
  count: ({ set, limit }, { ask }) => sizeOf(limited(printKeys(set), limit), ask),
  frequency: ({ needles }, searcher) => frequency(needles, searcher),
  read: ({ set }, searcher) => readLeaf(set, searcher),
  cells: ({ records }, { ask }) => readCells(records, ask),
  texts: ({ records, needles }, { ask }) =>
    amongRecords('record_text', 'record', records, printNeedles('folded', needles), ask),
  walk: (asked, { ask }) => walk(asked, ask),
  keys: (asked, { ask }) => keysOfPlace(asked, ask),
  tally: (asked, { ask }) => countRows(asked, ask),
  filled: (asked, { ask }) => countRows(asked, ask),
  next: ({ after, schemaIds, limit }, { ask }) => {
    const sql = 'SELECT n AS record FROM record WHERE n > ? AND schema_id = ANY (?::text[]) ORDER BY n LIMIT ?'
    return numbersOf({ sql, parameters: [after, schemaIds, limit] }, ask)
  },
  records: ({ records }, { withCategories, ask }) => readRows(records, withCategories, ask),
  page: (asked, searcher) => readPage(asked, searcher),
  size: ({ set }, { ask }) => sizeOf(printKeys(set), ask),
  largeTexts: (_asked, { ask }) => numbersOf({ sql: 'SELECT record FROM large_text', parameters: [] }, ask),
  counts: ({ schemaIds }, { ask }) => countStates(schemaIds, ask),
  nextInStates: (asked, { ask }) => nextInStates(asked, ask),
  lookUp: ({ what, records }, { ask }) => lookUp(what, records, ask),
  schemas: ({ records, schemaIds }, { ask }) =>
    amongRecords('record', 'n', records, { sql: 'schema_id = ANY (?::text[])', parameters: [schemaIds] }, ask),
  task: ({ read }, { reads }) => read(reads),
}

function answerAsk(asked: Ask, searcher: Searcher): unknown {
  return ANSWERS[asked.kind](asked as never, searcher)
}

/** As one text: a row for each number would take many times as long to be read. */
async function numbersOf({ sql, parameters }: Sql, ask: AskSql): Promise<Numbers> {
  const all = `SELECT array_agg(record)::text AS list FROM (${sql}) AS found`
  const [row] = await ask<{ list: string | null }>({ sql: all, parameters })
  return row!.list === null ? NONE : toNumbers(row!.list.slice(1, -1).split(',').map(Number))
}

async function sizeOf({ sql, parameters }: Sql, ask: AskSql): Promise<number> {
  const [row] = await ask<{ size: number }>({ sql: `SELECT count(*) AS size FROM (${sql}) AS found`, parameters })
  return row!.size
}

function limited({ sql, parameters }: Sql, limit: number): Sql {
  return { sql: `${sql} LIMIT ?`, parameters: [...parameters, limit] }
}

type Needles = Extract<Ask, { readonly kind: 'frequency' }>['needles']

async function frequency(needles: Needles, { connection }: Searcher): Promise<number> {
  const trigrams = indexedTrigrams(needles)
  if (trigrams.length === 0) return Infinity
  const counts = (await trigramCounts(trigrams, connection))(trigrams)
  return Math.min(...trigrams.map((trigram) => counts.get(trigram) ?? 0)) * SAMPLED
}

async function printed(set: Leaf, { connection }: Searcher): Promise<Sql> {
  const trigrams = set.kind === 'text' ? indexedTrigrams(set.needles) : []
  const count: CountTrigrams = await trigramCounts(trigrams, connection)
  return printLeaf(set, count)
}

async function readLeaf(set: Leaf, searcher: Searcher): Promise<Numbers> {
  return numbersOf(await printed(set, searcher), searcher.ask)
}

async function readPage(
  { set, after, limit, offset, isCounted }: Extract<Ask, { readonly kind: 'page' }>,
  searcher: Searcher,
): Promise<LeafPage> {
  const { ask } = searcher
  const { sql, parameters } = await printed(set, searcher)
  const page = `SELECT record FROM (${sql}) AS found WHERE record > ? ORDER BY record LIMIT ? OFFSET ?`
  const records = await numbersOf({ sql: page, parameters: [...parameters, after ?? 0, limit, offset] }, ask)
  if (!isCounted) return { total: null, records }
  if (set.kind !== 'schemas') return { total: await sizeOf({ sql, parameters }, ask), records }
  const states = await countStates(set.schemaIds, ask)
  return { total: states.reduce((sum, state) => sum + state.records, 0), records }
}

function countStates(schemaIds: readonly string[], ask: AskSql): Promise<CountedState[]> {
  const sql = `SELECT schema_id AS "schemaId", state_id AS "stateId", sum(records)::bigint AS records FROM record_count
    WHERE schema_id = ANY (?::text[]) GROUP BY schema_id, state_id HAVING sum(records) > 0`
  return ask<CountedState>({ sql, parameters: [schemaIds] })
}

/** Each state has its records in order: of each so many are read as are asked for in all. */
async function nextInStates(
  { states, after, limit }: Extract<Ask, { readonly kind: 'nextInStates' }>,
  ask: AskSql,
): Promise<Numbers> {
  const sql = `SELECT found.n AS record FROM unnest(?::text[], ?::text[]) AS place (schema_id, state_id) CROSS JOIN LATERAL
     (SELECT n FROM record WHERE record.schema_id = place.schema_id AND record.state_id = place.state_id AND n > ?
       ORDER BY n LIMIT ?) AS found`
  const places = [states.map(({ schemaId }) => schemaId), states.map(({ stateId }) => stateId)]
  return (await numbersOf({ sql, parameters: [...places, after, limit] }, ask)).subarray(0, limit)
}

async function readCells(records: Numbers, ask: AskSql): Promise<CellsOfRecord[]> {
  const sql = 'SELECT record, cells FROM record_cells WHERE record = ANY (?::bigint[])'
  const rows = await ask<{ record: number; cells: string }>({ sql, parameters: [[...records]] })
  return rows.map(({ record, cells }) => [record, cells])
}

function amongRecords(table: string, column: string, records: Numbers, check: Sql, ask: AskSql): Promise<Numbers> {
  const sql = `SELECT ${column} AS record FROM ${table} WHERE ${column} = ANY (?::bigint[]) AND ${check.sql}`
  return numbersOf({ sql, parameters: [[...records], ...check.parameters] }, ask)
}
