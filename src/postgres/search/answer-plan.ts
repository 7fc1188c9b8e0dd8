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

function answerAsk(asked: Ask, searcher: Searcher): unknown {
  const { ask } = searcher
  switch (asked.kind) {
    case 'count':
      return sizeOf(limited(printKeys(asked.set), asked.limit), ask)
    case 'frequency':
      return frequency(asked.needles, searcher)
    case 'read':
      return readLeaf(asked.set, searcher)
    case 'cells':
      return readCells(asked.records, ask)
    case 'texts': {
      const checks = printNeedles('folded', asked.needles)
      return amongRecords('record_text', 'record', asked.records, checks, ask)
    }
    case 'walk':
      return walk(asked, ask)
    case 'keys':
      return keysOfPlace(asked, ask)
    case 'tally':
    case 'filled':
      return countRows(asked, ask)
    case 'next': {
      const sql = 'SELECT n AS record FROM record WHERE n > ? AND schema_id = ANY (?::text[]) ORDER BY n LIMIT ?'
      return numbersOf({ sql, parameters: [asked.after, asked.schemaIds, asked.limit] }, ask)
    }
    case 'records':
      return readRows(asked.records, searcher.withCategories, ask)
    case 'page':
      return readPage(asked, searcher)
    case 'size':
      return sizeOf(printKeys(asked.set), ask)
    case 'largeTexts':
      return numbersOf({ sql: 'SELECT record FROM large_text', parameters: [] }, ask)
    case 'counts':
      return countStates(asked.schemaIds, ask)
    case 'nextInStates':
      return nextInStates(asked, ask)
    case 'lookUp':
      return lookUp(asked.what, asked.records, ask)
    case 'schemas': {
      const ofSchemas = { sql: 'schema_id = ANY (?::text[])', parameters: [asked.schemaIds] }
      return amongRecords('record', 'n', asked.records, ofSchemas, ask)
    }
    case 'task':
      return asked.read(searcher.reads)
  }
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
