// The interface of a format: exported records in, parts of a file out. Contract 2 §6. A new format is a file here, a line in
// `file-formats.ts`, and a name in `exports/rules/export-format.ts`.
import type { CsvDialect } from '../../core/csv/csv-dialect.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { ExportedRecord } from '../../core/records/rules/exported-record.ts'
import type { SegmentedDimension } from '../../core/scopes/scope.ts'

export interface FormatOptions {
  /** Every attribute has one value or none; otherwise any number of scoped ones. */
  readonly isFlat: boolean
  /** Whether texts that look like formulas are escaped, in formats for spreadsheets. */
  readonly spreadsheetSafe: boolean
  /** All that can occur, in the order of schemas; several may have the same alias. */
  readonly attributes: readonly Attribute[]
  readonly dimensions: ReadonlyMap<string, SegmentedDimension>
  /** The csv dialect; default: RFC 4180. */
  readonly dialect?: CsvDialect | undefined
  /** Whether the file also lists deleted records (`writeDeleted`); a table then has a last column for them. */
  readonly isDelta?: boolean | undefined
  /** Whether some files of the feed have that column: an attribute of its name has another one in all of them. */
  readonly hasDeltas?: boolean | undefined
  /** For a later import, which must read back the stored values exactly. */
  readonly isExact?: boolean | undefined
}

/** Writes one export: `begin`, then `write` for each batch of records, then `end`. `Part`: a piece of the file. */
export interface FormatWriter<Part = string> {
  /** Optional: records shown before `begin` make a restart less likely. */
  readonly survey?: ((record: ExportedRecord) => void) | undefined
  begin(): Part
  write(records: readonly ExportedRecord[]): Part
  /** IDs of deleted records, for a delta. */
  writeDeleted(ids: readonly string[]): Part
  end(): Part
  /**
   * Optional, called after `end`: true if records did not fit the beginning, so that the text is useless. By then all
   * records are known, so the second attempt succeeds.
   */
  readonly mustBeginAgain?: (() => boolean) | undefined
}

export type Format<Part = string> = (options: FormatOptions) => FormatWriter<Part>

/** A date or a moment of a sheet. */
export type DateForm = 'date' | 'dateTime'
/** How the cells of a column are shown; `code` is the number format of a spreadsheet. */
export type CellForm = DateForm | { readonly code: string }
export type SheetCell = string | number | boolean | Date | null

export interface SheetColumn {
  readonly header: string
  /** How the column shows dates and numbers. */
  readonly form?: CellForm | undefined
}

/** A part of a workbook: first its columns, then rows. */
export type SheetPart =
  | { readonly columns: readonly SheetColumn[] }
  | { readonly rows: readonly (readonly SheetCell[])[] }

/** A piece of a file: text, or a part of a sheet. */
export type FilePart = string | SheetPart
