// An export job as a form draft, and as the body of a request. Members that the form does not know stay unchanged.
// Contract 2 §6, 3 §5.
import type { Endpoints } from '../api/types.ts'
import { configToSend, type TypedSecrets } from '../kit/config.ts'

export type ExportJob = Endpoints['GET /api/v1/export-jobs/:id']['reply']
export type ExportRun = Endpoints['GET /api/v1/export-runs']['reply'][number]
export type JobBody = Endpoints['PUT /api/v1/export-jobs/:id']['body']

type ServerSet = 'createdAt' | 'updatedAt' | 'createdBy' | 'ownerId' | 'pausedReason' | 'nextRunAt' | 'lastRun'

/** The members that people fill in. */
export type JobDraft = Omit<ExportJob, 'id' | ServerSet>

/** The props of each part of the form. */
export interface PartProps {
  readonly draft: JobDraft
  readonly put: (changes: Partial<JobDraft>) => void
}

/** @param timezone of the user who creates the job */
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
    separator: '|',
    sheet: null,
    xml: null,
    files: null,
    active: true,
  }
}

/** A stored job without the members that the server sets. */
export function draftOf(job: ExportJob): JobDraft {
  const { id: _id, createdAt: _at, updatedAt: _to, createdBy: _by, nextRunAt: _next, lastRun: _run, ...rest } = job
  const { ownerId: _owner, pausedReason: _reason, ...draft } = rest
  return draft
}

export function bodyOf(draft: JobDraft, typed: TypedSecrets): JobBody {
  return { ...draft, destinationConfig: configToSend(draft.destinationConfig, typed) }
}

/** Changes the destination. A new destination starts without settings. */
export function withDestination(draft: JobDraft, destinationType: string): Partial<JobDraft> {
  return destinationType === draft.destinationType ? {} : { destinationType, destinationConfig: {} }
}

/** `csv.gz`. */
export function fileKind({ format, compress }: Pick<JobDraft, 'format' | 'compress'>): string {
  return compress ? `${format}.gz` : format
}
