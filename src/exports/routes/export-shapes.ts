// Shapes of export jobs and runs as clients get them. Contract 1 §2.9, 1 §2.10, 2 §6.
import * as v from 'valibot'
import { PausedReasonShape } from '../../core/accounts/rules/owner.ts'
import { EXPORT_FORMATS } from '../rules/export-format.ts'
import { CHECKSUMS, MISSED_RUN_POLICIES, GuardsInput } from '../rules/export-job.ts'
import { JobFilesInput } from '../rules/job-files.ts'
import { ExportRunShape } from '../rules/export-run.ts'
import { DeltaInput } from '../rules/feed-state.ts'
import { VARIANT_VALUES } from '../../core/records/rules/exported-record.ts'
import { ColumnsInput } from '../rules/export-columns.ts'
import { DECIMALS } from '../../core/csv/csv-dialect.ts'
import { XmlInput } from '../rules/xml-document.ts'
import { JobSelectionInput } from '../rules/job-selection.ts'
import { SortsInput } from '../../core/search/rules/sorting.ts'
import { ScopeShape } from '../../core/scopes/scope.ts'
import { Timestamp } from '../../kernel/input/validation.ts'
import { OwnerId } from '../../kernel/input/common-shapes.ts'

export const ExportJobShape = v.object({
  id: v.string(),
  name: v.string(),
  description: v.string(),
  destinationType: v.string(),
  destinationConfig: v.pipe(
    v.record(v.string(), v.unknown()),
    v.description('Secrets are shown as "********". Send them back in a PUT to keep the stored values.'),
  ),
  format: v.picklist(EXPORT_FORMATS),
  schemaId: v.pipe(v.nullable(v.string()), v.description('null: records of every schema.')),
  catalogId: v.pipe(
    v.nullable(v.string()),
    v.description('Only records in a category of this catalog, and their variants. null: all.'),
  ),
  dimensionScope: v.pipe(v.nullable(ScopeShape), v.description('null: all scoped values.')),
  includeLifecycleStateIds: v.pipe(v.nullable(v.array(v.string())), v.description('null: every state.')),
  selection: v.pipe(
    v.nullable(JobSelectionInput),
    v.description('null: no selection. `********` stands for criteria on attributes that the role may not read.'),
  ),
  sort: v.pipe(SortsInput, v.description('[]: the order of creation.')),
  columns: v.nullable(ColumnsInput),
  schedule: v.pipe(v.string(), v.description('Cron expression with 5 or 6 fields.')),
  timezone: v.pipe(v.string(), v.description('IANA time zone of the schedule, and of dates in file names.')),
  missedRunPolicy: v.pipe(
    v.picklist(MISSED_RUN_POLICIES),
    v.description('once: one run at the start of the server if at least one run was missed.'),
  ),
  includeVariants: v.boolean(),
  variantValues: v.pipe(
    v.picklist(VARIANT_VALUES),
    v.description('effective: with inherited values. own: as stored, which an import reads back exactly.'),
  ),
  compress: v.boolean(),
  spreadsheetSafe: v.boolean(),
  delimiter: v.string(),
  decimal: v.picklist(DECIMALS),
  bom: v.boolean(),
  separator: v.string(),
  sheet: v.pipe(v.nullable(v.string()), v.description('The name of the sheet of an xlsx.')),
  files: v.nullable(JobFilesInput),
  xml: v.pipe(
    v.nullable(XmlInput),
    v.description('The document around the records of an xml. null: the plain document.'),
  ),
  delta: v.pipe(v.nullable(DeltaInput), v.description('null: every file has all records.')),
  guards: v.nullable(GuardsInput),
  checksum: v.pipe(v.nullable(v.picklist(CHECKSUMS)), v.description('Delivered beside the file as `<file>.sha256`.')),
  filenameTemplate: v.pipe(v.string(), v.description('Takes {date}, {time}, {jobId}, {runId} and {format}.')),
  maxAttempts: v.number(),
  active: v.boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  createdBy: v.string(),
  ownerId: OwnerId,
  pausedReason: PausedReasonShape,
  nextRunAt: v.pipe(v.nullable(Timestamp), v.description('null for a paused job.')),
  lastRun: v.nullable(ExportRunShape),
})

export const CheckShape = v.object({ ok: v.boolean(), message: v.string() })

/** A line of a json or jsonl export. Only said: exports are written elsewhere. */
export const ExportedRecordShape = v.object({
  id: v.string(),
  schemaId: v.string(),
  parentId: v.nullable(v.string()),
  lifecycleStateId: v.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  values: v.pipe(
    v.record(v.string(), v.unknown()),
    v.description('Attribute alias → its value in the dimensionScope of the job; without a scope, its scoped values.'),
  ),
})
