// A snapshot of the workspace, for checks: one read-only transaction that reads everything in slices. Servers continue
// meanwhile.
import type { Model } from '../../core/model/rules/model.ts'
import type {
  ForeignObject,
  IndexInspection,
  NotedKey,
  ReadRecord,
  Trail,
  WorkspaceInspection,
} from '../../store/maintenance-port.ts'
import { BEGIN_READING, OfOneMoment } from '../committed.ts'
import { ModelCache } from '../committed-model.ts'
import { Connection } from '../connection.ts'
import { assertNotNewer, findWeakSettings, newestVersion, versionOf } from '../migrate.ts'
import { DatabaseUnusable } from './database-faults.ts'
import { type RecordRow, RowInspection, toRecord } from '../../store/rows/inspection-rows.ts'
import { digestOfKey } from '../../store/moving/digests.ts'
import { readSliced, type Sized } from '../sliced.ts'
import { findForeignObjects } from './foreign-objects.ts'
import { IndexComparison } from './index-comparison.ts'
import { READ_RECORD, readTrails, SLICE } from './trails.ts'

/** No timeouts: an inspection may run for any time. */
const SETTINGS = { statement_timeout: 0, idle_in_transaction_session_timeout: 0, plan_cache_mode: 'force_custom_plan' }

export class DatabaseInspection extends RowInspection implements WorkspaceInspection {
  readonly #connection: Connection
  readonly #session: OfOneMoment

  private constructor(connection: Connection) {
    const session = new OfOneMoment(connection, new ModelCache())
    super(session)
    this.#connection = connection
    this.#session = session
  }

  /** @throws DatabaseUnusable without a workspace, UNAVAILABLE */
  static async open(url: string): Promise<DatabaseInspection> {
    const connection = await Connection.open({ url, settings: SETTINGS })
    try {
      await assertWorkspace(connection)
      await connection.begin(BEGIN_READING)
      return new DatabaseInspection(connection)
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  async versions(): Promise<{ readonly found: number; readonly known: number }> {
    return { found: await versionOf(this.#connection), known: newestVersion() }
  }

  /** Finds nothing: PostgreSQL has its own tools for damage. */
  findDamage(): string[] {
    return []
  }

  findWeakSettings(): Promise<string[]> {
    return findWeakSettings(this.#connection)
  }

  findForeignObjects(): Promise<ForeignObject[]> {
    return findForeignObjects(this.#connection)
  }

  findForeignKeyFaults(): Promise<string[]> {
    return findLinkFaults(this.#connection)
  }

  findCounterFaults(): Promise<string[]> {
    return findCounterFaults(this.#connection)
  }

  async size(): Promise<number> {
    const sql = `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint AS bytes
      FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`
    return (await this.one<{ bytes: number }>(sql)).bytes
  }

  async model(): Promise<Model> {
    return (await this.#session.model()).model
  }

  async *records(): AsyncGenerator<ReadRecord[], void> {
    const sql = 'SELECT n, octet_length(vals) AS size FROM record ORDER BY n'
    const read = `SELECT ${READ_RECORD} FROM record WHERE n = ANY ($1::bigint[]) ORDER BY n`
    for await (const slice of readSliced<Sized & { n: number }>(this.#connection, { sql }, SLICE)) {
      const rows = await this.#connection.rows<RecordRow>(read, [slice.map(({ n }) => n)])
      yield rows.map(toRecord)
    }
  }

  async uniqueKeysOf(recordIds: readonly string[]): Promise<ReadonlyMap<string, readonly NotedKey[]>> {
    const sql = `SELECT record_id AS "recordId", schema_id AS "schemaId", alias, scope, encode(key, 'hex') AS key
      FROM unique_value WHERE record_id = ANY ($1::text[])`
    const rows = await this.#connection.rows<NotedKey & { recordId: string }>(sql, [recordIds])
    return Map.groupBy(rows, ({ recordId }) => recordId)
  }

  notedKey(key: string): string {
    return digestOfKey(key).toString('hex')
  }

  trails(): AsyncGenerator<Trail, void> {
    return readTrails(this.#connection)
  }

  runningExports(): Promise<{ readonly id: string; readonly jobId: string }[]> {
    return this.#connection.rows(
      `SELECT id, job_id AS "jobId" FROM export_run WHERE status = 'running' AND owner IS NOT NULL ORDER BY n`,
    )
  }

  async keyPrint(): Promise<string | undefined> {
    const { print } = await this.one<{ print: string | null }>('SELECT key_print AS print FROM workspace')
    return print ?? undefined
  }

  async inspectIndex(): Promise<IndexInspection> {
    return IndexComparison.open(this.#connection, await this.model())
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}

/** @throws DatabaseUnusable */
async function assertWorkspace(connection: Connection): Promise<number> {
  const version = await versionOf(connection)
  if (version > 0) return version
  throw new DatabaseUnusable('it holds no workspace: name the --database-url of a server that was started once')
}

/** For writers. @throws DatabaseUnusable without a workspace of this version */
export async function assertCurrent(connection: Connection): Promise<void> {
  const version = await assertWorkspace(connection)
  assertNotNewer(version)
  if (version < newestVersion())
    throw new DatabaseUnusable('it is of an older pimlet: start a server on it once, which upgrades it')
}

/** Column of a table → the table and column that it refers to. */
const LINKS: readonly (readonly [table: string, column: string, target: string, key: string])[] = [
  ['record', 'schema_id', 'schema', 'id'],
  ['record', 'parent_id', 'record', 'id'],
  ['unique_value', 'schema_id', 'schema', 'id'],
  ['unique_value', 'record_id', 'record', 'id'],
  ['record_reference', 'schema_id', 'schema', 'id'],
  ['record_reference', 'record_id', 'record', 'id'],
  ['category', 'catalog_id', 'catalog', 'id'],
  ['category', 'parent_id', 'category', 'id'],
  ['assignment', 'category_id', 'category', 'id'],
  ['assignment', 'record_n', 'record', 'n'],
  ['subscription_delivery', 'subscription_id', 'subscription', 'id'],
  ['export_run', 'job_id', 'export_job', 'id'],
  ['bulk_item', 'job_id', 'bulk_job', 'id'],
]

/** The most reported rows of each kind, as `table → table`: each refers to a row that does not exist. */
const MOST = 1000

async function findLinkFaults(connection: Connection): Promise<string[]> {
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

/** Describes wrong counters of the workspace row. */
async function findCounterFaults(connection: Connection): Promise<string[]> {
  const [row] = await connection.rows<Counters>(COUNTERS)
  const { records, counted, n, lastRecord, version, lastEntry } = row!
  return [
    ...(records === counted ? [] : [`${records} records are counted, ${counted} are there`]),
    ...(n >= lastRecord ? [] : [`the last place that was given is ${n}, and a record has ${lastRecord}`]),
    ...(version >= lastEntry ? [] : [`the last version that was given is ${version}, and an entry has ${lastEntry}`]),
  ]
}
