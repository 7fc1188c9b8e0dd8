// What the tests of the storage contract store: a model of two schemas, records and their audit entries.
import type { AuditEntry } from '../../../src/core/records/rules/changes.ts'
import type { ExportJob } from '../../../src/exports/rules/export-job.ts'
import { type ExportRun, NOTHING_YET } from '../../../src/exports/rules/export-run.ts'
import { DEFAULT_WORKFLOW } from '../../../src/core/model/rules/workflow.ts'
import { PLAIN_JOB } from '../../helpers/plain-job.ts'
import type { Store, Transaction } from '../../../src/store/port.ts'
import type { StoredRecord } from '../../../src/store/record-port.ts'
import type { NewAuditEntry } from '../../../src/store/audit-port.ts'

export const AT = '2026-01-02T03:04:05.678Z'

export function recordOf(id: string, overrides: Partial<StoredRecord> = {}): StoredRecord {
  return {
    id,
    schemaId: 'sch-a',
    parentId: null,
    lifecycleStateId: 'state-draft',
    createdAt: AT,
    updatedAt: AT,
    createdBy: 'usr-1',
    updatedBy: 'usr-1',
    version: 1,
    valuesJson: '{}',
    ...overrides,
  }
}

export function entryOf(entityId: string, overrides: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: `aud-${entityId}`,
    entityId,
    userId: 'usr-1',
    timestamp: AT,
    action: 'create',
    changes: [],
    origin: { kind: 'api' },
    ...overrides,
  }
}

/** @returns the version that the entry leads to */
export function appendEntry(
  tx: Transaction,
  entry: AuditEntry & Pick<NewAuditEntry, 'removed'>,
  schemaId = 'sch-a',
): number {
  const version = tx.newVersion()
  tx.audit.append({ ...entry, version, schemaId })
  return version
}

/** Appends an audit entry and inserts the record with its version. */
export async function insertRecord(tx: Transaction, record: StoredRecord): Promise<StoredRecord> {
  const version = appendEntry(tx, entryOf(record.id), record.schemaId)
  await tx.records.insert({ ...record, version })
  return { ...record, version }
}

/** In one transaction. */
export function insertRecords(store: Store, ids: readonly string[], overrides: Partial<StoredRecord> = {}) {
  return store.transaction(async (tx) => {
    for (const id of ids) await insertRecord(tx, recordOf(id, overrides))
  })
}

export async function insertModel(tx: Transaction): Promise<void> {
  await tx.workflows.insert(DEFAULT_WORKFLOW)
  await tx.dimensions.insert({ id: 'language', name: 'Language', segments: [{ id: 'de', name: 'German' }] })
  for (const id of ['sch-a', 'sch-b'])
    await tx.schemas.insert({
      id,
      name: id,
      workflowId: DEFAULT_WORKFLOW.id,
      attributes: [],
      combinations: null,
      createdAt: AT,
      updatedAt: AT,
    })
}

/** A catalog with categories, of which the second is below the first. */
export async function insertCategories(tx: Transaction): Promise<void> {
  await tx.catalogs.insert({ id: 'cat-1', name: 'Web' })
  for (const [id, parentId] of [
    ['ctg-1', null],
    ['ctg-2', 'ctg-1'],
  ] as const)
    await tx.categories.insert({ id, catalogId: 'cat-1', parentId, name: id, sortOrder: 0 })
}

export function jobOf(id: string, overrides: Partial<ExportJob> = {}): ExportJob {
  return {
    id,
    name: id,
    description: '',
    destinationType: 'webhook',
    destinationConfig: {},
    secrets: {},
    format: 'json',
    schemaId: null,
    catalogId: null,
    dimensionScope: null,
    schedule: '0 * * * *',
    timezone: 'UTC',
    includeVariants: true,
    variantValues: 'effective',
    ...PLAIN_JOB,
    compress: false,
    filenameTemplate: '{date}.json',
    active: true,
    includeLifecycleStateIds: null,
    spreadsheetSafe: false,
    maxAttempts: 5,
    missedRunPolicy: 'skip',
    createdAt: AT,
    updatedAt: AT,
    createdBy: 'usr-1',
    handledUntil: AT,
    ...overrides,
  }
}

export function runOf(id: string, jobId: string, overrides: Partial<ExportRun> = {}): ExportRun {
  return {
    ...NOTHING_YET,
    id,
    jobId,
    status: 'running',
    startedAt: AT,
    completedAt: null,
    recordCount: null,
    fileSize: null,
    destinationPath: null,
    error: null,
    ...overrides,
  }
}
