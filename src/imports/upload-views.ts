// Views of an import for a caller, with its jobs and its progress. Contract 3 §4, 3 §11.
import { type BulkJob, hasEnded } from '../core/jobs/rules/bulk-job.ts'
import { conflict, notFound, PimletError } from '../kernel/errors.ts'
import type { ImportDetails, ImportStatus, ImportUpload } from './rules/import-upload.ts'
import { hasPermission } from '../core/accounts/rules/permissions.ts'
import { assertMayReadFile, assertMayReadMapped } from './rules/import-rights.ts'
import { isZipMapping } from './rules/zip-mapping.ts'
import type { Model } from '../core/model/rules/model.ts'
import type { Reads } from '../store/port.ts'
import type { Caller } from '../core/accounts/caller.ts'

/** The last run that was no dry run. */
type LastRun = Pick<BulkJob, 'status' | 'done' | 'failed'> & { readonly jobId: string }
/** `lastRun` is null: none has begun, or its job is no longer kept. */
export type UploadSummary = ImportUpload & { readonly status: ImportStatus; readonly lastRun: LastRun | null }
export type UploadView = UploadSummary & ImportDetails

type ImportingReads = Pick<Reads, 'imports' | 'bulkJobs'>
type RowReads = ImportingReads & Pick<Reads, 'model'>

/** Users who manage users see all imports. @throws NOT_FOUND */
export async function findUpload(
  reads: ImportingReads,
  { id: callerId, role }: Caller,
  id: string,
): Promise<ImportUpload> {
  const upload = await reads.imports.get(id)
  if (upload === undefined || (upload.ownerId !== callerId && !hasPermission(role, 'users.manage')))
    throw notFound('Import', id)
  return upload
}

/** Finds an import whose rows the caller may see. @throws NOT_FOUND, PERMISSION_DENIED */
export async function findRows(reads: RowReads, caller: Caller, id: string): Promise<ImportUpload> {
  const upload = await findUpload(reads, caller, id)
  assertMaySeeRows(caller, upload, await reads.imports.detailsOf(id), await reads.model())
  return upload
}

/**
 * Others than the owner must be able to read what the mapping names, since the rows have these values. Without named columns, the file
 * itself names attributes.
 * @throws PERMISSION_DENIED
 */
export function assertMaySeeRows(caller: Caller, upload: ImportUpload, details: ImportDetails, model: Model): void {
  if (upload.ownerId === caller.id) return
  const { mapping } = details
  assertMayReadMapped(caller.role, mapping, model)
  if (mapping === null || (!isZipMapping(mapping) && mapping.columns === null))
    assertMayReadFile(caller.role, upload, { ...details, schemaId: mapping?.schemaId ?? upload.schemaId }, model)
}

/** Without samples of the cells if the caller may not see the rows. */
export async function viewOf(reads: RowReads, caller: Caller, upload: ImportUpload): Promise<UploadView> {
  const details = await reads.imports.detailsOf(upload.id)
  const view = { ...(await summaryOf(reads, upload)), ...details }
  try {
    assertMaySeeRows(caller, upload, details, await reads.model())
    return view
  } catch (error) {
    if (!(error instanceof PimletError)) throw error
    return { ...view, columns: details.columns.map((column) => ({ ...column, samples: [] })) }
  }
}

export async function summaryOf(reads: ImportingReads, upload: ImportUpload): Promise<UploadSummary> {
  const jobs = await jobsOf(reads, upload)
  return { ...upload, status: statusAfter(upload, jobs), lastRun: lastRunOf(jobs) }
}

export async function statusOf(reads: ImportingReads, upload: ImportUpload): Promise<ImportStatus> {
  return statusAfter(upload, await jobsOf(reads, upload))
}

function lastRunOf(jobs: readonly BulkJob[]): LastRun | null {
  const found = jobs.findLast(({ dryRun }) => !dryRun)
  if (found === undefined) return null
  const { id: jobId, status, done, failed } = found
  return { jobId, status, done, failed }
}

function statusAfter(upload: ImportUpload, jobs: readonly BulkJob[]): ImportStatus {
  if (jobs.some((job) => !hasEnded(job))) return 'running'
  if (jobs.some(({ dryRun }) => !dryRun)) return 'done'
  return upload.isMapped ? 'mapped' : 'uploaded'
}

/** Returns the jobs that still exist, in order. */
export async function jobsOf(reads: ImportingReads, { jobIds }: ImportUpload): Promise<BulkJob[]> {
  const jobs: BulkJob[] = []
  for (const id of jobIds) {
    const job = await reads.bulkJobs.get(id)
    if (job !== undefined) jobs.push(job)
  }
  return jobs
}

/** @throws CONFLICT */
export async function assertRests(reads: ImportingReads, upload: ImportUpload): Promise<void> {
  const busy = (await jobsOf(reads, upload)).find((job) => !hasEnded(job))
  if (busy !== undefined) throw conflict(`The import '${upload.id}' is under way, by the bulk job '${busy.id}'`)
}
