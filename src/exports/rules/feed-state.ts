// The state of a delta job between its runs, and the content of the next file. Contract 3 §5, 3 §10.
import * as v from 'valibot'
import { exactObject } from '../../kernel/input/exact-object.ts'
import type { RunKind } from './export-run.ts'

export const DeltaInput = v.pipe(
  exactObject({
    fullEvery: v.optional(
      v.pipe(
        v.string('must be a string'),
        v.maxLength(200, 'must be at most 200 characters long'),
        v.description('Cron expression, in the time zone of the job: after each match, the next file is a full one.'),
      ),
    ),
  }),
  v.description('Files contain the changes since the last successful run. The first file has everything.'),
)

/** Digests of everything besides the records that a file depends on. */
export interface FeedBasis {
  /**
   * Digest of the data that all records depend on: the role, the selection, dimensions, workflows, and categories if they
   * matter.
   */
  readonly general: string
  /** Schema → digest of the data that its records depend on. */
  readonly schemas: Readonly<Record<string, string>>
}

/**
 * Runs are numbered as attempts, whether they succeed or not. A record counts as present at the destination after a
 * delivered file had it (`present_in`), the last full file included. It counts so until a delivered file reports it as
 * gone.
 */
export interface DeltaState {
  /** The number under which the delivered records are stored. */
  readonly feed: number
  /** The last attempt that was begun. */
  readonly attempt: number
  /** The number of the last run that succeeded; 0: none. */
  readonly done: number
  /** The number of the last successful run with a full file. */
  readonly base: number
  /** The last change that the destination knows of: a place in the change feed. */
  readonly position: number
  readonly basis: FeedBasis
  /** Digest of the settings whose change makes all earlier files useless. */
  readonly target: string
  /** When the last full file was due, ISO 8601. */
  readonly fullAt: string
}

/** Which records a destination may have, of a feed. */
export interface MemberView {
  readonly feed: number
  /** Attempts: the last full file, and the last file, that were delivered. */
  readonly base: number
  readonly done: number
}

export interface FeedState {
  /** Records of the last full file that was delivered; null: none was. */
  readonly fullCount: number | null
  /** null: the job makes no deltas. */
  readonly delta: DeltaState | null
}

export const NO_FEED: FeedState = { fullCount: null, delta: null }

/** A run of a job that makes deltas, as it begins. */
export interface FeedRun {
  readonly kind: RunKind
  /** Includes the number of this attempt. */
  readonly state: DeltaState
}

/** The result to store if the run succeeds. */
export interface FeedResult {
  readonly position: number
  readonly basis: FeedBasis
}

/**
 * @param before undefined: a new feed, whose number is `feed`
 * @param lastFull the last match of `fullEvery` until `at`
 */
export function beginFeedRun(
  before: DeltaState | undefined,
  { feed, target, at, lastFull }: { feed: number; target: string; at: Date; lastFull: Date | undefined },
): FeedRun {
  const nothing = { attempt: 0, done: 0, base: 0, position: 0, basis: { general: '', schemas: {} } }
  const known: DeltaState = before ?? { ...nothing, feed, target, fullAt: at.toISOString() }
  const isDue = lastFull !== undefined && lastFull.toISOString() > known.fullAt
  const isFull = known.done === 0 || known.target !== target || isDue
  return { kind: isFull ? 'full' : 'delta', state: { ...known, attempt: known.attempt + 1, target } }
}

/** The state where the run has succeeded. */
export function endFeedRun({ kind, state }: FeedRun, { position, basis }: FeedResult, at: Date): DeltaState {
  const { attempt } = state
  const full = kind === 'full' ? { base: attempt, fullAt: at.toISOString() } : {}
  return { ...state, ...full, done: attempt, position, basis }
}
