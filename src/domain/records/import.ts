// An import: what a client may ask for, what a line of it is, and what is answered. Contract 2 §7.
import * as v from 'valibot'
import type { CsvCell } from '../csv/csv-row.ts'
import { type ErrorCode, ERROR_CODES, type PimletError } from '../errors.ts'
import { RecordId } from '../input/validation.ts'

export const IMPORT_MODES = ['create', 'upsert'] as const

/** create: an ID that exists is an error; upsert: the record with that ID takes the values of the line. */
export type ImportMode = (typeof IMPORT_MODES)[number]

export interface ImportOptions {
  readonly mode: ImportMode
  /** Says what would come of each line, and writes nothing. */
  readonly dryRun: boolean
  /** Of lines that name none. */
  readonly schemaId?: string | undefined
}

/** A line as it was read: `line` counts from 1, blank ones included; `size` is in bytes. */
export type ImportLine = { readonly line: number; readonly size: number } & (
  | { readonly kind: 'body'; readonly body: unknown }
  | { readonly kind: 'header'; readonly names: readonly string[] }
  | { readonly kind: 'row'; readonly cells: readonly CsvCell[] }
  | { readonly kind: 'fault'; readonly error: PimletError }
)

const Reference = v.string('must be a string')

/** The body of POST /records, where the schema may come from the import, or for an upsert from the record. */
export const ImportedRecord = v.object({
  id: v.optional(RecordId),
  schemaId: v.optional(Reference),
  parentId: v.optional(v.nullable(Reference)),
  values: v.unknown(),
})
export type ImportedRecord = v.InferOutput<typeof ImportedRecord>

/** Errors beyond the first so many are counted, not listed. */
export const MAX_IMPORT_ERRORS = 1000

export const ImportResult = v.object({
  created: v.number(),
  updated: v.number(),
  unchanged: v.pipe(v.number(), v.description('Lines that say what is so already; they leave no audit entry.')),
  failed: v.number(),
  errors: v.pipe(
    v.array(
      v.object({
        line: v.pipe(v.number(), v.description('From 1, where the record begins; blank lines count.')),
        id: v.pipe(v.nullable(v.string()), v.description('What the line gives as id.')),
        error: v.picklist(ERROR_CODES),
        message: v.string(),
      }),
    ),
    v.description(`Of the first ${MAX_IMPORT_ERRORS} lines that failed, in the order of the file.`),
  ),
})
export type ImportResult = v.InferOutput<typeof ImportResult>
export type ImportOutcome =
  | { readonly kind: 'created' | 'updated' | 'unchanged' }
  | {
      readonly kind: 'failed'
      readonly line: number
      readonly id: string | null
      readonly code: ErrorCode
      readonly message: string
    }
