// How tables are written for programs that want them otherwise: of a csv its signs, of an xlsx its sheet. Contract 3 §4, 3 §11.
import * as v from 'valibot'
import { Flag } from '../../kernel/input/validation.ts'

export const DELIMITERS = [',', ';', '\t', '|'] as const
export const DECIMALS = ['.', ','] as const

export interface CsvDialect {
  readonly delimiter: (typeof DELIMITERS)[number]
  /** Between whole numbers and fractions. */
  readonly decimal: (typeof DECIMALS)[number]
  /** Whether the file begins with a byte order mark, by which spreadsheets know UTF-8. */
  readonly bom: boolean
}

export const PLAIN_CSV: CsvDialect = { delimiter: ',', decimal: '.', bom: false }

/** The default name of the sheet of an xlsx. */
export const DEFAULT_SHEET = 'Records'
const MAX_SHEET_NAME = 31

/** Members of a body; other formats take no notice of them. */
export const CSV_DIALECT_MEMBERS = {
  delimiter: v.optional(
    v.pipe(
      v.picklist(DELIMITERS, 'must be a comma, a semicolon, a tab or a vertical bar'),
      v.description('Separates the cells of a csv.'),
    ),
    ',',
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
