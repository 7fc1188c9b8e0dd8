// An import: what a client may ask for, what a line of it is, and what is answered. Contract 2 §7.
import * as v from 'valibot'
import type { CsvCell } from '../../core/csv/csv-cell.ts'
import type { CellStyle } from '../../core/csv/csv-header.ts'
import type { AskedDialect, Decimal, Delimiter, Encoding } from '../../core/csv/source-dialect.ts'
import type { ErrorCode, PimletError } from '../../kernel/errors.ts'
import type { RecordLimit } from '../../core/records/rules/record-limit.ts'
import { RecordId } from '../../kernel/input/validation.ts'
import type { Change } from '../../core/records/rules/changes.ts'

export const IMPORT_MODES = ['create', 'upsert', 'update'] as const

/** create: an ID that exists is an error; upsert: the record with that ID takes the values of the line; update: there must be one. */
export type ImportMode = (typeof IMPORT_MODES)[number]

/** What an empty cell says of a value that is there: it stays, or goes. */
export const EMPTY_CELLS = ['keep', 'clear'] as const
export type EmptyCells = (typeof EMPTY_CELLS)[number]

/** A line whose key an earlier line has fails (`fail`), or is imported too (`last`). */
export const DUPLICATES = ['fail', 'last'] as const
export type Duplicates = (typeof DUPLICATES)[number]

/** What a client says with the file. */
export interface ImportQuestion extends ReadOptions {
  /** Says what would come of each line, and writes nothing. */
  readonly dryRun: boolean
  /** Of lines that name none. */
  readonly schemaId?: string | undefined
  /** ID of a profile. */
  readonly profile?: string | undefined
  /** In place of what the profile says. */
  readonly mode?: ImportMode | undefined
  readonly matchBy?: string | undefined
  readonly emptyCells?: EmptyCells | undefined
  readonly duplicates?: Duplicates | undefined
}

/** A line as it was read: `line` counts from 1, blank ones included; `size` is in bytes. */
export type ImportLine = { readonly line: number; readonly size: number } &
  /** `raw`: the line as it was, where that is asked for. */
  (
    | { readonly kind: 'body'; readonly body: unknown; readonly raw?: string | undefined }
    | ({ readonly kind: 'header' } & FileHeader)
    | { readonly kind: 'row'; readonly cells: readonly CsvCell[] }
    /** `raw`: the row as it was, where it could not be read. */
    | { readonly kind: 'fault'; readonly error: PimletError; readonly raw?: string | undefined }
  )

/** The first row of a file. */
export interface FileHeader {
  readonly names: readonly string[]
  readonly style: CellStyle
  /** Rows behind it, where the columns that hold numbers are to say what the decimal sign is. */
  readonly sample?: { readonly rows: readonly (readonly CsvCell[])[]; readonly delimiter: Delimiter } | undefined
}

/** How a file was written, as far as it is known by now. Of a spreadsheet there is nothing to know. */
export interface ToldDialect {
  readonly delimiter: Delimiter | null
  readonly decimal: Decimal | null
  readonly encoding: Encoding | null
}

export const IMPORT_FORMATS = ['ndjson', 'csv', 'xlsx'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** What whoever sends a file says of how it is to be read. */
export interface ReadOptions extends AskedDialect {
  /** Of a spreadsheet; without it the first one. */
  readonly sheet?: string | undefined
  /** Whether lines of JSON are wanted as they were, too. */
  readonly keepsRaw?: boolean
}

/** A file as it arrives. `Bytes`: what its parts are, where this runs. */
export interface ArrivingFile<Bytes extends Uint8Array> {
  readonly format: ImportFormat
  readonly chunks: AsyncIterable<Bytes>
  /** Bytes that one line may have. */
  readonly maxPart: number
  /** Values that one line may hold. */
  readonly maxValues: number
  /** Waits for room for a line that is large; without it there is always some. */
  readonly enter?: (() => Promise<{ leave(): void; takeTurn(): Promise<void> }>) | undefined
}

/** What a file says, line by line. */
export interface ImportSource {
  /** Some at a time, as they arrive. */
  readonly lines: AsyncIterable<Iterable<ImportLine>>
  /** Undefined: it has no columns. */
  readonly dialect: () => ToldDialect | undefined
}

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
/** Lines that a dry run tells with their changes. */
export const MAX_IMPORT_SAMPLE = 20

export interface ImportError {
  /** From 1, where the record begins; blank lines count. */
  readonly line: number
  /** What the line gives as id. */
  readonly id: string | null
  readonly error: ErrorCode
  readonly message: string
}

interface ImportSample {
  readonly line: number
  /** Of the record. */
  readonly id: string
  readonly outcome: 'created' | 'updated'
  readonly changes: readonly Change[]
}

export interface ImportResult {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly failed: number
  readonly errors: readonly ImportError[]
  /** Values that went because their cells were empty. */
  readonly cleared?: number
  readonly delimiter?: Delimiter | null
  readonly decimal?: Decimal | null
  readonly encoding?: Encoding | null
  /** In a dry run. */
  readonly sample?: readonly ImportSample[]
  /** Of a dry run of what passes the limit of records. */
  readonly limit?: RecordLimit
}
