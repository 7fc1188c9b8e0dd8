// Runs of export jobs: what other programs tell of theirs, what is stored, and what clients see. Contract 1 §2.10, 2 §6, 3 §5.
import * as v from 'valibot'
import type { Role } from '../../core/accounts/rules/permissions.ts'
import { invalid } from '../../kernel/errors.ts'
import { NewId } from '../../kernel/input/validation.ts'
import { parseMoment } from '../../core/values/dates.ts'

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
  /** Of a run of this server: what its file holds; null: another program made it. */
  readonly kind: RunKind | null
  /** Of the delivery that were begun. */
  readonly attempts: number | null
  /** Of the file, as delivered: lower-case hexadecimal. */
  readonly sha256: string | null
  /** The run whose file it delivers again. */
  readonly redelivers: string | null
  /** Until when the file of a failed delivery can be delivered again. */
  readonly keptUntil: string | null
}

/** full: all that the job exports; delta: what changed since a run before. */
export const RUN_KINDS = ['full', 'delta'] as const
export type RunKind = (typeof RUN_KINDS)[number]

/** What a run of this server has no value for as long as nothing has happened. */
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
} as const

/** What is known of a file that is rendered: enough to deliver it, again too. */
export interface RenderedFile {
  /** At the destination. */
  readonly name: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  readonly sha256: string
  readonly recordCount: number
  /** Whether its checksum is delivered beside it. */
  readonly hasChecksum: boolean
  /** Print of the address that it was made for; undefined: of a file from before there were owners, which goes nowhere again. */
  readonly address?: string | undefined
  /** With whose rights it was made, as they were then. */
  readonly role?: Role | undefined
}

export const RUN_PHASES = ['rendering', 'delivering', 'waiting'] as const

/** How far a run of this server has come. waiting: for its turn, or for the next attempt. */
export interface RunProgress {
  readonly phase: (typeof RUN_PHASES)[number]
  /** Rendered so far. */
  readonly records: number
  /** Of records; null: not known. */
  readonly total: number | null
  /** Of the file, rendered so far. */
  readonly bytes: number
  /** Of the delivery; 0: none yet. */
  readonly attempt: number
  readonly nextAttemptAt: string | null
}

/** As clients see it. */
export interface ExportRunView extends ExportRun {
  readonly durationMs: number | null
  /** null where it does not run, or not on this server. */
  readonly progress: RunProgress | null
}

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
  return { ...NOTHING_YET, id, jobId, status, startedAt, completedAt, recordCount, fileSize, destinationPath, error }
}

/** `run`, which is running, with what `entry` tells of it now; what that leaves out stays. @throws VALIDATION_ERROR for times that cannot be */
export function updateRun(run: ExportRun, entry: RunEntry, now: string): ExportRun {
  const { recordCount, fileSize, destinationPath, error } = run
  const given = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)) as RunEntry
  const startedAt = entry.startedAt ?? run.startedAt
  return defineRun({ recordCount, fileSize, destinationPath, error, ...given, startedAt }, run.id, run.jobId, now)
}
