// Shapes of imports as a resource. Contract 3 §4, 3 §11.
import * as v from 'valibot'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { MappingInput, PlainInput, ProfileColumn } from '../rules/import-profile.ts'
import { FileColumnShape, SkippedShape, UploadSummaryShape } from '../rules/import-upload.ts'
import { ZIP_MODES, ZipMappingInput } from '../rules/zip-mapping.ts'
import { choiceOf } from '../../kernel/input/validation.ts'
import type { UploadSummary, UploadView } from '../upload-views.ts'
import { DuplicatesMember, EMPTY_CELLS, IMPORT_MODES, SETTING_MEMBERS, READ_MEMBERS } from '../rules/import-outcome.ts'
import { Wait } from '../../kernel/input/common-shapes.ts'
import { NewModelInput } from '../../core/model/rules/new-model.ts'

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

export const UploadShape = v.object({
  ...UploadSummaryShape.entries,
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
