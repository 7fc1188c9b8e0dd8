// How a csv is written for programs that want it otherwise. Contract 3 §11.
import * as v from 'valibot'
import { Flag } from '../input/validation.ts'

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

/** Members of a body; formats other than csv take no notice of them. */
export const CSV_DIALECT_MEMBERS = {
  delimiter: v.optional(
    v.pipe(
      v.picklist(DELIMITERS, 'must be a comma, a semicolon, a tab or a vertical bar'),
      v.description('Between the cells of a csv.'),
    ),
    ',',
  ),
  decimal: v.optional(
    v.pipe(v.picklist(DECIMALS, "must be '.' or ','"), v.description('In the numbers of a csv.')),
    '.',
  ),
  bom: v.optional(
    v.pipe(Flag, v.description('A csv begins with a byte order mark, by which spreadsheets know UTF-8.')),
    false,
  ),
}
