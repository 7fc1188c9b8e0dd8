// The data of an event: the entry of the feed, and the record after the change, limited to values that the role may read.
// Contract 3 §6, 3 §10.
import { canReadAll, readableValues, type Role } from '../../core/accounts/rules/permissions.ts'
import { type BulkJob, readableJob, toShownJob } from '../../core/jobs/rules/bulk-job.ts'
import { type ExportRun, toRunView } from '../../exports/rules/export-run.ts'
import { type AuditEntryView, readableEntry } from '../../core/records/rules/readable-entry.ts'
import type { RecordHead, Values } from '../../core/records/rules/record.ts'
import { type ModelEntry, readableModelEntry } from '../../core/feed/rules/model-entry.ts'

/** The record after a change. */
interface RecordAfter {
  readonly head: RecordHead
  /** Stored values as JSON text, or earlier values. */
  readonly values: string | Values
}

/** @param record undefined: it is deleted, or is not known any more */
export function recordEventJson(
  role: Role,
  entry: AuditEntryView & { readonly schemaId: string },
  record: RecordAfter | undefined,
): string {
  const shown = record === undefined ? 'null' : recordJson(role, record)
  return `{"entry":${JSON.stringify(readableEntry(role, entry))},"record":${shown}}`
}

function recordJson(role: Role, { head, values }: RecordAfter): string {
  const { id, schemaId, parentId, lifecycleStateId, createdAt, updatedAt, createdBy, updatedBy } = head
  const members = { id, schemaId, parentId, lifecycleStateId, createdAt, updatedAt, createdBy, updatedBy }
  return `${JSON.stringify(members).slice(0, -1)},"values":${valuesJson(role, schemaId, values)}}`
}

function valuesJson(role: Role, schemaId: string, values: RecordAfter['values']): string {
  if (typeof values === 'string' && canReadAll(role, schemaId)) return values
  const parsed = typeof values === 'string' ? (JSON.parse(values) as Values) : values
  return JSON.stringify(readableValues(role, schemaId, parsed))
}

export function modelEventJson(role: Role, entry: ModelEntry): string {
  return JSON.stringify(readableModelEntry(role, entry))
}

/** A run that has ended, as clients see it. */
export function runEventJson(run: ExportRun): string {
  return JSON.stringify(toRunView(run, undefined))
}

/** The job in its public form. */
export function bulkEventJson(role: Role, job: BulkJob): string {
  return JSON.stringify(toShownJob(readableJob(role, job)))
}
