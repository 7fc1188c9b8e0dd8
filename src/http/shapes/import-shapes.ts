// Shapes of imports: how a file is to be read, and what became of its lines. Contract 2 §7, 3 §4.
import * as v from 'valibot'
import { ENCODINGS } from '../../domain/csv/source-dialect.ts'
import { ERROR_CODES } from '../../domain/errors.ts'
import { DECIMALS, DELIMITERS } from '../../domain/exports/csv-dialect.ts'
import { MAX_IMPORT_ERRORS } from '../../domain/records/import.ts'

const FOUND = 'Of a csv; without it, it is found by itself.'

/** Parameters of a request that brings a file. */
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
      v.description('Of a spreadsheet: the name of the sheet that is read; without it the first one.'),
    ),
  ),
}

export const ImportErrorShape = v.object({
  line: v.pipe(v.number(), v.description('From 1, where the record begins; blank lines count.')),
  id: v.pipe(v.nullable(v.string()), v.description('What the line gives as id.')),
  error: v.picklist(ERROR_CODES),
  message: v.string(),
})

export const ImportResultShape = v.object({
  created: v.number(),
  updated: v.number(),
  unchanged: v.pipe(v.number(), v.description('Lines that say what is so already; they leave no audit entry.')),
  failed: v.number(),
  errors: v.pipe(
    v.array(ImportErrorShape),
    v.description(`Of the first ${MAX_IMPORT_ERRORS} lines that failed, in the order of the file.`),
  ),
  delimiter: v.optional(
    v.pipe(v.nullable(v.picklist(DELIMITERS)), v.description('With which the csv was read; null: a spreadsheet.')),
  ),
  decimal: v.optional(v.nullable(v.picklist(DECIMALS))),
  encoding: v.optional(v.nullable(v.picklist(ENCODINGS))),
})
