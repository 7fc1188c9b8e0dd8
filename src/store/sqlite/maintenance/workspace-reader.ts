// The workspace as it is at one moment, read from beginning to end: records with what is derived from them, and the audit
// trail. For checks; whoever writes meanwhile goes on.
import type { AuditAction, CategoryPlace } from '../../../core/records/rules/changes.ts'
import type { TrailEntry } from '../../../core/records/rules/audit-trail.ts'
import type { Subscription } from '../../../events/rules/subscription.ts'
import type { ExportJob } from '../../../exports/rules/export-job.ts'
import type { ModelChange } from '../../../core/model/rules/model-change.ts'
import type { Model } from '../../../core/model/rules/model.ts'
import type { Values } from '../../../core/records/rules/record.ts'
import type {
  AuditRange,
  ForeignObject,
  IndexInspection,
  NotedKey,
  ReadRecord,
  Trail,
  WorkspaceInspection,
} from '../../maintenance-port.ts'
import { toChanges } from '../../rows/audit-rows.ts'
import { type Connection, openReader } from '../connection.ts'
import { readDocuments } from '../kept-documents.ts'
import { newestVersion, versionOf } from '../migrate.ts'
import { ModelTables } from '../model.ts'
import { findForeignObjects } from './foreign-objects.ts'
import { findDamage, findForeignKeyFaults } from '../integrity.ts'
import { IndexComparison } from './index-comparison.ts'

interface RecordRow extends Omit<ReadRecord, 'values'> {
  readonly valuesJson: string
}

interface EntryRow {
  readonly sequence: number
  readonly recordId: string
  readonly action: AuditAction
  readonly changes: string
}

/** A slice of records ends with the one that reaches either: records, or characters of values. */
const SLICE_RECORDS = 100
const SLICE_CHARACTERS = 256 * 1024

const RECORD = `id, schema_id AS schemaId, parent_id AS parentId, state_id AS lifecycleStateId, version, "values" AS valuesJson`

export class WorkspaceReader implements WorkspaceInspection {
  readonly #db: Connection
  readonly #databaseFile: string

  constructor(databaseFile: string) {
    this.#databaseFile = databaseFile
    this.#db = openReader(databaseFile)
    this.#db.exec('BEGIN')
  }

  close(): void {
    this.#db.close()
  }

  /** Of the database; and the one that this pimlet works with. */
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

  /** Whoever opens it makes its settings. */
  findWeakSettings(): string[] {
    return []
  }

  /** They are counted when it is opened. */
  findCounterFaults(): string[] {
    return []
  }

  countRecords(): number {
    return this.#db.prepare<[], number>('SELECT count(*) FROM record').pluck().get()!
  }

  /** Bytes of the database, without what is in the wal only. */
  size(): number {
    const [pages, bytes] = ['page_count', 'page_size'].map((name) => this.#db.pragma(name, { simple: true }) as number)
    return pages! * bytes!
  }

  model(): Model {
    return new ModelTables(this.#db).modelOfSnapshot()
  }

  /** That were under way, or were interrupted. */
  modelChanges(): ModelChange[] {
    return readDocuments<ModelChange>(this.#db, 'model_change')
  }

  /** In the order of creation. */
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

  existing(ids: readonly string[]): ReadonlySet<string> {
    const statement = this.#db.prepare<[string], unknown>('SELECT 1 FROM record WHERE id = ?')
    return new Set(ids.filter((id) => statement.get(id) !== undefined))
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

  /** Kept counts as `[schema, state, is variant, records]`. */
  recordCounts(): [string, string, number, number][] {
    return this.#db
      .prepare<[], [string, string, number, number]>(
        'SELECT schema_id, state_id, is_variant, records FROM record_count WHERE records <> 0',
      )
      .raw()
      .all()
  }

  auditRange(): AuditRange {
    const sql = `SELECT count(*) AS entries, (SELECT count(*) FROM audit) AS ofRecords, coalesce(min(sequence), 1) AS oldest, coalesce(max(sequence), 0) AS newest
      FROM (SELECT sequence FROM audit UNION ALL SELECT sequence FROM event)`
    return this.#db.prepare<[], AuditRange>(sql).get()!
  }

  /** Every trail, one after another. The entries of one must be taken before the next. */
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

  /** Records whose last entry is not in the trail although entries as old are: some of them. */
  recordsWithoutEntry(oldest: number, limit: number): string[] {
    return this.#db
      .prepare<[number, number], string>(
        `SELECT id FROM record WHERE version >= ? AND NOT EXISTS
           (SELECT 1 FROM audit WHERE audit.sequence = record.version AND audit.record_id = record.id) LIMIT ?`,
      )
      .pluck()
      .all(oldest, limit)
  }

  exportJobs(): ExportJob[] {
    return readDocuments<ExportJob>(this.#db, 'export_job')
  }

  subscriptions(): Subscription[] {
    return readDocuments<Subscription>(this.#db, 'subscription')
  }

  runningExports(): { readonly id: string; readonly jobId: string }[] {
    const sql = "SELECT id, job_id AS jobId FROM export_run WHERE status = 'running' ORDER BY n"
    return this.#db.prepare<[], { id: string; jobId: string }>(sql).all()
  }

  /** Jobs at whose destinations something was left behind. */
  jobsWithLeftovers(): string[] {
    return this.#db.prepare<[], string>('SELECT DISTINCT job_id FROM export_leftover').pluck().all()
  }

  /** The keys lie beside it. */
  keyPrint(): undefined {
    return undefined
  }

  inspectIndex(): IndexInspection {
    return new IndexComparison(this.#databaseFile)
  }
}

function toRecord({ valuesJson, ...row }: RecordRow): ReadRecord {
  return { ...row, values: parse(valuesJson) }
}

function parse(valuesJson: string): Values | undefined {
  try {
    return JSON.parse(valuesJson) as Values
  } catch {
    return undefined
  }
}
