// Answers what a program asks, by SQL over a connection that has the index attached as `idx`.
import { type Numbers, toNumbers } from '../../../core/search/plan/record-numbers.ts'
import { type Ask, type CellsOfRecord, isAsk, type LeafPage, type Program } from '../../../core/search/plan/ask.ts'
import { type CountTrigrams, rarestCount } from '../../../core/search/plan/rare-trigrams.ts'
import { SAMPLED, trigramCounts } from '../search-index/trigram-counts.ts'
import type { StatementCache } from '../statements.ts'
import { lookUp } from './look-ups.ts'
import { listOf } from './number-lists.ts'
import { countStates, pageOfSchemas } from './page-of-schemas.ts'
import { isAmong, printKeys, printLeaf, printNeedles } from './print-set.ts'
import { readRows } from './read-rows.ts'
import type { Searcher } from './searcher.ts'
import { countRows, keysOfPlace, walk } from './walk.ts'

/** A program gives way after this time. */
const SLICE_MILLISECONDS = 5

/**
 * Gives way, by a step that brings nothing, between two answers: each of them takes some milliseconds at the most but where a set is
 * large.
 */
export function* followProgram<Step extends object, Result>(
  program: Program<Step, Result>,
  rest: Step,
  { sql, reads }: Pick<Searcher, 'sql' | 'reads'>,
): Generator<Step, Result> {
  const count = trigramCounts(sql)
  let end = performance.now() + SLICE_MILLISECONDS
  let answer: unknown
  try {
    for (;;) {
      const step = program.next(answer)
      if (step.done === true) return step.value
      answer = undefined
      if (isAsk(step.value)) {
        const { value } = step
        answer = value.kind === 'task' ? value.read(reads) : answerAsk(value, sql, count)
        if (performance.now() <= end) continue
        yield rest
      } else yield step.value
      end = performance.now() + SLICE_MILLISECONDS
    }
  } finally {
    // Rows that are read one by one are let go of.
    program.return(undefined as Result)
  }
}

type Question = Exclude<Ask, { readonly kind: 'task' }>
type Answers = {
  readonly [Kind in Question['kind']]: (
    ask: Extract<Question, { readonly kind: Kind }>,
    sql: StatementCache,
    count: CountTrigrams,
  ) => unknown
}

const ANSWERS: Answers = {
  count: ({ set, limit }, sql) => {
    const printed = printKeys(set)
    const parameters = [...printed.parameters, limit]
    return sql.get<{ size: number }>(`SELECT count(*) AS size FROM (${printed.sql} LIMIT ?)`, parameters)!.size
  },
  frequency: ({ needles }, _sql, count) => {
    const texts = needles.map(({ text }) => text)
    const rarest = rarestCount(texts, count)
    return rarest === undefined ? Infinity : rarest * SAMPLED
  },
  read: ({ set }, sql, count) => {
    const printed = printLeaf(set, count)
    return toNumbers(sql.numbers(printed.sql, printed.parameters))
  },
  cells: ({ records }, sql) => readCellsOf(records, sql),
  texts: ({ records, needles }, sql) => {
    const checks = printNeedles('c0', needles)
    const among = `SELECT id FROM idx.text_content WHERE id IN (LIST) AND ${checks.sql}`
    return amongRecords(sql, among, records, [...checks.parameters])
  },
  walk,
  keys: keysOfPlace,
  tally: countRows,
  filled: countRows,
  next: ({ schemaIds, after, limit }, sql) => {
    // Not by the index over schemas: that one has the records of each state by themselves.
    const ofSchemas = isAmong('+schema_id', schemaIds)
    const next = `SELECT n FROM main.record WHERE n > ? AND ${ofSchemas.sql} ORDER BY n LIMIT ?`
    return toNumbers(sql.numbers(next, [after, ...ofSchemas.parameters, limit]))
  },
  records: ({ records }, sql) => readRows(records, sql),
  page: readPage,
  size: ({ set }, sql) => {
    const printed = printKeys(set)
    return sql.get<{ size: number }>(`SELECT count(*) AS size FROM (${printed.sql})`, printed.parameters)!.size
  },
  largeTexts: (_ask, sql) => toNumbers(sql.numbers('SELECT record FROM idx.large_text ORDER BY record', [])),
  counts: ({ schemaIds }, sql) => countStates(schemaIds, sql),
  nextInStates,
  lookUp: ({ what, records }, sql) => lookUp(what, records, sql),
  schemas: ({ records, schemaIds }, sql) => {
    const ofSchemas = isAmong('schema_id', schemaIds)
    const among = `SELECT n FROM main.record WHERE n IN (LIST) AND ${ofSchemas.sql}`
    return amongRecords(sql, among, records, [...ofSchemas.parameters])
  },
}

function answerAsk(ask: Question, sql: StatementCache, count: CountTrigrams): unknown {
  return ANSWERS[ask.kind](ask as never, sql, count)
}

function readPage(
  { set, after, limit, offset, isCounted }: Extract<Ask, { readonly kind: 'page' }>,
  sql: StatementCache,
  count: CountTrigrams,
): LeafPage {
  if (set.kind === 'schemas') {
    const page = pageOfSchemas(set.schemaIds, { after, offset, limit }, sql)
    return isCounted ? page : { ...page, total: null }
  }
  const printed = printLeaf(set, count)
  const all = `SELECT count(*) AS total FROM (${printed.sql})`
  const total = isCounted ? sql.get<{ total: number }>(all, printed.parameters)!.total : null
  // Not said where it says nothing: SQLite would look for another way to the first records.
  const begin = after === undefined ? { sql: '', parameters: [] } : { sql: 'WHERE record > ?', parameters: [after] }
  const page = `SELECT record FROM (${printed.sql}) ${begin.sql} ORDER BY record LIMIT ? OFFSET ?`
  const records = sql.numbers(page, [...printed.parameters, ...begin.parameters, limit, offset])
  return { total, records: toNumbers(records) }
}

/** Each state has its records in order; they are merged here. */
function nextInStates(
  { states, after, limit }: Extract<Ask, { readonly kind: 'nextInStates' }>,
  sql: StatementCache,
): Numbers {
  const numbers = states.flatMap(({ schemaId, stateId }) =>
    sql.numbers('SELECT n FROM main.record WHERE schema_id = ? AND state_id = ? AND n > ? ORDER BY n LIMIT ?', [
      schemaId,
      stateId,
      after,
      limit,
    ]),
  )
  return toNumbers(numbers).subarray(0, limit)
}

function readCellsOf(records: Numbers, sql: StatementCache): CellsOfRecord[] {
  return sql.tuples<CellsOfRecord>(
    'SELECT record, rows FROM idx.indexed WHERE record IN (SELECT value FROM json_each(?))',
    [listOf(records)],
  )
}

function amongRecords(
  sql: StatementCache,
  statement: string,
  records: Numbers,
  parameters: readonly unknown[],
): Numbers {
  const text = statement.replace('LIST', 'SELECT value FROM json_each(?)')
  return toNumbers(sql.numbers(text, [listOf(records), ...parameters]))
}
