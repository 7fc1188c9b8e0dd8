// An uploaded file that waits for its import, and its details. Contract 3 §4, 3 §11.
import * as v from 'valibot'
import { Timestamp, type OutputOf } from '../../kernel/input/validation.ts'
import { ENCODINGS } from '../../core/csv/source-dialect.ts'
import { type ArrivingFile, IMPORT_FORMATS } from './import-outcome.ts'
import { FieldTarget, AttributeTarget } from './import-profile.ts'
import type { UploadPlan } from './zip-mapping.ts'
import { DELIMITERS, DECIMALS } from '../../core/csv/csv-dialect.ts'
import { BULK_STATUSES } from '../../core/jobs/rules/bulk-job.ts'

/** A zip has files for records, and no lines. */
const UPLOAD_FORMATS = [...IMPORT_FORMATS, 'zip'] as const
export type UploadFormat = (typeof UPLOAD_FORMATS)[number]

/** A file that arrives, to be kept. */
export type UploadedFile = Omit<ArrivingFile<Buffer>, 'format'> & { readonly format: UploadFormat }

/** Days that a file is kept. */
export const KEEP_IMPORT_DAYS = 7
/** Failed rows of one job whose error is stored, as many as a sheet has; further ones are only counted. */
export const MAX_FAILED_ROWS = 1_048_576
/** Files of one zip. */
export const MAX_ZIP_FILES = 20_000
/** Most imports of one workspace. */
export const MAX_IMPORTS = 1000

const IMPORT_STATUSES = ['uploaded', 'mapped', 'running', 'done'] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]

/** high: practically certain; low: a guess that the user should check. */
const CONFIDENCES = ['high', 'low'] as const
export type Confidence = (typeof CONFIDENCES)[number]

export const FileColumnShape = v.object({
  /** From 0. */
  index: v.number(),
  header: v.string(),
  samples: v.pipe(v.array(v.string()), v.description('The first cells, at most 5.')),
  suggestion: v.pipe(v.nullable(v.union([FieldTarget, AttributeTarget])), v.description('The suggested target.')),
  confidence: v.pipe(v.nullable(v.picklist(CONFIDENCES)), v.description('low: check the suggestion.')),
})
export type FileColumn = OutputOf<typeof FileColumnShape>

export const UploadSummaryShape = v.object({
  id: v.string(),
  fileName: v.string(),
  size: v.pipe(v.number(), v.description('Bytes.')),
  format: v.picklist(UPLOAD_FORMATS),
  encoding: v.nullable(v.picklist(ENCODINGS)),
  delimiter: v.nullable(v.picklist(DELIMITERS)),
  decimal: v.pipe(
    v.nullable(v.picklist(DECIMALS)),
    v.description(
      'For a csv; final once a job has begun. null: not a csv, or its numbers can be read with either sign.',
    ),
  ),
  sheet: v.optional(v.pipe(v.string(), v.description('The sheet that is read, if one was named.'))),
  sheets: v.optional(v.array(v.string())),
  schemaId: v.pipe(v.nullable(v.string()), v.description('The schema that explains the columns.')),
  status: v.picklist(IMPORT_STATUSES),
  profileId: v.nullable(v.string()),
  jobIds: v.array(v.string()),
  lastRun: v.pipe(
    v.nullable(
      v.object({ jobId: v.string(), status: v.picklist(BULK_STATUSES), done: v.number(), failed: v.number() }),
    ),
    v.description('The last run that was no dry run. null: none has begun, or its job is no longer kept.'),
  ),
  createdBy: v.string(),
  ownerId: v.pipe(v.string(), v.description('The caller who sees the import, besides callers who manage users.')),
  createdAt: Timestamp,
  expiresAt: v.pipe(Timestamp, v.description('When the file is deleted.')),
})

export interface ImportUpload extends Omit<
  OutputOf<typeof UploadSummaryShape>,
  'sheet' | 'sheets' | 'status' | 'lastRun'
> {
  /** Whether the uploader declared the decimal sign. */
  readonly isDecimalSaid?: boolean
  /** The sheet of a spreadsheet that is read; null: the first one. */
  readonly sheet: string | null
  readonly sheets: readonly string[] | null
  readonly isMapped: boolean
}

/** The content of a zip of files. */
export interface ZipContent {
  readonly files: number
  /** Paths of the first files. */
  readonly samples: readonly string[]
  /** Entries that are no files for records: directories, hidden files, additions of macOS. */
  readonly skipped: SkippedEntries
}

/** Members that lists leave out. */
export interface ImportDetails {
  readonly columns: readonly FileColumn[]
  readonly mapping: UploadPlan | null
  /** Set for a zip. */
  readonly zip?: ZipContent | undefined
}

const DAY = 86_400_000

export const SkippedShape = v.object({
  files: v.number(),
  samples: v.pipe(v.array(v.string()), v.description('The first ones, at most 20.')),
})

/** Entries that are no files, as far as they are named. */
export type SkippedEntries = OutputOf<typeof SkippedShape>

/** A file of JSON lines that the server itself keeps. */
export function uploadOfLines(
  { id, fileName, size, ownerId }: Pick<ImportUpload, 'id' | 'fileName' | 'size' | 'ownerId'>,
  now: Date,
): ImportUpload {
  const expiresAt = new Date(now.getTime() + KEEP_IMPORT_DAYS * DAY).toISOString()
  const unknown = { encoding: null, delimiter: null, decimal: null, sheet: null, sheets: null }
  const times = { createdBy: ownerId, ownerId, createdAt: now.toISOString(), expiresAt }
  return {
    id,
    fileName,
    size,
    format: 'ndjson',
    ...unknown,
    schemaId: null,
    profileId: null,
    isMapped: false,
    jobIds: [],
    ...times,
  }
}
