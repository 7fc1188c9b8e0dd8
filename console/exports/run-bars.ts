// The last runs of each job as bars, oldest first: the result, and the relative duration.
import type { ExportRun } from './job-draft.ts'

const SHOWN_RUNS = 12

export interface RunBar {
  readonly id: string
  readonly status: ExportRun['status']
  /** Percent of the longest run; a failed or running run has no height. */
  readonly height: number
}

/** @param runs of any job, the latest first */
export function barsByJob(runs: readonly ExportRun[]): ReadonlyMap<string, RunBar[]> {
  const byJob = Map.groupBy(runs, ({ jobId }) => jobId)
  return new Map([...byJob].map(([jobId, ofJob]) => [jobId, barsOf(ofJob)]))
}

function barsOf(runs: readonly ExportRun[]): RunBar[] {
  const shown = runs.slice(0, SHOWN_RUNS).toReversed()
  const longest = Math.max(1, ...shown.map((run) => durationOf(run) ?? 0))
  return shown.map((run) => ({
    id: run.id,
    status: run.status,
    height: run.status === 'success' ? Math.max(25, Math.round((100 * (durationOf(run) ?? 0)) / longest)) : 0,
  }))
}

/** Returns the duration in milliseconds; undefined: the run is under way. */
export function durationOf({ startedAt, completedAt }: ExportRun): number | undefined {
  return completedAt === null ? undefined : Date.parse(completedAt) - Date.parse(startedAt)
}

/** @param runs the latest first */
export function runningOf(runs: readonly ExportRun[]): ExportRun | undefined {
  return runs.find(({ status }) => status === 'running')
}
