// A page of all records of some schemas, or of those that are not in a set. How many there are follows from the counts that are
// kept, and the page is reached by walking past what is in the set: all other records are not looked at.
import { NONE, type Numbers, toNumbers } from '../../search/numbers.ts'
import { find } from '../../search/plan.ts'
import type { NotSet, SchemaSet } from '../../search/sets.ts'
import type { StatementCache } from '../statements.ts'
import { followPlan } from './answer-plan.ts'
import { isAmong, isDistinct, printKeys } from './print-set.ts'
import { quietly, type SearchStep } from './read-found.ts'
import type { SearchQuery } from '../../search-port.ts'

/** Pairs of schema and state that are walked through side by side. */
const MAX_PAIRS = 20
const CHUNK = 1000

interface Pair {
  readonly schemaId: string
  readonly stateId: string
  readonly records: number
}

export interface CountedPage {
  readonly records: Numbers
  readonly total: number
}

/** Of all of them. */
export function pageOfSchemas({ schemaIds }: SchemaSet, query: SearchQuery, sql: StatementCache): CountedPage {
  const { limit, offset, after } = query
  const pairs = countedPairs(schemaIds, sql)
  const total = pairs.reduce((sum, { records }) => sum + records, 0)
  if (total === 0) return { records: NONE, total }
  const all = pairs.length > MAX_PAIRS ? isAmong('schema_id', schemaIds) : undefined
  // The rows of each pair are in order already, and are merged.
  const conditions = all === undefined ? pairs.map(() => 'schema_id = ? AND state_id = ?') : [all.sql]
  const parts = conditions.map((condition) => `SELECT n FROM main.record WHERE ${condition} AND n > ?`)
  const begin = after?.record ?? -1
  const parameters =
    all === undefined
      ? pairs.flatMap(({ schemaId, stateId }) => [schemaId, stateId, begin])
      : [...all.parameters, begin]
  const page = `${parts.join(' UNION ALL ')} ORDER BY n LIMIT ? OFFSET ?`
  return { records: toNumbers(sql.numbers(page, [...parameters, limit, offset])), total }
}

/** Undefined where the records are in too many states to be walked through in their order. */
export function* pageOfOthers(
  { set, schemaIds }: NotSet,
  query: SearchQuery,
  searched: number,
  sql: StatementCache,
): Generator<SearchStep, CountedPage | undefined> {
  const pairs = countedPairs(schemaIds, sql)
  if (pairs.length > MAX_PAIRS) return undefined
  const all = pairs.reduce((sum, { records }) => sum + records, 0)
  if (set.kind === 'keys' && isDistinct(set)) {
    const printed = printKeys(set)
    const { size } = sql.get<{ size: number }>(`SELECT count(*) AS size FROM (${printed.sql})`, printed.parameters)!
    if (size === all) return { records: toNumbers([]), total: 0 }
  }
  const excluded = yield* quietly(followPlan(find(set, { schemas: searched }), sql))
  return { records: yield* walkPast(excluded, pairs, query, sql), total: all - excluded.length }
}

function countedPairs(schemaIds: readonly string[], sql: StatementCache): Pair[] {
  const ofSchemas = isAmong('schema_id', schemaIds)
  return sql.all<Pair>(
    `SELECT schema_id AS schemaId, state_id AS stateId, sum(records) AS records FROM main.record_count
      WHERE ${ofSchemas.sql} GROUP BY schema_id, state_id HAVING sum(records) > 0`,
    ofSchemas.parameters,
  )
}

function* walkPast(
  excluded: Numbers,
  pairs: readonly Pair[],
  { offset, limit, after: position }: SearchQuery,
  sql: StatementCache,
): Generator<SearchStep, Numbers> {
  const page: number[] = []
  let [left, at, after] = [offset, 0, position?.record ?? -1]
  for (;;) {
    const chunk = recordsAfter(after, pairs, sql)
    for (const record of chunk) {
      while (at < excluded.length && excluded[at]! < record) at += 1
      if (excluded[at] === record) continue
      if (left === 0) page.push(record)
      else left -= 1
      if (page.length === limit) return toNumbers(page)
    }
    if (chunk.length < CHUNK) return toNumbers(page)
    after = chunk.at(-1)!
    yield { records: [] }
  }
}

/** Each state has its records in order; they are merged here. */
function recordsAfter(after: number, pairs: readonly Pair[], sql: StatementCache): number[] {
  const numbers = pairs.flatMap(({ schemaId, stateId }) =>
    sql.numbers('SELECT n FROM main.record WHERE schema_id = ? AND state_id = ? AND n > ? ORDER BY n LIMIT ?', [
      schemaId,
      stateId,
      after,
      CHUNK,
    ]),
  )
  return numbers.sort((one, other) => one - other).slice(0, CHUNK)
}
