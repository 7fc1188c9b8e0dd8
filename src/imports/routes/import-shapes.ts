// Shapes of imports: options for reading a file, and the outcomes of its lines. Contract 2 §7, 3 §4.
import * as v from 'valibot'
import { LimitMember, MakingMember } from '../../core/jobs/routes/job-shapes.ts'
import { ENCODINGS } from '../../core/csv/source-dialect.ts'
import { DECIMALS, DELIMITERS } from '../../core/csv/csv-dialect.ts'
import { ProfileColumn } from '../rules/import-profile.ts'
import {
  DUPLICATES,
  EMPTY_CELLS,
  IMPORT_MODES,
  ImportErrorShape,
  ImportSampleShape,
  MAX_IMPORT_ERRORS,
  MAX_IMPORT_SAMPLE,
} from '../rules/import-outcome.ts'

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

export const ImportProfileShape = v.object({
  id: v.string(),
  name: v.string(),
  schemaId: v.string(),
  mode: v.picklist(IMPORT_MODES),
  matchBy: v.nullable(v.string()),
  emptyCells: v.picklist(EMPTY_CELLS),
  columns: v.array(ProfileColumn),
})

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
  limit: LimitMember,
  making: MakingMember,
})
