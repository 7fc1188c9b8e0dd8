// A snapshot of the workspace, read from beginning to end for checks: records with their derived data, and the audit
// trail. Writers continue meanwhile.
import type { AuditAction, CategoryPlace } from '../../../core/records/rules/changes.ts'
import type { TrailEntry } from '../../../core/records/rules/audit-trail.ts'
import type { Model } from '../../../core/model/rules/model.ts'
import type {
  ForeignObject,
  IndexInspection,
  NotedKey,
  ReadRecord,
  Trail,
  WorkspaceInspection,
} from '../../maintenance-port.ts'
import { toChanges } from '../../rows/audit-rows.ts'
import { type RecordRow, RowInspection, toRecord } from '../../rows/inspection-rows.ts'
import { type Connection, openReader } from '../connection.ts'
import { newestVersion, versionOf } from '../migrate.ts'
import { ModelTables } from '../stored-model.ts'
import { findForeignObjects } from './foreign-objects.ts'
import { findDamage, findForeignKeyFaults } from '../integrity.ts'
import { SqliteSession } from '../session.ts'
import { IndexComparison } from './index-comparison.ts'

interface EntryRow {
  readonly sequence: number
  readonly recordId: string
  readonly action: AuditAction
  readonly changes: string
}

/** Limits of a slice. The record that reaches one of them is the last of its slice. */
const SLICE_RECORDS = 100
const SLICE_CHARACTERS = 256 * 1024

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
    let slice: ReadRecord[] = []
    let characters = 0
    for (const row of rows.iterate()) {
      slice.push(toRecord(row))
      characters += row.valuesJson.length
      if (slice.length < SLICE_RECORDS && characters < SLICE_CHARACTERS) continue
      yield slice
      slice = []
      characters = 0
    }
    if (slice.length > 0) yield slice
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

  /** Yields every trail. Take all entries of a trail before the next trail. */
  *trails(): Generator<Trail, void> {
    const sql = 'SELECT sequence, record_id AS recordId, action, changes FROM audit ORDER BY record_id, sequence'
    const rows = this.#db.prepare<[], EntryRow>(sql).iterate()
    const findRecord = this.#db.prepare<[string], RecordRow>(`SELECT ${RECORD} FROM record WHERE id = ?`)
    const findCategories = this.#db.prepare<[string], CategoryPlace>(
      `SELECT category_id AS categoryId, sort_order AS sortOrder FROM assignment
        WHERE record_n = (SELECT n FROM record WHERE id = ?)`,
    )
    let next = rows.next()
    function* entriesOf(recordId: string): Generator<TrailEntry, void> {
      while (next.done !== true && next.value.recordId === recordId) {
        const { sequence: version, action, changes } = next.value
        next = rows.next()
        yield { version, action, changes: toChanges(changes) }
      }
    }
    try {
      while (next.done !== true) {
        const { recordId } = next.value
        const row = findRecord.get(recordId)
        const record = row && { ...toRecord(row), categories: findCategories.all(recordId) }
        yield { recordId, entries: entriesOf(recordId), record }
      }
    } finally {
      rows.return?.()
    }
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
