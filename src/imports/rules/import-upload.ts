// A file that waits to be imported, and what is known of it. Contract 3 §4, 3 §11.
import type { Decimal, Delimiter, Encoding } from '../../core/csv/source-dialect.ts'
import type { ImportFormat } from './import-outcome.ts'
import type { ImportPlan, Target } from './import-profile.ts'

/** Days that a file is kept. */
export const KEEP_IMPORT_DAYS = 7
/** Rows of one job of which it is kept what is wrong with them: as many as a sheet has. Those beyond are counted. */
export const MAX_FAILED_ROWS = 1_048_576
/** Of one workspace. */
export const MAX_IMPORTS = 1000
/** Cells of a column that are shown, and characters of each. */
export const MAX_SAMPLES_OF_COLUMN = 5
export const MAX_SAMPLE_LENGTH = 100

export const IMPORT_STATUSES = ['uploaded', 'mapped', 'running', 'done'] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]

/** high: as good as certain; low: a guess, which somebody should look at. */
export const CONFIDENCES = ['high', 'low'] as const
export type Confidence = (typeof CONFIDENCES)[number]

export interface FileColumn {
  /** From 0. */
  readonly index: number
  readonly header: string
  /** Of the first rows that have something there. */
  readonly samples: readonly string[]
  readonly suggestion: Target | null
  readonly confidence: Confidence | null
}

export interface ImportUpload {
  readonly id: string
  readonly fileName: string
  /** Bytes. */
  readonly size: number
  readonly format: ImportFormat
  readonly encoding: Encoding | null
  readonly delimiter: Delimiter | null
  readonly decimal: Decimal | null
  /** Whether who brought the file has said what its decimal sign is. */
  readonly isDecimalSaid?: boolean
  /** Of a spreadsheet: which is read; null: the first one. */
  readonly sheet: string | null
  readonly sheets: readonly string[] | null
  /** The schema that the suggestions are for. */
  readonly schemaId: string | null
  readonly profileId: string | null
  readonly isMapped: boolean
  readonly jobIds: readonly string[]
  readonly createdBy: string
  /** Who sees it, besides those who manage users. */
  readonly ownerId: string
  /** ISO 8601. */
  readonly createdAt: string
  readonly expiresAt: string
}

/** What lists leave out. */
export interface ImportDetails {
  readonly columns: readonly FileColumn[]
  readonly mapping: ImportPlan | null
}
