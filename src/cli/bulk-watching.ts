// Shared by `pimlet bulk` and `pimlet undo`: posts a job, follows it to its end, and reports the result. Contract 3 §8.
import { escapeControls } from '../kernel/text.ts'
import type { BulkJobShape, ErrorView } from '../core/jobs/rules/bulk-job.ts'
import type { OutputOf } from '../kernel/input/validation.ts'
import type { Connection } from '../kernel/settings/workspace-place.ts'
import { StartError } from '../kernel/machine/start-error.ts'
import { call, getJson, readJson } from './client.ts'
import type { ProgressOptions } from '../workspace/maintenance/progress-report.ts'
import { showProgress } from './progress-bar.ts'

/** Most errors that are shown. */
const SHOWN_ERRORS = 20
/** Seconds that one request waits. */
const WAIT = 20

export type Job = OutputOf<typeof BulkJobShape>

/** Posts a job and follows it. @throws StartError also where records failed, or the job did not complete */
export async function runJob(connection: Connection, path: string, body?: object): Promise<void> {
  const content = body && { type: 'application/json', content: JSON.stringify(body) }
  const posted = await readJson<Job>(await call(connection, 'POST', path, content))
  await report(connection, await followJob(connection, posted, { label: 'bulk', unit: 'records' }))
}

/**
 * Resolves to the job when it has ended.
 * @throws StartError also where the job is paused until somebody takes it over
 */
export async function followJob(
  connection: Connection,
  posted: Job,
  { label, unit }: Pick<ProgressOptions, 'label' | 'unit'>,
): Promise<Job> {
  const path = `/api/v1/bulk-jobs/${encodeURIComponent(posted.id)}`
  const next = async (): Promise<Job> => {
    const found = await getJson<Job>(connection, `${path}?wait=${WAIT}`)
    if (found.pausedReason === null) return found
    const help = `an administrator takes it over with POST ${path}/take-over`
    throw new StartError(`The job '${found.id}' is paused: ${escapeControls(found.pausedReason.message)}: ${help}`)
  }
  let job = posted
  while (job.status === 'queued') job = await next()
  const progress = showProgress({ label, total: job.selected, unit })
  try {
    for (let shown = 0; ; job = await next()) {
      progress.advance(job.done - shown)
      shown = job.done
      if (job.completedAt !== null) return job
    }
  } finally {
    progress.stop()
  }
}

/** @throws StartError */
async function report(connection: Connection, job: Job): Promise<void> {
  const { id, status, dryRun, changed, unchanged, failed } = job
  const path = `/api/v1/bulk-jobs/${encodeURIComponent(id)}/errors?limit=${SHOWN_ERRORS}`
  const errors = await getJson<ErrorView[]>(connection, path)
  for (const { recordId, error, message } of errors)
    process.stderr.write(`${escapeControls(recordId ?? id)}: ${error}: ${escapeControls(message)}\n`)
  if (failed > errors.length) process.stderr.write(`… and ${failed - errors.length} records more that failed\n`)
  const counts = `changed ${changed}, unchanged ${unchanged}, failed ${failed}`
  process.stdout.write(`${id}: ${dryRun ? 'dry run, nothing is written: ' : ''}${counts}\n`)
  if (status !== 'succeeded') throw new StartError(`The job '${id}' is ${status}`)
  if (failed > 0) throw new StartError(`${failed} of ${job.selected} records failed`)
}
