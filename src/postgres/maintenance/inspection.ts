// The workspace as it is at one moment, read from beginning to end in slices, for checks: one transaction that only reads. Servers go on
// meanwhile.
import type { Subscription } from '../../events/rules/subscription.ts'
import type { ExportJob } from '../../exports/rules/export-job.ts'
import type { Model } from '../../core/model/rules/model.ts'
import type { ModelChange } from '../../core/model/rules/model-change.ts'
import type {
  AuditRange,
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
import { createRepositories } from '../repositories.ts'
import { digestOfKey } from '../../store/moving/unique-digest.ts'
import { readSliced, type Sized } from '../sliced.ts'
import { findForeignObjects } from './foreign-objects.ts'
import { IndexComparison } from './index-comparison.ts'
import { findCounterFaults, findLinkFaults } from './links.ts'
import { READ_RECORD, readTrails, type RecordRow, SLICE, toRecord } from './trails.ts'

/** It takes as long as it takes. */
const SETTINGS = { statement_timeout: 0, idle_in_transaction_session_timeout: 0, plan_cache_mode: 'force_custom_plan' }

export class DatabaseInspection implements WorkspaceInspection {
  readonly #connection: Connection
  readonly #session: OfOneMoment
  readonly #repositories: ReturnType<typeof createRepositories>

  private constructor(connection: Connection) {
    this.#connection = connection
    this.#session = new OfOneMoment(connection, new ModelCache())
    this.#repositories = createRepositories(this.#session, '')
  }

  /** @throws DatabaseUnusable where it holds no workspace, UNAVAILABLE */
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

  /** Its own tools look for that. */
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

  async countRecords(): Promise<number> {
    return (await this.#one<{ records: number }>('SELECT count(*) AS records FROM record')).records
  }

  async size(): Promise<number> {
    const sql = `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint AS bytes
      FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`
    return (await this.#one<{ bytes: number }>(sql)).bytes
  }

  model(): Promise<Model> {
    return this.#repositories.model()
  }

  modelChanges(): Promise<ModelChange[]> {
    return this.#repositories.modelChanges.list()
  }

  async *records(): AsyncGenerator<ReadRecord[], void> {
    const sql = 'SELECT n, octet_length(vals) AS size FROM record ORDER BY n'
    const read = `SELECT ${READ_RECORD} FROM record WHERE n = ANY ($1::bigint[]) ORDER BY n`
    for await (const slice of readSliced<Sized & { n: number }>(this.#connection, { sql }, SLICE)) {
      const rows = await this.#connection.rows<RecordRow>(read, [slice.map(({ n }) => n)])
      yield rows.map(toRecord)
    }
  }

  async existing(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set()
    const sql = 'SELECT id FROM record WHERE id = ANY ($1::text[])'
    return new Set((await this.#connection.rows<{ id: string }>(sql, [ids])).map(({ id }) => id))
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

  async recordCounts(): Promise<[string, string, number, number][]> {
    const sql = `SELECT schema_id AS "schemaId", state_id AS "stateId", is_variant::int AS "isVariant", records
      FROM record_count WHERE records <> 0`
    type Row = { schemaId: string; stateId: string; isVariant: number; records: number }
    const rows = await this.#connection.rows<Row>(sql)
    return rows.map(({ schemaId, stateId, isVariant, records }) => [schemaId, stateId, isVariant, records])
  }

  auditRange(): Promise<AuditRange> {
    return this.#one<AuditRange>(`SELECT count(*) AS entries, (SELECT count(*) FROM audit) AS "ofRecords",
        coalesce(min(sequence), 1) AS oldest, coalesce(max(sequence), 0) AS newest
      FROM (SELECT sequence FROM audit UNION ALL SELECT sequence FROM event) AS numbered`)
  }

  trails(): AsyncGenerator<Trail, void> {
    return readTrails(this.#connection)
  }

  async recordsWithoutEntry(oldest: number, limit: number): Promise<string[]> {
    const sql = `SELECT id FROM record WHERE version >= $1 AND NOT EXISTS
      (SELECT 1 FROM audit WHERE audit.sequence = record.version AND audit.record_id = record.id) LIMIT $2`
    return (await this.#connection.rows<{ id: string }>(sql, [oldest, limit])).map(({ id }) => id)
  }

  exportJobs(): Promise<ExportJob[]> {
    return this.#repositories.exportJobs.list()
  }

  async subscriptions(): Promise<Subscription[]> {
    const rows = await this.#connection.rows<{ document: string }>('SELECT document FROM subscription ORDER BY n')
    return rows.map(({ document }) => JSON.parse(document) as Subscription)
  }

  runningExports(): Promise<{ readonly id: string; readonly jobId: string }[]> {
    return this.#connection.rows(
      `SELECT id, job_id AS "jobId" FROM export_run WHERE status = 'running' AND owner IS NOT NULL ORDER BY n`,
    )
  }

  async jobsWithLeftovers(): Promise<string[]> {
    const rows = await this.#connection.rows<{ id: string }>('SELECT DISTINCT job_id AS id FROM export_leftover')
    return rows.map(({ id }) => id)
  }

  async keyPrint(): Promise<string | undefined> {
    const { print } = await this.#one<{ print: string | null }>('SELECT key_print AS print FROM workspace')
    return print ?? undefined
  }

  async inspectIndex(): Promise<IndexInspection> {
    return IndexComparison.open(this.#connection, await this.model())
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  async #one<Row>(sql: string): Promise<Row> {
    return (await this.#connection.rows<Row>(sql))[0]!
  }
}

/** @throws DatabaseUnusable */
async function assertWorkspace(connection: Connection): Promise<number> {
  const version = await versionOf(connection)
  if (version > 0) return version
  throw new DatabaseUnusable('it holds no workspace: name the --database-url of a server that was started once')
}

/** For whoever writes. @throws DatabaseUnusable */
export async function assertCurrent(connection: Connection): Promise<void> {
  const version = await assertWorkspace(connection)
  assertNotNewer(version)
  if (version < newestVersion())
    throw new DatabaseUnusable('it is of an older pimlet: start a server on it once, which upgrades it')
}
