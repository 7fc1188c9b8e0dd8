// Reads records by their numbers, with what they inherit.
import type { Numbers } from '../../search/numbers.ts'
import { RECORD_COLUMNS } from '../record-lists.ts'
import type { StatementCache } from '../statements.ts'
import { type FoundItems, LOOKED_UP, type ReadRow } from './found-items.ts'
import { listOf } from './number-lists.ts'

/** Records that one statement reads: it is over before others have their turn. */
const CHUNK = 500

const SELECT = `
  SELECT record.n, ${RECORD_COLUMNS}, parent."values" AS inheritedJson
    FROM main.record LEFT JOIN main.record AS parent ON parent.id = record.parent_id`

/** In ascending order; those that are gone are passed over. @param items to be prepared for what is read */
export function* readRows(records: Numbers, sql: StatementCache, items?: FoundItems): Generator<ReadRow> {
  for (const chunk of chunksOf(records, items)) {
    // While rows are read one by one, the connection can do nothing else.
    items?.lookUp(chunk)
    yield* sql.iterate<ReadRow>(`${SELECT} WHERE record.n IN (SELECT value FROM json_each(?)) ORDER BY record.n`, [
      listOf(chunk),
    ])
  }
}

/** In the order of the numbers, one by one: of records that may be large no more than one is held. */
export function* rowsInOrder(records: Numbers, sql: StatementCache, items?: FoundItems): Generator<ReadRow> {
  for (const chunk of chunksOf(records, items)) {
    items?.lookUp(chunk)
    yield* sql.iterate<ReadRow>(IN_ORDER, [listOf(chunk)])
  }
}

/** A CROSS JOIN is never reordered: the list is walked through, and nothing is held to be sorted. */
const IN_ORDER = `
  SELECT record.n, ${RECORD_COLUMNS}, parent."values" AS inheritedJson
    FROM json_each(?) AS wanted CROSS JOIN main.record ON record.n = wanted.value
    LEFT JOIN main.record AS parent ON parent.id = record.parent_id`

function* chunksOf(records: Numbers, items: FoundItems | undefined): Generator<Numbers> {
  const count = items?.hasLookUps === true ? LOOKED_UP : CHUNK
  for (let at = 0; at < records.length; at += count) yield records.subarray(at, at + count)
}
