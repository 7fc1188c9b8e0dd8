// Shapes of imports as a resource. Contract 3 §4, 3 §11.
import * as v from 'valibot'
import { ENCODINGS } from '../../core/csv/source-dialect.ts'
import { DECIMALS, DELIMITERS } from '../../core/csv/csv-dialect.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { MappingInput, PlainInput, ProfileColumn } from '../rules/import-profile.ts'
import { NewModelInput } from '../../core/model/rules/new-model.ts'
import { BULK_STATUSES } from '../../core/jobs/rules/bulk-job.ts'
import { FileColumnShape, IMPORT_STATUSES, UPLOAD_FORMATS } from '../rules/import-upload.ts'
import { ZIP_MODES, ZipMappingInput } from '../rules/zip-mapping.ts'
import { choiceOf, Timestamp } from '../../kernel/input/validation.ts'
import { EMPTY_CELLS, IMPORT_MODES } from '../rules/import-outcome.ts'
import type { UploadSummary, UploadView } from '../upload-views.ts'
import { DuplicatesMember, READ_MEMBERS, SETTING_MEMBERS } from './import-shapes.ts'
import { Wait } from '../../kernel/input/common-shapes.ts'

export const UploadQuery = exactObject({
  fileName: v.pipe(
    v.string(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(255, 'must be at most 255 characters long'),
    v.regex(/^\P{Cc}*$/u, 'must not have control characters'),
  ),
  schemaId: v.optional(
    v.pipe(v.string(), v.description('The schema that explains the columns. Default: the schema that fits best.')),
  ),
  ...READ_MEMBERS,
})

export const UploadWaitQuery = exactObject({ wait: v.optional(Wait) })

export const MappingByProfile = exactObject({
  profileId: v.string('must be a string'),
  mode: SETTING_MEMBERS.mode,
  matchBy: SETTING_MEMBERS.matchBy,
  emptyCells: SETTING_MEMBERS.emptyCells,
})
export const MappingBody = choiceOf([MappingByProfile, MappingInput, PlainInput, ZipMappingInput], (input) => {
  if (typeof input !== 'object' || input === null) return MappingInput
  if ('profileId' in input) return MappingByProfile
  if ('attributeAlias' in input || ('pattern' in input && !('columns' in input))) return ZipMappingInput
  return 'columns' in input && input.columns === null ? PlainInput : MappingInput
})

/** The query of a request that begins a job. */
export const BeginQuery = exactObject({ decimal: READ_MEMBERS.decimal, duplicates: DuplicatesMember })

const MappingShape = v.object({
  schemaId: v.nullable(v.string()),
  mode: v.picklist(IMPORT_MODES),
  matchBy: v.nullable(v.string()),
  emptyCells: v.picklist(EMPTY_CELLS),
  columns: v.nullable(v.array(ProfileColumn)),
  model: v.optional(v.pipe(NewModelInput, v.description('What the import makes before the first line.'))),
})

/** A mapping of a zip as the server answers it. */
export const ZipMappingShape = v.object({
  schemaId: v.string(),
  matchBy: v.string(),
  attributeAlias: v.string(),
  scope: v.record(v.string(), v.string()),
  pattern: v.string(),
  pictureSchemaId: v.nullable(v.string()),
  mode: v.picklist(ZIP_MODES),
})

export const SkippedShape = v.object({
  files: v.number(),
  samples: v.pipe(v.array(v.string()), v.description('The first ones, at most 20.')),
})

const summary = {
  id: v.string(),
  fileName: v.string(),
  size: v.pipe(v.number(), v.description('Bytes.')),
  format: v.picklist(UPLOAD_FORMATS),
  encoding: v.nullable(v.picklist(ENCODINGS)),
  delimiter: v.nullable(v.picklist(DELIMITERS)),
  decimal: v.pipe(
    v.nullable(v.picklist(DECIMALS)),
    v.description(
      'For a csv; final once a job has begun. null: not a csv, or its numbers can be read with either sign.',
    ),
  ),
  sheet: v.optional(v.pipe(v.string(), v.description('The sheet that is read, if one was named.'))),
  sheets: v.optional(v.array(v.string())),
  schemaId: v.pipe(v.nullable(v.string()), v.description('The schema that explains the columns.')),
  status: v.picklist(IMPORT_STATUSES),
  profileId: v.nullable(v.string()),
  jobIds: v.array(v.string()),
  lastRun: v.pipe(
    v.nullable(
      v.object({ jobId: v.string(), status: v.picklist(BULK_STATUSES), done: v.number(), failed: v.number() }),
    ),
    v.description('The last run that was no dry run. null: none has begun, or its job is no longer kept.'),
  ),
  createdBy: v.string(),
  ownerId: v.pipe(v.string(), v.description('The caller who sees the import, besides callers who manage users.')),
  createdAt: Timestamp,
  expiresAt: v.pipe(Timestamp, v.description('When the file is deleted.')),
}

export const UploadSummaryShape = v.object(summary)
export const UploadShape = v.object({
  ...summary,
  columns: v.array(FileColumnShape),
  mapping: v.nullable(v.union([MappingShape, ZipMappingShape])),
  files: v.optional(v.pipe(v.number(), v.description('Of a zip: how many files it has.'))),
  samples: v.optional(
    v.pipe(v.array(v.string()), v.description('Of a zip: the paths of the first files, at most 100.')),
  ),
  skipped: v.optional(
    v.pipe(SkippedShape, v.description('Of a zip: directories, hidden files, and what macOS adds. They are no files.')),
  ),
})

export function toUploadSummary({
  isMapped: _isMapped,
  isDecimalSaid: _isSaid,
  sheet,
  sheets,
  ...upload
}: UploadSummary) {
  return { ...upload, ...(sheet === null ? {} : { sheet }), ...(sheets === null ? {} : { sheets }) }
}

export function toUploadBody({ columns, mapping, zip, ...upload }: UploadView) {
  return { ...toUploadSummary(upload), columns, mapping, ...zip }
}
