// Export jobs: the input of clients, the stored form, and the public form. Contract 1 §2.9, 1 §3.2, 2 §6, 3 §5. Whether a
// schedule can fire, and whether a destination's settings fit, is checked elsewhere.
import * as v from 'valibot'
import type { Owner, PausedReason } from '../../core/accounts/rules/owner.ts'
import { ScopeInput } from '../../core/search/rules/criterion.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { invalid, shorten } from '../../kernel/errors.ts'
import { ColumnsInput, type ExportColumn, type SentColumn } from './export-columns.ts'
import { CSV_DIALECT_MEMBERS, SheetName } from '../../core/csv/csv-dialect.ts'
import { EXPORT_FORMATS } from './export-format.ts'
import type { ExportRunView } from './export-run.ts'
import { JobFilesInput } from './job-files.ts'
import { DeltaInput } from './feed-state.ts'
import { type FieldSecrets, SECRET_PLACEHOLDER, withSecrets } from '../../kernel/secrets/secret-fields.ts'
import { VARIANT_VALUES } from '../../core/records/rules/exported-record.ts'
import { type JobSelection, JobSelectionInput, type ShownSelection } from './job-selection.ts'
import { SortsInput } from '../../core/search/rules/sorting.ts'
import type { Model } from '../../core/model/rules/model.ts'
import { findScopeFault } from '../../core/model/rules/schema.ts'
import { XmlInput } from './xml-document.ts'
import { isNestedDeeper } from '../../kernel/text.ts'
import {
  Description,
  firstDuplicate,
  Flag,
  Id,
  listOf,
  Name,
  NewId,
  NOT_BLANK,
  type OutputOf,
  wholeNumber,
} from '../../kernel/input/validation.ts'
import { SearchBody } from '../../core/search/rules/selection.ts'

export const GuardsInput = v.pipe(
  exactObject({
    minRecords: v.optional(
      v.pipe(
        v.number('must be a number'),
        v.safeInteger('must be a whole number'),
        v.minValue(0, 'must be 0 or more'),
        v.description('A file with fewer records is not delivered.'),
      ),
    ),
    maxDropPercent: v.optional(
      v.pipe(
        v.number('must be a number'),
        v.minValue(0, 'must be 0 or more'),
        v.maxValue(100, 'must be at most 100'),
        v.description('A file that lost more of the records of the last full file is not delivered.'),
      ),
    ),
  }),
  v.description('Conditions that a full file must meet to be delivered.'),
)
type RunGuards = v.InferOutput<typeof GuardsInput>

export const RecordExportBody = exactObject({
  ...SearchBody.entries,
  format: v.picklist(EXPORT_FORMATS, `must be one of ${EXPORT_FORMATS.join(', ')}`),
  columns: v.optional(
    v.pipe(v.nullable(ColumnsInput), v.description('The columns, in order. Default: the members of the format.')),
  ),
  dimensionScope: v.optional(
    v.pipe(
      v.nullable(ScopeInput),
      v.description('Exports the effective value of each attribute in this scope. Default: all scoped values.'),
    ),
  ),
  variantValues: v.optional(v.picklist(VARIANT_VALUES, "must be 'effective' or 'own'"), 'effective'),
  compress: v.optional(v.pipe(Flag, v.description('Compress the file with gzip.')), false),
  ...CSV_DIALECT_MEMBERS,
  sheet: v.optional(v.nullable(SheetName)),
  xml: v.optional(v.nullable(XmlInput)),
})
export type RecordExportInput = OutputOf<typeof RecordExportBody>

/**
 * The guard that a file breaks, as a sentence, or undefined.
 * @param before records of the last delivered full file; undefined: there was none
 */
export function findBrokenGuard(
  { minRecords, maxDropPercent }: RunGuards,
  records: number,
  before: number | undefined,
): string | undefined {
  if (minRecords !== undefined && records < minRecords)
    return `the file has ${records} records, fewer than minRecords, which is ${minRecords}: nothing was delivered`
  if (maxDropPercent === undefined || before === undefined || records >= before) return undefined
  // Multiplied out: the limit itself must pass.
  if ((before - records) * 100 <= maxDropPercent * before) return undefined
  return `the file has ${records} records after ${before} in the last full run, a drop of more than maxDropPercent, which is ${maxDropPercent}: nothing was delivered`
}

/** Matches of the schedule while the server was down: skip them, or run once at the next start. */
export const MISSED_RUN_POLICIES = ['skip', 'once'] as const

export const CHECKSUMS = ['sha256'] as const

const MAX_CONFIG_LENGTH = 65_536
const MAX_CONFIG_DEPTH = 8

/** Not `v.record`: it drops keys like `constructor`. */
const DestinationConfig = v.pipe(
  v.custom<Record<string, unknown>>(
    (input) => typeof input === 'object' && input !== null && !Array.isArray(input),
    'must be an object',
  ),
  v.metadata({ type: 'object', description: 'The settings of the destination.' }),
  v.check((config) => !isNestedDeeper(config, MAX_CONFIG_DEPTH), 'is nested too deeply'),
  v.check(
    (config) => JSON.stringify(config).length <= MAX_CONFIG_LENGTH,
    `must be at most ${MAX_CONFIG_LENGTH} characters of JSON`,
  ),
)
const ShortText = v.pipe(
  v.string('must be a string'),
  v.check((text) => text.trim() !== '', 'must not be empty'),
  v.metadata(NOT_BLANK),
  v.maxLength(200, 'must be at most 200 characters long'),
)
const Attempts = wholeNumber(1, 10)

export const ExportJobInput = exactObject(
  {
    id: v.optional(NewId),
    name: Name,
    description: v.optional(v.nullable(Description), ''),
    destinationType: ShortText,
    destinationConfig: DestinationConfig,
    format: v.picklist(EXPORT_FORMATS, `must be one of ${EXPORT_FORMATS.join(', ')}`),
    schemaId: v.optional(v.nullable(Id), null),
    catalogId: v.optional(v.nullable(Id), null),
    dimensionScope: v.optional(v.nullable(ScopeInput), null),
    selection: v.optional(v.nullable(JobSelectionInput), null),
    sort: v.optional(SortsInput, []),
    columns: v.optional(
      v.pipe(v.nullable(ColumnsInput), v.description('The columns, in order. null: the members of the format.')),
      null,
    ),
    includeLifecycleStateIds: v.optional(
      v.nullable(v.pipe(listOf(Id, 1000), v.minLength(1, 'must name a state; null: all states'))),
      null,
    ),
    schedule: ShortText,
    timezone: v.optional(ShortText, 'UTC'),
    missedRunPolicy: v.optional(v.picklist(MISSED_RUN_POLICIES, "must be 'skip' or 'once'"), 'skip'),
    includeVariants: Flag,
    variantValues: v.optional(v.picklist(VARIANT_VALUES, "must be 'effective' or 'own'"), 'effective'),
    compress: Flag,
    spreadsheetSafe: v.optional(Flag, false),
    ...CSV_DIALECT_MEMBERS,
    sheet: v.optional(v.nullable(SheetName), null),
    xml: v.optional(v.nullable(XmlInput), null),
    files: v.optional(v.nullable(JobFilesInput), null),
    delta: v.optional(v.nullable(DeltaInput), null),
    guards: v.optional(v.nullable(GuardsInput), null),
    checksum: v.optional(
      v.pipe(
        v.nullable(v.picklist(CHECKSUMS, "must be 'sha256'")),
        v.description('Delivered beside the file as `<file>.sha256`.'),
      ),
      null,
    ),
    filenameTemplate: ShortText,
    maxAttempts: v.optional(Attempts, 5),
    active: v.optional(Flag, true),
  },
  ['createdAt', 'updatedAt', 'createdBy', 'ownerId', 'pausedReason', 'nextRunAt', 'lastRun'],
)

/** Members of the input that have another form in a job. */
type Changed = 'id' | 'description' | 'selection' | 'columns'

/** The job without the facts that only the server needs. */
interface ExportJobFields extends Omit<OutputOf<typeof ExportJobInput>, Changed> {
  readonly id: string
  readonly description: string
  readonly selection: JobSelection | null
  readonly columns: readonly ExportColumn[] | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly createdBy: string
  readonly ownerId: string
  /** null: the server did not pause it. */
  readonly pausedReason: PausedReason | null
}

/** Where files go, with the owner of the secrets. */
export type TargetSettings = Pick<ExportJob, 'id' | 'destinationType' | 'destinationConfig' | 'secrets'>

/** The stored form: `destinationConfig` has no secrets. The export contains the data that its owner may read. */
export interface ExportJob extends ExportJobFields, Owner {
  /** Encrypted. */
  readonly secrets: FieldSecrets<string>
  /** Whether the job was active when the server paused it because of its owner. With another owner, such a job continues. */
  readonly resumesWithOwner: boolean
  /** Matches of the schedule up to this moment are dealt with: run, skipped, or from before the job was active. */
  readonly handledUntil: string
}

/** The public form. `selection`, `columns` and `files` have placeholders for data that the role may not read. */
export interface ExportJobView extends Omit<ExportJobFields, 'selection' | 'columns'> {
  readonly selection: ShownSelection | null
  readonly columns: readonly SentColumn[] | null
  readonly nextRunAt: string | null
  readonly lastRun: ExportRunView | null
}

interface JobFacts extends Pick<ExportJobView, 'selection' | 'columns' | 'files'> {
  readonly nextRunAt: Date | null
  readonly lastRun: ExportRunView | undefined
}

/** The job with its secrets masked. */
export function toJobView(job: ExportJob, { nextRunAt, lastRun, selection, columns, files }: JobFacts): ExportJobView {
  const {
    secrets,
    ownerKind: _kind,
    roleId: _roleId,
    handledUntil: _until,
    resumesWithOwner: _resumes,
    ...fields
  } = job
  const masks = Object.fromEntries(Object.keys(secrets).map((field) => [field, SECRET_PLACEHOLDER]))
  return {
    ...fields,
    destinationConfig: withSecrets(job.destinationConfig, masks),
    selection,
    columns,
    files,
    nextRunAt: nextRunAt?.toISOString() ?? null,
    lastRun: lastRun ?? null,
  }
}

type References = Pick<ExportJob, 'schemaId' | 'dimensionScope' | 'includeLifecycleStateIds'>

/** @throws VALIDATION_ERROR naming the field that names something unknown */
export function assertFitsModel(job: References, model: Model): void {
  if (job.schemaId !== null && !model.schemas.has(job.schemaId))
    throw invalid(`schemaId names the unknown schema '${shorten(job.schemaId, 128)}'`)
  const fault = job.dimensionScope && findScopeFault(job.dimensionScope, model)
  if (fault) throw invalid(`dimensionScope ${fault}`)
  const stateIds = job.includeLifecycleStateIds ?? []
  const twice = firstDuplicate(stateIds)
  if (twice !== undefined) throw invalid(`includeLifecycleStateIds lists '${twice}' twice`)
  const known = new Set([...model.workflows.values()].flatMap(({ states }) => states.map((state) => state.id)))
  const unknown = stateIds.find((stateId) => !known.has(stateId))
  if (unknown !== undefined) throw invalid(`includeLifecycleStateIds names the unknown state '${unknown}'`)
}
