// An uploaded file that waits for its import, and its details. Contract 3 §4, 3 §11.
import * as v from 'valibot'
import type { OutputOf } from '../../kernel/input/validation.ts'
import type { Decimal, Delimiter, Encoding } from '../../core/csv/source-dialect.ts'
import { type ArrivingFile, IMPORT_FORMATS } from './import-outcome.ts'
import { FieldTarget, AttributeTarget } from './import-profile.ts'
import type { UploadPlan } from './zip-mapping.ts'

/** A zip has files for records, and no lines. */
export const UPLOAD_FORMATS = [...IMPORT_FORMATS, 'zip'] as const
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

export const IMPORT_STATUSES = ['uploaded', 'mapped', 'running', 'done'] as const
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

export interface ImportUpload {
  readonly id: string
  readonly fileName: string
  /** Bytes. */
  readonly size: number
  readonly format: UploadFormat
  readonly encoding: Encoding | null
  readonly delimiter: Delimiter | null
  readonly decimal: Decimal | null
  /** Whether the uploader declared the decimal sign. */
  readonly isDecimalSaid?: boolean
  /** The sheet of a spreadsheet that is read; null: the first one. */
  readonly sheet: string | null
  readonly sheets: readonly string[] | null
  /** The schema of the suggestions. */
  readonly schemaId: string | null
  readonly profileId: string | null
  readonly isMapped: boolean
  readonly jobIds: readonly string[]
  readonly createdBy: string
  /** The owner sees the import, and so do users who manage users. */
  readonly ownerId: string
  /** ISO 8601. */
  readonly createdAt: string
  readonly expiresAt: string
}

/** The content of a zip of files. */
export interface ZipContent {
  readonly files: number
  /** Paths of the first files. */
  readonly samples: readonly string[]
  /** Entries that are no files for records: directories, hidden files, additions of macOS. */
  readonly skipped: { readonly files: number; readonly samples: readonly string[] }
}

/** Members that lists leave out. */
export interface ImportDetails {
  readonly columns: readonly FileColumn[]
  readonly mapping: UploadPlan | null
  /** Set for a zip. */
  readonly zip?: ZipContent | undefined
}

const DAY = 86_400_000

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
