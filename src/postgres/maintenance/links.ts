// What a database that others run does not keep by itself, as pimlet has it: rows that others refer to, and numbers of the whole.
import type { Connection } from '../connection.ts'

/** Column of a table → the table and column that it refers to. */
const LINKS: readonly (readonly [table: string, column: string, target: string, key: string])[] = [
  ['record', 'schema_id', 'schema', 'id'],
  ['record', 'parent_id', 'record', 'id'],
  ['unique_value', 'schema_id', 'schema', 'id'],
  ['unique_value', 'record_id', 'record', 'id'],
  ['category', 'catalog_id', 'catalog', 'id'],
  ['category', 'parent_id', 'category', 'id'],
  ['assignment', 'category_id', 'category', 'id'],
  ['assignment', 'record_n', 'record', 'n'],
  ['subscription_delivery', 'subscription_id', 'subscription', 'id'],
  ['export_run', 'job_id', 'export_job', 'id'],
  ['bulk_item', 'job_id', 'bulk_job', 'id'],
]

/** Rows that refer to a row that does not exist, as `table → table`: some of each kind. */
const MOST = 1000

export async function findLinkFaults(connection: Connection): Promise<string[]> {
  const faults: string[] = []
  for (const [table, column, target, key] of LINKS) {
    const sql = `SELECT 1 FROM ${table} AS referring WHERE ${column} IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM ${target} WHERE ${target}.${key} = referring.${column}) LIMIT ${MOST}`
    for (const _ of await connection.planned(sql)) faults.push(`${table} → ${target}`)
  }
  return faults
}

interface Counters {
  readonly records: number
  readonly counted: number
  readonly n: number
  readonly lastRecord: number
  readonly version: number
  readonly lastEntry: number
}

const COUNTERS = `SELECT records, n, version, (SELECT count(*) FROM record) AS counted,
    (SELECT coalesce(max(n), 0) FROM record) AS "lastRecord",
    greatest((SELECT coalesce(max(sequence), 0) FROM audit), (SELECT coalesce(max(sequence), 0) FROM event)) AS "lastEntry"
  FROM workspace`

/** Numbers that the row of the workspace keeps, and that are not what they should be. */
export async function findCounterFaults(connection: Connection): Promise<string[]> {
  const [row] = await connection.rows<Counters>(COUNTERS)
  const { records, counted, n, lastRecord, version, lastEntry } = row!
  return [
    ...(records === counted ? [] : [`${records} records are counted, ${counted} are there`]),
    ...(n >= lastRecord ? [] : [`the last place that was given is ${n}, and a record has ${lastRecord}`]),
    ...(version >= lastEntry ? [] : [`the last version that was given is ${version}, and an entry has ${lastEntry}`]),
  ]
}
