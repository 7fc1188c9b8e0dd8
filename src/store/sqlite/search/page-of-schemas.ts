// A page of all records of some schemas. How many there are is counted already, and the records of each state, which are in order, are
// merged: none is looked at that is not on the page or before it.
import type { CountedState, LeafPage } from '../../../core/search/plan/ask.ts'
import { NONE, toNumbers } from '../../../core/search/plan/record-numbers.ts'
import type { StatementCache } from '../statements.ts'
import { isAmong } from './print-set.ts'

/** States of schemas that are merged; with more of them, records are read in order and left out. */
const MAX_STATES = 20

export interface PageRange {
  readonly after: number | undefined
  readonly offset: number
  readonly limit: number
}

export function pageOfSchemas(
  schemaIds: readonly string[],
  { after = -1, offset, limit }: PageRange,
  sql: StatementCache,
): LeafPage {
  const states = countStates(schemaIds, sql)
  const total = states.reduce((sum, { records }) => sum + records, 0)
  if (total === 0) return { records: NONE, total }
  const isMerged = states.length <= MAX_STATES
  const ofSchemas = isAmong('schema_id', schemaIds)
  const conditions = isMerged ? states.map(() => 'schema_id = ? AND state_id = ?') : [ofSchemas.sql]
  const parameters = isMerged
    ? states.flatMap(({ schemaId, stateId }) => [schemaId, stateId, after])
    : [...ofSchemas.parameters, after]
  const parts = conditions.map((condition) => `SELECT n FROM main.record WHERE ${condition} AND n > ?`)
  const page = `${parts.join(' UNION ALL ')} ORDER BY n LIMIT ? OFFSET ?`
  return { records: toNumbers(sql.numbers(page, [...parameters, limit, offset])), total }
}

/** Of each state that has records. */
export function countStates(schemaIds: readonly string[], sql: StatementCache): CountedState[] {
  const ofSchemas = isAmong('schema_id', schemaIds)
  return sql.all<CountedState>(
    `SELECT schema_id AS schemaId, state_id AS stateId, sum(records) AS records FROM main.record_count
      WHERE ${ofSchemas.sql} GROUP BY schema_id, state_id HAVING sum(records) > 0`,
    ofSchemas.parameters,
  )
}
