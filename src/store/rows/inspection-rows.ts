// Reads for checks of a workspace, with the same SQL in every engine.
import type { Subscription } from '../../events/rules/subscription.ts'
import type { ExportJob } from '../../exports/rules/export-job.ts'
import type { ModelChange } from '../../core/model/rules/model-change.ts'
import type { TrailEntry } from '../../core/records/rules/audit-trail.ts'
import { parseValues, type Values } from '../../core/records/rules/record.ts'
import type { AuditRange, ReadRecord, Trail, WorkspaceInspection } from '../maintenance-port.ts'
import type { Referrer } from '../../core/records/rules/referrer.ts'
import type { FileRow } from '../file-port.ts'
import { toChanges } from './audit-rows.ts'
import { Files } from './files.ts'
import { findNotedReferences } from './record-references.ts'
import { RowRepository } from './session.ts'

export interface RecordRow extends Omit<ReadRecord, 'values'> {
  readonly valuesJson: string
}

/** Values that are no JSON are undefined. */
export function toRecord({ valuesJson, ...row }: RecordRow): ReadRecord {
  return { ...row, values: parse(valuesJson) }
}

function parse(valuesJson: string): Values | undefined {
  try {
    return parseValues({ valuesJson })
  } catch {
    return undefined
  }
}

/** An entry of a trail. */
export interface TrailRow extends Omit<TrailEntry, 'changes'> {
  readonly recordId: string
  readonly changes: string
}

/** Yields the trails of entries that are in the order of records. @param recordOf called with the first entry of a record */
export async function* trailsOf<Row extends TrailRow>(
  rows: Iterator<Row> | AsyncIterator<Row>,
  recordOf: (entry: Row) => Trail['record'],
): AsyncGenerator<Trail, void> {
  let next = await rows.next()
  async function* entriesOf(recordId: string): AsyncGenerator<TrailEntry, void> {
    while (next.done !== true && next.value.recordId === recordId) {
      const { version, action, changes } = next.value
      next = await rows.next()
      yield { version, action, changes: toChanges(changes) }
    }
  }
  try {
    while (next.done !== true) {
      const { recordId } = next.value
      yield { recordId, entries: entriesOf(recordId), record: recordOf(next.value) }
    }
  } finally {
    await rows.return?.()
  }
}

type Same =
  | 'countRecords'
  | 'modelChanges'
  | 'existing'
  | 'countReferences'
  | 'findNoted'
  | 'listFiles'
  | 'knownHashes'
  | 'recordCounts'
  | 'auditRange'
  | 'recordsWithoutEntry'
  | 'exportJobs'
  | 'subscriptions'
  | 'keptExports'
  | 'jobsWithLeftovers'

export abstract class RowInspection extends RowRepository implements Pick<WorkspaceInspection, Same> {
  async countRecords(): Promise<number> {
    return (await this.one<{ records: number }>('SELECT count(*) AS records FROM record')).records
  }

  modelChanges(): Promise<ModelChange[]> {
    return this.#documents('model_change')
  }

  async existing(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set()
    const sql = `SELECT id FROM record WHERE ${this.session.dialect.among('id', 1)}`
    return new Set((await this.session.rows<{ id: string }>(sql, [ids])).map(({ id }) => id))
  }

  async countReferences(): Promise<number> {
    return (await this.one<{ noted: number }>('SELECT count(*) AS noted FROM record_reference')).noted
  }

  findNoted(references: readonly Referrer[]): Promise<ReadonlySet<number>> {
    return findNotedReferences(this.session, references)
  }

  listFiles(after: string, limit: number): Promise<readonly FileRow[]> {
    return new Files(this.session).listKept(after, limit)
  }

  async knownHashes(hashes: readonly string[]): Promise<ReadonlySet<string>> {
    if (hashes.length === 0) return new Set()
    const sql = `SELECT sha256 FROM file WHERE ${this.session.dialect.among('sha256', 1)}`
    return new Set((await this.session.rows<{ sha256: string }>(sql, [hashes])).map(({ sha256 }) => sha256))
  }

  async recordCounts(): Promise<[string, string, number, number][]> {
    const sql = `SELECT schema_id AS "schemaId", state_id AS "stateId", is_variant AS "isVariant", records
      FROM record_count WHERE records <> 0`
    type Row = { schemaId: string; stateId: string; isVariant: number | boolean; records: number }
    const rows = await this.session.rows<Row>(sql)
    return rows.map(({ schemaId, stateId, isVariant, records }) => [schemaId, stateId, Number(isVariant), records])
  }

  auditRange(): Promise<AuditRange> {
    return this.one<AuditRange>(`SELECT count(*) AS entries, (SELECT count(*) FROM audit) AS "ofRecords",
        coalesce(min(sequence), 1) AS oldest, coalesce(max(sequence), 0) AS newest
      FROM (SELECT sequence FROM audit UNION ALL SELECT sequence FROM event) AS numbered`)
  }

  async recordsWithoutEntry(oldest: number, limit: number): Promise<string[]> {
    const sql = `SELECT id FROM record WHERE version >= $1 AND NOT EXISTS
      (SELECT 1 FROM audit WHERE audit.sequence = record.version AND audit.record_id = record.id) LIMIT $2`
    return (await this.session.rows<{ id: string }>(sql, [oldest, limit])).map(({ id }) => id)
  }

  exportJobs(): Promise<ExportJob[]> {
    return this.#documents('export_job')
  }

  subscriptions(): Promise<Subscription[]> {
    return this.#documents('subscription')
  }

  async keptExports(): Promise<string[]> {
    const rows = await this.session.rows<{ id: string }>('SELECT id FROM export_run WHERE kept_until IS NOT NULL')
    return rows.map(({ id }) => id)
  }

  async jobsWithLeftovers(): Promise<string[]> {
    const rows = await this.session.rows<{ id: string }>('SELECT DISTINCT job_id AS id FROM export_leftover')
    return rows.map(({ id }) => id)
  }

  protected async one<Row>(sql: string): Promise<Row> {
    return (await this.session.rows<Row>(sql))[0]!
  }

  async #documents<Item>(table: string): Promise<Item[]> {
    const rows = await this.session.rows<{ document: string }>(`SELECT document FROM ${table} ORDER BY n`)
    return rows.map(({ document }) => JSON.parse(document) as Item)
  }
}
