// Reads records by number with their inherited values, in the order of the numbers. Each read is limited in size.
import type { ReadRecord } from '../../core/search/plan/search-index.ts'
import type { Numbers } from '../../core/search/plan/record-numbers.ts'
import type { AskSql } from './print-set.ts'

/** Bytes of values, or records, at which a read ends. */
const MOST_BYTES = 256 * 1024
const MOST_RECORDS = 500

export const HEAD_COLUMNS = `record.id, record.schema_id AS "schemaId", record.parent_id AS "parentId",
  record.state_id AS "lifecycleStateId", record.version, record.created_at AS "createdAt", record.updated_at AS "updatedAt",
  record.created_by AS "createdBy", record.updated_by AS "updatedBy"`
const COLUMNS = `record.n, ${HEAD_COLUMNS}, record.vals AS "valuesJson", parent.vals AS "inheritedJson"`

const BOTH = 'record ON record.n = wanted.n LEFT JOIN record AS parent ON parent.id = record.parent_id'
/** PostgreSQL knows the size without reading the values. */
const BYTES = 'octet_length(record.vals) + coalesce(octet_length(parent.vals), 0)'

const CATEGORIES = `ARRAY(SELECT DISTINCT category_id FROM assignment WHERE record_n IN (record.n, parent.n)) AS "categoryIds"`

const read = (columns: string): string => `SELECT ${columns} FROM
    (SELECT wanted.n, wanted.place, sum(${BYTES}) OVER (ORDER BY wanted.place) - (${BYTES}) AS before
       FROM unnest(?::bigint[]) WITH ORDINALITY AS wanted (n, place) JOIN ${BOTH}) AS wanted
    JOIN ${BOTH}
   WHERE wanted.before < ${MOST_BYTES} ORDER BY wanted.place`

const READ = read(COLUMNS)
const READ_WITH_CATEGORIES = read(`${COLUMNS}, ${CATEGORIES}`)

/** Returns the first existing records; empty: no record exists. */
export function readRows(records: Numbers, withCategories: boolean, ask: AskSql): Promise<ReadRecord[]> {
  const sql = withCategories ? READ_WITH_CATEGORIES : READ
  return ask<ReadRecord>({ sql, parameters: [[...records.subarray(0, MOST_RECORDS)]] })
}
