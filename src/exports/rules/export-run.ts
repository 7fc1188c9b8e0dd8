// Runs of export jobs: reports of other programs, the stored form, and the public form. Contract 1 §2.10, 2 §6, 3 §5.
import * as v from 'valibot'
import type { Role } from '../../core/accounts/rules/permissions.ts'
import { invalid } from '../../kernel/errors.ts'
import { NewId, type OutputOf, Timestamp } from '../../kernel/input/validation.ts'
import { parseMoment } from '../../core/values/dates.ts'

export const RUN_STATUSES = ['running', 'success', 'failed'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** Errors of files that a run names. */
export const MAX_FILE_ERRORS = 100

/** The counts and errors of the files of a run, such as pictures. */
export const RunFilesShape = v.object({
  sent: v.pipe(v.number(), v.description('Files that this run delivered.')),
  unchanged: v.pipe(v.number(), v.description('Files that the destination had before.')),
  failed: v.pipe(
    v.number(),
    v.description(
      'Files that are missing, cannot be rendered or have no name of their own. The feed does without them.',
    ),
  ),
  errors: v.pipe(
    v.array(v.object({ recordId: v.string(), n: v.number(), message: v.string() })),
    v.description(`The first ${MAX_FILE_ERRORS} failed files. n: the place among the files of the record, from 1.`),
  ),
})

export type RunFiles = OutputOf<typeof RunFilesShape>
/** Names are made of values, whose history may be erased: a run keeps none. */
export type FileError = RunFiles['errors'][number]

/** full: everything that the job exports; delta: changes since an earlier run. */
const RUN_KINDS = ['full', 'delta'] as const
export type RunKind = (typeof RUN_KINDS)[number]

/** The values of a new run of this server. */
export const NOTHING_YET = {
  completedAt: null,
  recordCount: null,
  fileSize: null,
  destinationPath: null,
  error: null,
  kind: null,
  attempts: null,
  sha256: null,
  redelivers: null,
  keptUntil: null,
  files: null,
} as const

/** Facts of a rendered file, enough to deliver it, also later. */
export interface RenderedFile {
  /** The name at the destination. */
  readonly name: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  readonly sha256: string
  readonly recordCount: number
  /** Whether its checksum is delivered beside it. */
  readonly hasChecksum: boolean
  /**
   * Digest of the address for which the file was made. Undefined: the file is from before there were owners, and is never
   * delivered again.
   */
  readonly address?: string | undefined
  /** The role whose rights limited the content, as it was then. */
  readonly role?: Role | undefined
}

/** How far a run of this server has come. */
export const RunProgressShape = v.object({
  phase: v.pipe(
    v.picklist(['rendering', 'files', 'delivering', 'waiting']),
    v.description(
      'files: delivers pictures before the feed, or packs them. waiting: for other runs, or for the next attempt.',
    ),
  ),
  records: v.pipe(v.number(), v.description('Records rendered so far.')),
  total: v.pipe(v.nullable(v.number()), v.description('The number of records. null: unknown.')),
  bytes: v.pipe(v.number(), v.description('Bytes of the file rendered so far.')),
  attempt: v.pipe(v.number(), v.description('The delivery attempt. 0: none yet.')),
  nextAttemptAt: v.nullable(Timestamp),
  files: v.pipe(v.nullable(v.number()), v.description('Files of the run, such as pictures, that are done.')),
})

export type RunProgress = OutputOf<typeof RunProgressShape>

export const ExportRunShape = v.object({
  id: v.string(),
  jobId: v.string(),
  status: v.picklist(RUN_STATUSES),
  startedAt: Timestamp,
  completedAt: v.pipe(v.nullable(Timestamp), v.description('null while the run is running.')),
  recordCount: v.nullable(v.number()),
  fileSize: v.pipe(v.nullable(v.number()), v.description('Bytes, as delivered.')),
  destinationPath: v.pipe(v.nullable(v.string()), v.description('Full path or URL of the delivered file.')),
  error: v.nullable(v.string()),
  kind: v.pipe(
    v.nullable(v.picklist(RUN_KINDS)),
    v.description(
      'full: everything that the job exports. delta: changes since the last run. null: a run of an external runner.',
    ),
  ),
  durationMs: v.pipe(v.nullable(v.number()), v.description('null while the run is running.')),
  attempts: v.pipe(v.nullable(v.number()), v.description('Delivery attempts, once the run has ended.')),
  sha256: v.pipe(v.nullable(v.string()), v.description('SHA-256 of the file, in lower-case hexadecimal.')),
  redelivers: v.pipe(v.nullable(v.string()), v.description('The run whose file this run delivers again.')),
  keptUntil: v.pipe(
    v.nullable(Timestamp),
    v.description('Until then, the file of the failed delivery can be delivered again.'),
  ),
  files: v.pipe(v.nullable(RunFilesShape), v.description('The files of a job with `files`.')),
  progress: v.pipe(
    v.nullable(RunProgressShape),
    v.description('null if the run is not running, or not on this server.'),
  ),
})

/** The public form. */
export type ExportRunView = OutputOf<typeof ExportRunShape>

export type ExportRun = Omit<ExportRunView, 'durationMs' | 'progress'>

export function toRunView(run: ExportRun, progress: RunProgress | undefined): ExportRunView {
  const { startedAt, completedAt } = run
  const durationMs = completedAt === null ? null : Date.parse(completedAt) - Date.parse(startedAt)
  return { ...run, durationMs, progress: run.status === 'running' ? (progress ?? null) : null }
}

const Moment = v.pipe(
  v.string('must be a string'),
  v.check((text) => parseMoment(text) !== undefined, 'must be an ISO 8601 timestamp'),
  v.metadata({ format: 'date-time' }),
)
const Count = v.pipe(
  v.number('must be a number'),
  v.safeInteger('must be a whole number'),
  v.minValue(0, 'must be 0 or more'),
)
const LongText = v.pipe(v.string('must be a string'), v.maxLength(10_000, 'must be at most 10000 characters long'))

/** A run of another program, which reports the run during its work or afterwards. */
export const RunEntryInput = v.object({
  id: v.optional(NewId),
  status: v.picklist(RUN_STATUSES, `must be one of ${RUN_STATUSES.join(', ')}`),
  startedAt: v.optional(v.nullable(Moment)),
  completedAt: v.optional(v.nullable(Moment)),
  recordCount: v.optional(v.nullable(Count)),
  fileSize: v.optional(v.nullable(Count)),
  destinationPath: v.optional(v.nullable(LongText)),
  error: v.optional(v.nullable(LongText)),
})
type RunEntry = v.InferOutput<typeof RunEntryInput>

/** The run that `entry` reports. `now` replaces missing times. @throws VALIDATION_ERROR for impossible times */
export function defineRun(entry: RunEntry, id: string, jobId: string, now: string): ExportRun {
  const { status, recordCount = null, fileSize = null, destinationPath = null, error = null } = entry
  const ended = parseMoment(entry.completedAt ?? '') ?? null
  if (status === 'running' && ended !== null) throw invalid('completedAt must be null while status is running')
  const startedAt = parseMoment(entry.startedAt ?? '') ?? ended ?? now
  const completedAt = status === 'running' ? null : (ended ?? (startedAt > now ? startedAt : now))
  if (completedAt !== null && completedAt < startedAt) throw invalid('completedAt must not be before startedAt')
  return { ...NOTHING_YET, id, jobId, status, startedAt, completedAt, recordCount, fileSize, destinationPath, error }
}

/** The running `run` with the news of `entry`; missing members stay. @throws VALIDATION_ERROR for impossible times */
export function updateRun(run: ExportRun, entry: RunEntry, now: string): ExportRun {
  const { recordCount, fileSize, destinationPath, error } = run
  const given = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)) as RunEntry
  const startedAt = entry.startedAt ?? run.startedAt
  return defineRun({ recordCount, fileSize, destinationPath, error, ...given, startedAt }, run.id, run.jobId, now)
}
