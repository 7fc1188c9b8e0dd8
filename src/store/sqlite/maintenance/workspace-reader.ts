// A snapshot of the workspace, read from beginning to end for checks: records with their derived data, and the audit
// trail. Writers continue meanwhile.
import type { CategoryPlace } from '../../../core/records/rules/changes.ts'
import type { Model } from '../../../core/model/rules/model.ts'
import type {
  ForeignObject,
  IndexInspection,
  NotedKey,
  ReadRecord,
  Trail,
  WorkspaceInspection,
} from '../../maintenance-port.ts'
import { type RecordRow, RowInspection, toRecord, type TrailRow, trailsOf } from '../../rows/inspection-rows.ts'
import { toSlices } from '../../slices.ts'
import { type Connection, openReader } from '../connection.ts'
import { newestVersion, versionOf } from '../migrate.ts'
import { ModelTables } from '../stored-model.ts'
import { findForeignObjects } from './foreign-objects.ts'
import { findDamage, findForeignKeyFaults } from '../integrity.ts'
import { SqliteSession } from '../session.ts'
import { IndexComparison } from './index-comparison.ts'

const SLICE = { rows: 100, size: 256 * 1024 }

const RECORD = `id, schema_id AS schemaId, parent_id AS parentId, state_id AS lifecycleStateId, version, "values" AS valuesJson`

export class WorkspaceReader extends RowInspection implements WorkspaceInspection {
  readonly #db: Connection
  readonly #databaseFile: string

  constructor(databaseFile: string) {
    const db = openReader(databaseFile)
    super(new SqliteSession(db))
    this.#databaseFile = databaseFile
    this.#db = db
    this.#db.exec('BEGIN')
  }

  close(): void {
    this.#db.close()
  }

  /** The version of the database, and the version that this pimlet works with. */
  versions(): { readonly found: number; readonly known: number } {
    return { found: versionOf(this.#db), known: newestVersion() }
  }

  findDamage(): string[] {
    return findDamage(this.#db)
  }

  findForeignObjects(): ForeignObject[] {
    return findForeignObjects(this.#db)
  }

  findForeignKeyFaults(): string[] {
    return findForeignKeyFaults(this.#db)
  }

  /** SQLite's settings belong to the connection, not to the file. */
  findWeakSettings(): string[] {
    return []
  }

  /** Finds nothing: the counters of SQLite are counted when the database is opened. */
  findCounterFaults(): string[] {
    return []
  }

  /** Bytes of the database, without the wal. */
  size(): number {
    const [pages, bytes] = ['page_count', 'page_size'].map((name) => this.#db.pragma(name, { simple: true }) as number)
    return pages! * bytes!
  }

  model(): Model {
    return new ModelTables(this.#db).modelOfSnapshot()
  }

  /** Yields slices of records, in the order of creation. */
  *records(): Generator<ReadRecord[], void> {
    const rows = this.#db.prepare<[], RecordRow>(`SELECT ${RECORD} FROM record ORDER BY n`)
    for (const slice of toSlices(rows.iterate(), SLICE, ({ valuesJson }) => valuesJson.length))
      yield slice.map(toRecord)
  }

  uniqueKeysOf(recordIds: readonly string[]): ReadonlyMap<string, readonly NotedKey[]> {
    const statement = this.#db.prepare<[string], NotedKey>(
      'SELECT schema_id AS schemaId, alias, scope, key FROM unique_value WHERE record_id = ?',
    )
    return new Map(recordIds.map((id) => [id, statement.all(id)]))
  }

  notedKey(key: string): string {
    return key
  }

  trails(): AsyncGenerator<Trail, void> {
    const sql =
      'SELECT sequence AS version, record_id AS recordId, action, changes FROM audit ORDER BY record_id, sequence'
    const rows = this.#db.prepare<[], TrailRow>(sql).iterate()
    const findRecord = this.#db.prepare<[string], RecordRow>(`SELECT ${RECORD} FROM record WHERE id = ?`)
    const findCategories = this.#db.prepare<[string], CategoryPlace>(
      `SELECT category_id AS categoryId, sort_order AS sortOrder FROM assignment
        WHERE record_n = (SELECT n FROM record WHERE id = ?)`,
    )
    return trailsOf(rows, ({ recordId }) => {
      const row = findRecord.get(recordId)
      return row && { ...toRecord(row), categories: findCategories.all(recordId) }
    })
  }

  runningExports(): { readonly id: string; readonly jobId: string }[] {
    const sql = "SELECT id, job_id AS jobId FROM export_run WHERE status = 'running' ORDER BY n"
    return this.#db.prepare<[], { id: string; jobId: string }>(sql).all()
  }

  /** Returns undefined: the keys are files beside the database. */
  keyPrint(): undefined {
    return undefined
  }

  inspectIndex(): IndexInspection {
    return new IndexComparison(this.#databaseFile)
  }
}
