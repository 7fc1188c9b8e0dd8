// Answers what a plan asks, by SQL over a connection that has the index attached as `idx`.
import { type Numbers, toNumbers } from '../../search/numbers.ts'
import type { Ask, CellsOfRecord, Plan } from '../../search/ask.ts'
import { type CountTrigrams, rarestCount } from '../../search/rare-trigrams.ts'
import { SAMPLED, trigramCounts } from '../search-index/trigram-counts.ts'
import type { StatementCache } from '../statements.ts'
import { listOf } from './number-lists.ts'
import { isAmong, printKeys, printLeaf, printNeedles } from './print-set.ts'
import { readRows } from './read-rows.ts'
import { countRows, walk } from './walk.ts'

/** A plan gives way after this time. */
const SLICE_MILLISECONDS = 5

/** Gives way between two answers, each of which takes some milliseconds at the most but where a set is large. */
export function* followPlan<Result>(plan: Plan<Result>, sql: StatementCache): Generator<undefined, Result> {
  const count = trigramCounts(sql)
  let step = plan.next()
  let end = performance.now() + SLICE_MILLISECONDS
  while (step.done !== true) {
    const answer = answerAsk(step.value, sql, count)
    if (performance.now() > end) {
      yield undefined
      end = performance.now() + SLICE_MILLISECONDS
    }
    step = plan.next(answer)
  }
  return step.value
}

function answerAsk(ask: Ask, sql: StatementCache, count: CountTrigrams): unknown {
  switch (ask.kind) {
    case 'count': {
      const printed = printKeys(ask.set)
      return sql.get<{ size: number }>(`SELECT count(*) AS size FROM (${printed.sql} LIMIT ?)`, [
        ...printed.parameters,
        ask.limit,
      ])!.size
    }
    case 'frequency': {
      const rarest = rarestCount(
        ask.needles.map(({ text }) => text),
        count,
      )
      return rarest === undefined ? Infinity : rarest * SAMPLED
    }
    case 'read': {
      const printed = printLeaf(ask.set, count)
      return toNumbers(sql.numbers(printed.sql, printed.parameters))
    }
    case 'cells':
      return readCellsOf(ask.records, sql)
    case 'texts': {
      const checks = printNeedles('c0', ask.needles)
      return amongRecords(sql, `SELECT id FROM idx.text_content WHERE id IN (LIST) AND ${checks.sql}`, ask.records, [
        ...checks.parameters,
      ])
    }
    case 'walk':
      return walk(ask, sql)
    case 'tally':
    case 'filled':
      return countRows(ask, sql)
    case 'next': {
      // Not by the index over schemas: that one has the records of each state by themselves.
      const ofSchemas = isAmong('+schema_id', ask.schemaIds)
      return toNumbers(
        sql.numbers(`SELECT n FROM main.record WHERE n > ? AND ${ofSchemas.sql} ORDER BY n LIMIT ?`, [
          ask.after,
          ...ofSchemas.parameters,
          ask.limit,
        ]),
      )
    }
    case 'records':
      return readRows(ask.records, sql)
    case 'schemas': {
      const ofSchemas = isAmong('schema_id', ask.schemaIds)
      return amongRecords(sql, `SELECT n FROM main.record WHERE n IN (LIST) AND ${ofSchemas.sql}`, ask.records, [
        ...ofSchemas.parameters,
      ])
    }
  }
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
