// Shapes of imports: how a file is to be read, and what became of its lines. Contract 2 §7, 3 §4.
import * as v from 'valibot'
import { LimitMember } from '../../core/jobs/routes/job-shapes.ts'
import { ENCODINGS } from '../../core/csv/source-dialect.ts'
import { ERROR_CODES } from '../../kernel/errors.ts'
import { DECIMALS, DELIMITERS } from '../../core/csv/csv-dialect.ts'
import { ProfileColumn } from '../rules/import-profile.ts'
import { DUPLICATES, EMPTY_CELLS, IMPORT_MODES, MAX_IMPORT_ERRORS, MAX_IMPORT_SAMPLE } from '../rules/import-outcome.ts'
import { AttributeChangeShape, CategoriesChangeShape } from '../../core/records/routes/history-shapes.ts'

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

/** Parameters that say what becomes of the lines. */
export const SETTING_MEMBERS = {
  mode: v.optional(
    v.pipe(
      v.picklist(IMPORT_MODES, `must be one of ${IMPORT_MODES.join(', ')}`),
      v.description(
        'create (default): an ID that exists is an error. upsert: that record takes the values of the line. update: there must be one.',
      ),
    ),
  ),
  dryRun: v.pipe(
    v.optional(v.boolean('must be true or false'), false),
    v.description('Say what would come of each line, and write nothing.'),
  ),
  schemaId: v.optional(v.pipe(v.string(), v.description('The schema of lines that name none.'))),
  profile: v.optional(
    v.pipe(v.string(), v.description('ID of an import profile: what the columns of a csv or an xlsx mean.')),
  ),
  matchBy: v.optional(
    v.pipe(v.string(), v.description('A unique attribute by which records are found, in place of their ID.')),
  ),
  emptyCells: v.optional(
    v.pipe(
      v.picklist(EMPTY_CELLS, `must be one of ${EMPTY_CELLS.join(', ')}`),
      v.description(
        'What an empty cell of a csv or an xlsx says of a value that is there: without a profile it goes (clear).',
      ),
    ),
  ),
}

/** Whether a line fails whose key an earlier line of the file has. */
export const DuplicatesMember = v.optional(
  v.pipe(
    v.picklist(DUPLICATES, `must be one of ${DUPLICATES.join(', ')}`),
    v.description(
      'Of lines with the same key (ID, or value of `matchBy`): fail (default): each but the first fails with CONFLICT. last: each is taken in its turn, so that the last one holds.',
    ),
  ),
)

export const ImportSampleShape = v.object({
  line: v.number(),
  id: v.pipe(v.string(), v.description('Of the record.')),
  outcome: v.picklist(['created', 'updated']),
  changes: v.array(v.union([AttributeChangeShape, CategoriesChangeShape])),
})

export const ImportProfileShape = v.object({
  id: v.string(),
  name: v.string(),
  schemaId: v.string(),
  mode: v.picklist(IMPORT_MODES),
  matchBy: v.nullable(v.string()),
  emptyCells: v.picklist(EMPTY_CELLS),
  columns: v.array(ProfileColumn),
})

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
  cleared: v.optional(
    v.pipe(v.number(), v.description('Values that went because their cells were empty. Of a csv or an xlsx.')),
  ),
  delimiter: v.optional(
    v.pipe(v.nullable(v.picklist(DELIMITERS)), v.description('With which the csv was read; null: a spreadsheet.')),
  ),
  decimal: v.optional(v.nullable(v.picklist(DECIMALS))),
  encoding: v.optional(v.nullable(v.picklist(ENCODINGS))),
  sample: v.optional(
    v.pipe(
      v.array(ImportSampleShape),
      v.description(`Of a dry run: the first ${MAX_IMPORT_SAMPLE} lines that would change something.`),
    ),
  ),
  limit: LimitMember,
})
