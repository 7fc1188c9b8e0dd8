// What a format of exports is: from what is exported of records to parts of a file. Contract 2 §6. A new format is a file here, a
// line in `index.ts`, and its name in `exports/rules/export-format.ts`.
import type { CsvDialect } from '../../core/csv/csv-dialect.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { ExportedRecord } from '../../core/csv/flatten.ts'
import type { SegmentedDimension } from '../../core/scopes/scope.ts'

export interface FormatOptions {
  /** Every attribute has one value or none; otherwise any number of scoped ones. */
  readonly isFlat: boolean
  /** What a spreadsheet would read as a formula is disarmed, where the format is one for spreadsheets. */
  readonly spreadsheetSafe: boolean
  /** All that can occur, in the order of schemas; several may have the same alias. */
  readonly attributes: readonly Attribute[]
  readonly dimensions: ReadonlyMap<string, SegmentedDimension>
  /** Of a csv; without it as RFC 4180 has it. */
  readonly dialect?: CsvDialect | undefined
  /** Whether the file tells of records that are gone, too (`writeDeleted`): a table then has a last column for it. */
  readonly isDelta?: boolean | undefined
  /** Whether some files of the feed have that column: an attribute of its name has another one in all of them. */
  readonly hasDeltas?: boolean | undefined
  /** For an import, which is to read back what is stored, to the letter. */
  readonly isExact?: boolean | undefined
}

/** Writes one export: `begin`, `write` for one batch of records after another, `end`. `Part`: what its file is made of. */
export interface FormatWriter<Part = string> {
  /** Where it is there: what it is shown before `begin` spares beginning again. */
  readonly survey?: ((record: ExportedRecord) => void) | undefined
  begin(): Part
  write(records: readonly ExportedRecord[]): Part
  /** Of a delta: the IDs of records that are gone. */
  writeDeleted(ids: readonly string[]): Part
  end(): Part
  /**
   * Where it is there, to be asked after `end`: whether records turned up for which the beginning was not made, so that
   * the text is of no use. It has seen all of them by then, and writing them once more will do.
   */
  readonly mustBeginAgain?: (() => boolean) | undefined
}

export type Format<Part = string> = (options: FormatOptions) => FormatWriter<Part>

/** A date or a moment of a sheet. */
export type DateForm = 'date' | 'dateTime'
export type SheetCell = string | number | boolean | Date | null

export interface SheetColumn {
  readonly header: string
  /** How dates in it are shown. */
  readonly form?: DateForm | undefined
}

/** A part of a workbook: first its columns, then rows. */
export type SheetPart =
  | { readonly columns: readonly SheetColumn[] }
  | { readonly rows: readonly (readonly SheetCell[])[] }

/** What files are made of: text, or the parts of a sheet. */
export type FilePart = string | SheetPart
