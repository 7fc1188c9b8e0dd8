// An import: the options of a client, the lines, and the result. Contract 2 §7.
import * as v from 'valibot'
import type { CsvCell } from '../../core/csv/csv-cell.ts'
import type { CellStyle } from '../../core/csv/csv-header.ts'
import type { AskedDialect, Decimal, Delimiter, Encoding } from '../../core/csv/source-dialect.ts'
import { ERROR_CODES, type PimletError } from '../../kernel/errors.ts'
import type { MakingList } from './making.ts'
import type { RecordLimit } from '../../core/records/rules/record-limit.ts'
import type { PlacedCells } from './placed-cells.ts'
import { type OutputOf, RecordId, Reference } from '../../kernel/input/validation.ts'
import { CategoriesChangeShape, AttributeChangeShape } from '../../core/records/rules/changes.ts'

export const IMPORT_MODES = ['create', 'upsert', 'update'] as const

/**
 * create: an existing ID is an error; upsert: an existing record takes the values of the line; update: the record must
 * exist.
 */
export type ImportMode = (typeof IMPORT_MODES)[number]

/** Whether an empty cell keeps or clears a stored value. */
export const EMPTY_CELLS = ['keep', 'clear'] as const
export type EmptyCells = (typeof EMPTY_CELLS)[number]

/** A line with the key of an earlier line fails (`fail`), or is imported too (`last`). */
export const DUPLICATES = ['fail', 'last'] as const
export type Duplicates = (typeof DUPLICATES)[number]

/** Options that a client sends with the file. */
export interface ImportQuestion extends ReadOptions {
  /** Reports the outcome of each line, and writes nothing. */
  readonly dryRun: boolean
  /** Schema of lines that name none. */
  readonly schemaId?: string | undefined
  /** ID of a profile. */
  readonly profile?: string | undefined
  /** The options below override the profile. */
  readonly mode?: ImportMode | undefined
  readonly matchBy?: string | undefined
  readonly emptyCells?: EmptyCells | undefined
  readonly duplicates?: Duplicates | undefined
}

interface Unreadable {
  readonly kind: 'fault'
  readonly error: PimletError
  /** The text of the row. */
  readonly raw?: string | undefined
  /** The cells of the row of a sheet. */
  readonly cells?: PlacedCells | undefined
}

/** A line as it was read: `line` counts from 1, blank ones included; `size` is in bytes. */
export type ImportLine = { readonly line: number; readonly size: number } &
  /** `raw`: the text of the line, if requested. */
  (
    | { readonly kind: 'body'; readonly body: unknown; readonly raw?: string | undefined }
    | ({ readonly kind: 'header' } & FileHeader)
    | { readonly kind: 'row'; readonly cells: readonly CsvCell[] }
    | Unreadable
  )

/** A line behind the header. */
export type FileLine = Exclude<ImportLine, { kind: 'header' }>
/** A line that cannot be imported. */
export type FaultyLine = Extract<ImportLine, { kind: 'fault' }>
/** A line that can be read. */
export type RecordLine = Extract<ImportLine, { kind: 'body' | 'row' }>

/** The first row of a file. */
export interface FileHeader {
  readonly names: readonly string[]
  readonly style: CellStyle
  /** Rows behind the header, where number columns have to settle the decimal sign. */
  readonly sample?: { readonly rows: readonly (readonly CsvCell[])[]; readonly delimiter: Delimiter } | undefined
}

/** How a file was written, as far as known. Spreadsheets have no dialect. */
export interface ToldDialect {
  readonly delimiter: Delimiter | null
  readonly decimal: Decimal | null
  readonly encoding: Encoding | null
}

export const IMPORT_FORMATS = ['ndjson', 'csv', 'xlsx'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** Options of the client for reading the file. */
export interface ReadOptions extends AskedDialect {
  /** Sheet of a spreadsheet; undefined: the first one. */
  readonly sheet?: string | undefined
  /** Whether the text of JSON lines is kept, too. */
  readonly keepsRaw?: boolean
}

/** A file as it arrives. `Bytes`: the type of its chunks on this platform. */
export interface ArrivingFile<Bytes extends Uint8Array> {
  readonly format: ImportFormat
  readonly chunks: AsyncIterable<Bytes>
  /** Bytes of one line at most. */
  readonly maxPart: number
  /** Values in one line at most. */
  readonly maxValues: number
  /** Reserves memory for a large line; undefined: memory is unlimited. */
  readonly enter?: (() => Promise<{ leave(): void; takeTurn(): Promise<void> }>) | undefined
}

/** The lines of a file. */
export interface ImportSource {
  /** Batches of lines, as they arrive. */
  readonly lines: AsyncIterable<Iterable<ImportLine>>
  /** Undefined: the format has no columns. */
  readonly dialect: () => ToldDialect | undefined
}

/** The body of POST /records. The schema may come from the import, or in an upsert from the record. */
export const ImportedRecord = v.object({
  id: v.optional(RecordId),
  schemaId: v.optional(Reference),
  parentId: v.optional(v.nullable(Reference)),
  values: v.unknown(),
})
export type ImportedRecord = v.InferOutput<typeof ImportedRecord>

/** Errors beyond this number are counted, not listed. */
export const MAX_IMPORT_ERRORS = 1000
/** Lines whose changes a dry run lists. */
export const MAX_IMPORT_SAMPLE = 20

export const ImportErrorShape = v.object({
  line: v.pipe(v.number(), v.description('The line where the record begins, from 1. Blank lines count.')),
  id: v.pipe(v.nullable(v.string()), v.description('The ID in the line.')),
  error: v.picklist(ERROR_CODES),
  message: v.string(),
})

export type ImportError = OutputOf<typeof ImportErrorShape>

export const ImportSampleShape = v.object({
  line: v.number(),
  id: v.pipe(v.string(), v.description('The ID of the record.')),
  outcome: v.picklist(['created', 'updated']),
  changes: v.array(v.union([AttributeChangeShape, CategoriesChangeShape])),
})
export type ImportSample = OutputOf<typeof ImportSampleShape>

export interface ImportResult {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly failed: number
  readonly errors: readonly ImportError[]
  /** Values removed because their cells were empty. */
  readonly cleared?: number
  readonly delimiter?: Delimiter | null
  readonly decimal?: Decimal | null
  readonly encoding?: Encoding | null
  /** Only in a dry run. */
  readonly sample?: readonly ImportSample[]
  /** Only in a dry run that exceeds the limit of records. */
  readonly limit?: RecordLimit
  /** Options and categories that the import has made, or would make. */
  readonly making?: MakingList
}
