// An import: the options of a client, the lines, and the result. Contract 2 §7.
import * as v from 'valibot'
import type { CsvCell } from '../../core/csv/csv-cell.ts'
import type { CellStyle } from '../../core/csv/csv-header.ts'
import {
  ENCODINGS,
  type AskedDialect,
  type Decimal,
  type Delimiter,
  type Encoding,
} from '../../core/csv/source-dialect.ts'
import { ERROR_CODES, type PimletError } from '../../kernel/errors.ts'
import { MakingMember } from './making.ts'
import { LimitMember } from '../../core/records/rules/record-limit.ts'
import type { PlacedCells } from './placed-cells.ts'
import { type OutputOf, RecordId, Reference } from '../../kernel/input/validation.ts'
import { CategoriesChangeShape, AttributeChangeShape } from '../../core/records/rules/changes.ts'
import { DELIMITERS, DECIMALS } from '../../core/csv/csv-dialect.ts'

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

const FOUND = 'Of a csv; without it, it is found by itself.'

/** Parameters of a request that sends a file. */
export const READ_MEMBERS = {
  delimiter: v.optional(
    v.pipe(v.picklist(DELIMITERS, 'must be a comma, a semicolon, a tab or a vertical bar'), v.description(FOUND)),
  ),
  decimal: v.optional(v.pipe(v.picklist(DECIMALS, "must be '.' or ','"), v.description(FOUND))),
  encoding: v.optional(v.pipe(v.picklist(ENCODINGS, `must be one of ${ENCODINGS.join(', ')}`), v.description(FOUND))),
  sheet: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(31, 'must be at most 31 characters long'),
      v.description('For a spreadsheet: the name of the sheet to read. Default: the first sheet.'),
    ),
  ),
}

/** Parameters that control how lines are written. */
export const SETTING_MEMBERS = {
  mode: v.optional(
    v.pipe(
      v.picklist(IMPORT_MODES, `must be one of ${IMPORT_MODES.join(', ')}`),
      v.description(
        'create (default): an ID that exists is an error. upsert: an existing record gets the values of the line. update: the record must exist.',
      ),
    ),
  ),
  dryRun: v.pipe(
    v.optional(v.boolean('must be true or false'), false),
    v.description('Report the outcome of each line, and write nothing.'),
  ),
  schemaId: v.optional(v.pipe(v.string(), v.description('The schema of lines that name none.'))),
  profile: v.optional(
    v.pipe(v.string(), v.description('ID of an import profile: the meaning of the columns of a csv or an xlsx.')),
  ),
  matchBy: v.optional(
    v.pipe(v.string(), v.description('A unique attribute that identifies records, instead of their ID.')),
  ),
  emptyCells: v.optional(
    v.pipe(
      v.picklist(EMPTY_CELLS, `must be one of ${EMPTY_CELLS.join(', ')}`),
      v.description(
        'What an empty cell of a csv or an xlsx does to a stored value. Without a profile, the value is removed (clear).',
      ),
    ),
  ),
}

/** Whether a line fails if an earlier line of the file has the same key. */
export const DuplicatesMember = v.optional(
  v.pipe(
    v.picklist(DUPLICATES, `must be one of ${DUPLICATES.join(', ')}`),
    v.description(
      'Lines with the same key (ID, or value of `matchBy`). fail (default): all but the first fail with CONFLICT. last: all are applied in order, so the last one wins.',
    ),
  ),
)

export const ImportQuery = v.object({ ...SETTING_MEMBERS, duplicates: DuplicatesMember, ...READ_MEMBERS })

/** Options that a client sends with the file. */
export type ImportQuestion = OutputOf<typeof ImportQuery>

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

export const ImportResultShape = v.object({
  created: v.number(),
  updated: v.number(),
  unchanged: v.pipe(v.number(), v.description('Lines that change nothing; they leave no audit entry.')),
  failed: v.number(),
  errors: v.pipe(
    v.array(ImportErrorShape),
    v.description(`The errors of the first ${MAX_IMPORT_ERRORS} failed lines, in the order of the file.`),
  ),
  cleared: v.optional(
    v.pipe(v.number(), v.description('Values that were removed because their cells were empty. For a csv or an xlsx.')),
  ),
  delimiter: v.optional(
    v.pipe(v.nullable(v.picklist(DELIMITERS)), v.description('The delimiter of the csv. null: a spreadsheet.')),
  ),
  decimal: v.optional(v.nullable(v.picklist(DECIMALS))),
  encoding: v.optional(v.nullable(v.picklist(ENCODINGS))),
  sample: v.optional(
    v.pipe(
      v.array(ImportSampleShape),
      v.description(`In a dry run: the first ${MAX_IMPORT_SAMPLE} lines that would change something.`),
    ),
  ),
  /** Only in a dry run that exceeds the limit of records. */
  limit: LimitMember,
  /** Options and categories that the import has made, or would make. */
  making: MakingMember,
})
export type ImportResult = OutputOf<typeof ImportResultShape>
