// Reads records by their numbers, with what they inherit.
import type { ReadRecord } from '../../../core/search/plan/ask.ts'
import type { Numbers } from '../../../core/search/plan/record-numbers.ts'
import { RECORD_COLUMNS } from '../record-lists.ts'
import type { StatementCache } from '../statements.ts'
import { listOf } from './number-lists.ts'

const COLUMNS = `record.n, ${RECORD_COLUMNS}, parent."values" AS inheritedJson`

const ASCENDING = `
  SELECT ${COLUMNS}
    FROM main.record LEFT JOIN main.record AS parent ON parent.id = record.parent_id
   WHERE record.n IN (SELECT value FROM json_each(?)) ORDER BY record.n`

/** A CROSS JOIN is never reordered: the list is walked through, and nothing is held to be sorted. */
const IN_ORDER = `
  SELECT ${COLUMNS}
    FROM json_each(?) AS wanted CROSS JOIN main.record ON record.n = wanted.value
    LEFT JOIN main.record AS parent ON parent.id = record.parent_id`

/**
 * In the order of the numbers, one by one: of records that may be large no more than one is held. Those that are gone are passed
 * over. Nothing is begun before the first is asked for: from then on the connection can do nothing else until the last.
 */
export function* readRows(records: Numbers, sql: StatementCache): Generator<ReadRecord> {
  yield* sql.iterate<ReadRecord>(isAscending(records) ? ASCENDING : IN_ORDER, [listOf(records)])
}

function isAscending(records: Numbers): boolean {
  return records.every((record, index) => index === 0 || record > records[index - 1]!)
}
