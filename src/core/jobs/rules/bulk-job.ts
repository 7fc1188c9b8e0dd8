// Jobs that change many records in the background: their stored form and status. Contract 3 §2, 3 §10.
import * as v from 'valibot'
import { Timestamp, type OutputOf } from '../../../kernel/input/validation.ts'
import type { BulkAction } from '../../../bulk/rules/bulk-actions.ts'
import type { Duplicates } from '../../../imports/rules/import-outcome.ts'
import { MakingMember } from '../../../imports/rules/making.ts'
import type { UploadPlan } from '../../../imports/rules/zip-mapping.ts'
import { PausedReasonShape, type Owner } from '../../accounts/rules/owner.ts'
import { canRead, type Role } from '../../accounts/rules/permissions.ts'
import type { MadeModel } from '../../model/rules/new-model.ts'
import type { AttributeRenaming } from '../../model/rules/attribute-renaming.ts'
import { CategoriesChangeShape, AttributeChangeShape } from '../../records/rules/changes.ts'
import { LimitMember, type RecordLimit } from '../../records/rules/record-limit.ts'
import type { Selection } from '../../search/rules/selection.ts'
import { ERROR_CODES } from '../../../kernel/errors.ts'
import { OwnerId } from '../../../kernel/input/common-shapes.ts'

const BULK_KINDS = ['bulk', 'import', 'undo', 'schema'] as const
export type BulkKind = (typeof BULK_KINDS)[number]

/** interrupted: the server stopped meanwhile, and the job goes on with its next start; or it is paused, and waits for another owner. */
export const BULK_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'interrupted'] as const

/** The outcome for one record. */
export const BULK_OUTCOMES = ['created', 'updated', 'unchanged', 'failed'] as const
export type BulkOutcome = (typeof BULK_OUTCOMES)[number]

/** Jobs that run at once, of all callers. */
export const MAX_RUNNING_JOBS = 2
/** Jobs of one caller that wait for their turn. */
export const MAX_QUEUED_JOBS = 50
/** Errors stored for one job. Further errors are only counted. */
export const MAX_BULK_ERRORS = 10_000
/** Samples stored for each outcome of one job. */
export const MAX_SAMPLES = 1000
/** Samples shown in the job itself, in a dry run. */
export const SHOWN_SAMPLES = 20
/** Characters of the changes of all samples of a job. */
export const MAX_SAMPLE_CHARACTERS = 4 * 1024 * 1024

/** Which records a job is for. */
export type BulkSelection =
  | { readonly ids: readonly string[] }
  | { readonly query: Selection; readonly except?: readonly string[] | undefined }

/** The task of a job. */
export type BulkTask =
  | { readonly kind: 'bulk'; readonly selection: BulkSelection; readonly actions: readonly BulkAction[] }
  | { readonly kind: 'detach'; readonly recordId: string }
  | { readonly kind: 'undo'; readonly jobId: string }
  | ImportTask
  | { readonly kind: 'rename'; readonly renaming: AttributeRenaming }
  | { readonly kind: 'replacement'; readonly schemaId: string; readonly dropValues: boolean }

export interface ImportTask {
  readonly kind: 'import'
  readonly importId: string
  readonly mapping: UploadPlan
  readonly duplicates?: Duplicates | undefined
  /** The options and categories that the import made so far. */
  readonly made?: MadeByImport | undefined
}

/** Options, by attribute, and categories: their IDs. */
export interface MadeByImport {
  readonly schemaId: string
  readonly options: Readonly<Record<string, readonly string[]>>
  readonly categories: readonly string[]
  /** The model that the mapping brought along. */
  readonly model?: MadeModel | undefined
}

export interface BulkCounts {
  /** The records to process; `done` of them are processed. */
  readonly selected: number
  readonly done: number
  readonly changed: number
  readonly unchanged: number
  readonly failed: number
  /** In an import, each changed record is one of these. */
  readonly created: number
  readonly updated: number
}

export const NO_COUNTS: BulkCounts = {
  selected: 0,
  done: 0,
  changed: 0,
  unchanged: 0,
  failed: 0,
  created: 0,
  updated: 0,
}

const Count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** Where the files and lines of an import are. */
const Line = v.optional(
  v.pipe(
    v.number(),
    v.description('In an import: the line in the file, from 1. Of a zip: the place of the file in it.'),
  ),
)

const File = v.optional(v.pipe(v.string(), v.description('In an import of a zip: the path of the file.')))

export const BulkErrorShape = v.object({
  recordId: v.pipe(
    v.nullable(v.string()),
    v.description('null: the error concerns the whole job, or a row that names no record.'),
  ),
  line: Line,
  file: File,
  error: v.picklist(ERROR_CODES),
  message: v.string(),
})
export type ErrorView = OutputOf<typeof BulkErrorShape>

export const BulkSampleShape = v.object({
  recordId: v.pipe(v.nullable(v.string()), v.description('null: a failed row of an import that names no record.')),
  /** In an import. */
  line: Line,
  /** In an import of a zip: the file, and its place in the list of the record, from 1. */
  file: File,
  place: v.optional(
    v.pipe(Count, v.description('In an import of a zip: the place of the file in the list of the record, from 1.')),
  ),
  changes: v.array(v.union([AttributeChangeShape, CategoriesChangeShape])),
})
export type SampleView = OutputOf<typeof BulkSampleShape>

export const BulkJobShape = v.object({
  id: v.string(),
  name: v.nullable(v.string()),
  kind: v.picklist(BULK_KINDS),
  status: v.pipe(
    v.picklist(BULK_STATUSES),
    v.description(
      'interrupted: the server stopped during the job; the job continues at the next start. With a `pausedReason`, the job waits until a caller takes it over.',
    ),
  ),
  dryRun: v.boolean(),
  selected: v.pipe(
    Count,
    v.description('The number of records to process; in an import of a zip, of files. It is final once the job runs.'),
  ),
  done: v.pipe(Count, v.description('The number of processed records: the sum of changed, unchanged and failed.')),
  changed: Count,
  unchanged: Count,
  failed: Count,
  created: v.optional(v.pipe(Count, v.description('In an import: how many of the changed records are new.'))),
  updated: v.optional(Count),
  importId: v.optional(v.pipe(v.string(), v.description('In an import: the ID of the import.'))),
  createdAt: Timestamp,
  startedAt: v.nullable(Timestamp),
  completedAt: v.nullable(Timestamp),
  createdBy: v.string(),
  ownerId: OwnerId,
  pausedReason: PausedReasonShape,
  undoes: v.pipe(v.nullable(v.string()), v.description('The job that this job undoes.')),
  undoneBy: v.pipe(v.nullable(v.string()), v.description('The job that undoes this job.')),
  sample: v.optional(
    v.pipe(
      v.array(BulkSampleShape),
      v.description(`In a dry run: the first ${SHOWN_SAMPLES} records that would change.`),
    ),
  ),
  limit: LimitMember,
  making: MakingMember,
  fetches: v.optional(
    v.pipe(
      Count,
      v.description('After the dry run of an import with the step fetch: files that the import would fetch.'),
    ),
  ),
  pictures: v.optional(
    v.pipe(
      Count,
      v.description('In an import of a zip: the records of pictures that it has made, or in a dry run would make.'),
    ),
  ),
})

/** A job; the role of its owner applies to each record. */
export interface BulkJob
  extends
    BulkCounts,
    Pick<Owner, 'ownerKind'>,
    Omit<OutputOf<typeof BulkJobShape>, keyof BulkCounts | 'importId' | 'sample' | 'limit'> {
  /** Whether the records are fixed. */
  readonly isSelected: boolean
  /** The version of the first changed record after the change; null: none changed yet. */
  readonly firstVersion: number | null
  /** In an import: the file, the last row that was read (from 1), and the round. */
  readonly importId: string | null
  readonly round: number
  readonly position: number
  /** After the dry run of an import: the number of records there would be. */
  readonly recordsAfter: number | null
}

/** A job as clients see it: without members for the server alone, and without members that only imports have. */
export function toShownJob(stored: BulkJobView) {
  const { ownerKind: _kind, isSelected: _isSelected, firstVersion: _version, round: _round, ...rest } = stored
  const { position: _position, recordsAfter: _after, created, updated, importId, ...job } = rest
  return job.kind === 'import' && importId !== null ? { ...job, created, updated, importId } : job
}

/** Without options of attributes that the role may not read. */
export function readableJob(role: Role, job: BulkJob): BulkJob {
  const { making } = job
  if (making === undefined) return job
  const options = making.options.filter(({ schemaId, attributeAlias }) => canRead(role, schemaId, attributeAlias))
  return { ...job, making: { ...making, options } }
}

export function hasEnded({ status }: Pick<BulkJob, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled'
}

/** A job, as far as the caller may see it. */
export interface BulkJobView extends BulkJob {
  /** In a dry run. */
  readonly sample?: readonly SampleView[]
  /** In the dry run of an import that would exceed the record limit. */
  readonly limit?: RecordLimit
}
