// An export job as its form has it, and what is sent of it: what the form does not know stays what it was. Contract 2 §6, 3 §5.
import type { Endpoints } from '../api/types.ts'
import { configToSend, type TypedSecrets } from './config-fields.ts'

export type ExportJob = Endpoints['GET /api/v1/export-jobs/:id']['reply']
export type ExportRun = Endpoints['GET /api/v1/export-runs']['reply'][number]
export type JobBody = Endpoints['PUT /api/v1/export-jobs/:id']['body']

type ServerSet = 'createdAt' | 'updatedAt' | 'createdBy' | 'ownerId' | 'pausedReason' | 'nextRunAt' | 'lastRun'

/** Members that people fill in. */
export type JobDraft = Omit<ExportJob, 'id' | ServerSet>

/** What each part of the form is handed. */
export interface PartProps {
  readonly draft: JobDraft
  readonly put: (changes: Partial<JobDraft>) => void
}

/** @param timezone of whoever makes it */
export function newJob(destinationType: string, timezone: string): JobDraft {
  return {
    name: '',
    description: '',
    destinationType,
    destinationConfig: {},
    format: 'csv',
    schemaId: null,
    catalogId: null,
    dimensionScope: null,
    includeLifecycleStateIds: null,
    schedule: '0 2 * * *',
    timezone,
    missedRunPolicy: 'skip',
    includeVariants: true,
    variantValues: 'effective',
    compress: false,
    spreadsheetSafe: false,
    filenameTemplate: 'export-{date}.{format}',
    maxAttempts: 5,
    selection: null,
    sort: [],
    columns: null,
    delta: null,
    guards: null,
    checksum: null,
    delimiter: ',',
    decimal: '.',
    bom: false,
    sheet: null,
    active: true,
  }
}

/** A stored job without what the server sets. */
export function draftOf(job: ExportJob): JobDraft {
  const { id: _id, createdAt: _at, updatedAt: _to, createdBy: _by, nextRunAt: _next, lastRun: _run, ...rest } = job
  const { ownerId: _owner, pausedReason: _reason, ...draft } = rest
  return draft
}

export function bodyOf(draft: JobDraft, typed: TypedSecrets): JobBody {
  return { ...draft, destinationConfig: configToSend(draft.destinationConfig, typed) }
}

/** Another destination begins with settings of its own. */
export function withDestination(draft: JobDraft, destinationType: string): Partial<JobDraft> {
  return destinationType === draft.destinationType ? {} : { destinationType, destinationConfig: {} }
}

/** `csv.gz`. */
export function fileKind({ format, compress }: Pick<JobDraft, 'format' | 'compress'>): string {
  return compress ? `${format}.gz` : format
}
