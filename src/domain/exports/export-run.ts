// Runs of export jobs: what other programs tell of theirs, what is stored, and what clients see. Contract 1 §2.10, 2 §6, 3 §5.
import * as v from 'valibot'
import { invalid } from '../errors.ts'
import { NewId } from '../input/validation.ts'
import { parseMoment } from '../values/dates.ts'

export const RUN_STATUSES = ['running', 'success', 'failed'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

export interface ExportRun {
  readonly id: string
  readonly jobId: string
  readonly status: RunStatus
  readonly startedAt: string
  readonly completedAt: string | null
  readonly recordCount: number | null
  /** Bytes, as delivered. */
  readonly fileSize: number | null
  readonly destinationPath: string | null
  readonly error: string | null
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

/** A run that another program makes and reports, while it goes on or afterwards. */
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

/** The run that `entry` tells of. `now` stands in for times that it lacks. @throws VALIDATION_ERROR for times that cannot be */
export function defineRun(entry: RunEntry, id: string, jobId: string, now: string): ExportRun {
  const { status, recordCount = null, fileSize = null, destinationPath = null, error = null } = entry
  const ended = parseMoment(entry.completedAt ?? '') ?? null
  if (status === 'running' && ended !== null) throw invalid('completedAt must be null while status is running')
  const startedAt = parseMoment(entry.startedAt ?? '') ?? ended ?? now
  const completedAt = status === 'running' ? null : (ended ?? (startedAt > now ? startedAt : now))
  if (completedAt !== null && completedAt < startedAt) throw invalid('completedAt must not be before startedAt')
  return { id, jobId, status, startedAt, completedAt, recordCount, fileSize, destinationPath, error }
}

/** `run`, which is running, with what `entry` tells of it now; what that leaves out stays. @throws VALIDATION_ERROR for times that cannot be */
export function updateRun(run: ExportRun, entry: RunEntry, now: string): ExportRun {
  const { recordCount, fileSize, destinationPath, error } = run
  const given = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)) as RunEntry
  const startedAt = entry.startedAt ?? run.startedAt
  return defineRun({ recordCount, fileSize, destinationPath, error, ...given, startedAt }, run.id, run.jobId, now)
}
