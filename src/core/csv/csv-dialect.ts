// The ways of writing tables that a job may choose: delimiters and the like of a csv, and the sheet of an xlsx. Contract
// 3 §4, 3 §11.
import * as v from 'valibot'
import { Flag, textUpTo } from '../../kernel/input/validation.ts'

/** Delimiters that an import finds out by itself. */
export const DELIMITERS = [',', ';', '\t', '|'] as const
export const DECIMALS = ['.', ','] as const

export interface CsvDialect {
  /** One character. */
  readonly delimiter: string
  /** Between whole numbers and fractions. */
  readonly decimal: (typeof DECIMALS)[number]
  /** Whether the file begins with a byte order mark, by which spreadsheets know UTF-8. */
  readonly bom: boolean
  /** Between the elements of a list in one cell. */
  readonly separator: string
}

/** The default separator between the elements of a list. */
export const LIST_SEPARATOR = '|'
export const PLAIN_CSV: CsvDialect = { delimiter: ',', decimal: '.', bom: false, separator: LIST_SEPARATOR }

/** Quotes, ends of lines and half characters separate no cells. */
const DELIMITER = /^[^"\r\n\uFEFF\uD800-\uDFFF]$/u

/** The default name of the sheet of an xlsx. */
export const DEFAULT_SHEET = 'Records'
const MAX_SHEET_NAME = 31

/** Members of a body; other formats take no notice of them. */
export const CSV_DIALECT_MEMBERS = {
  delimiter: v.optional(
    v.pipe(
      v.string('must be a string'),
      v.regex(DELIMITER, 'must be one character, and no quote or end of a line'),
      v.description('Separates the cells of a csv: one character.'),
    ),
    ',',
  ),
  separator: v.optional(
    v.pipe(
      textUpTo(10),
      v.minLength(1, 'must not be empty'),
      v.description('Separates the elements of a list in a cell of a csv or xlsx.'),
    ),
    LIST_SEPARATOR,
  ),
  decimal: v.optional(
    v.pipe(v.picklist(DECIMALS, "must be '.' or ','"), v.description('The decimal sign of numbers in a csv.')),
    '.',
  ),
  bom: v.optional(
    v.pipe(
      Flag,
      v.description('Whether a csv begins with a byte order mark, which tells spreadsheets that it is UTF-8.'),
    ),
    false,
  ),
}

/** Characters that a sheet name may not have. */
const FORBIDDEN = /[[\]:*?/\\]|^'|'$|\p{Cc}/u

export const SheetName = v.pipe(
  v.string('must be a string'),
  v.check((name) => name.trim() !== '', 'must not be empty'),
  v.maxLength(MAX_SHEET_NAME, `must be at most ${MAX_SHEET_NAME} characters long`),
  v.check(
    (name) => !FORBIDDEN.test(name) && name.isWellFormed() && name.toLowerCase() !== 'history',
    "must be what a spreadsheet takes: none of [ ] : * ? / \\, no apostrophe at its ends, and not 'History'",
  ),
  v.description(`The name of the sheet of an xlsx. Default: '${DEFAULT_SHEET}'.`),
)
