// One run of an export job, from the records to the destination: render to the spool, deliver, and say how it ended.
// Contract 1 §2.10, 1 §3.3, 2 §6.
import { PimletError } from '../domain/errors.ts'
import { exportFilename } from '../domain/exports/export-filename.ts'
import { contentTypeOf } from '../domain/exports/export-format.ts'
import type { ExportJob } from '../domain/exports/export-job.ts'
import type { Log } from '../observing/log.ts'
import type { Store } from '../storage/port.ts'
import { type Delivery, DeliveryFailed } from './delivery.ts'
import { type Destinations, UnusableDestination } from './destinations.ts'
import { selectionOf } from './job-rendering.ts'
import type { Renderer } from './render-client.ts'
import type { Rendered } from './render-messages.ts'
import { asksToPause } from './retry.ts'
import { nextMatch } from './schedules.ts'
import { UnreadableSecret } from './secrets.ts'
import { asExportFile, type Spool } from './spool.ts'

export type Outcome =
  | {
      readonly status: 'success'
      readonly recordCount: number
      readonly fileSize: number
      readonly destinationPath: string
    }
  | { readonly status: 'failed'; readonly error: string; readonly pausesJob: boolean }

export interface RunOrder {
  readonly job: ExportJob
  readonly runId: string
  /** What `{date}` and `{time}` in the file's name say: the scheduled match, or when the run was triggered. */
  readonly at: Date
  readonly signal: AbortSignal
}

export interface RunDeps {
  readonly now: () => Date
  readonly store: Store
  readonly destinations: Destinations
  readonly renderer: Renderer
  readonly delivery: Delivery
  readonly spool: Spool
  readonly log: Log
  /** Milliseconds for the whole run. */
  readonly runTime: number
}

/** Why a run was ended from outside: its message becomes the run's error. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped'
}

export const INTERRUPTED = 'interrupted: the server stopped during this run'

/** Never rejects. */
export async function performRun(order: RunOrder, deps: RunDeps): Promise<Outcome> {
  const { job, runId, signal } = order
  const own = new AbortController()
  const minutes = Math.round(deps.runTime / 60_000)
  const timer = setTimeout(() => own.abort(new RunStopped(`the run took longer than ${minutes} minutes`)), deps.runTime)
  const limited = AbortSignal.any([signal, own.signal])
  try {
    return await renderAndDeliver({ ...order, signal: limited }, deps)
  } catch (error) {
    if (limited.aborted && limited.reason instanceof RunStopped)
      return { status: 'failed', error: limited.reason.message, pausesJob: false }
    return failure(error, order, deps)
  } finally {
    clearTimeout(timer)
    await deps.spool.remove(runId).catch((error: unknown) => {
      deps.log.warn({ err: error, jobId: job.id, runId }, 'a spool file could not be removed')
    })
  }
}

async function renderAndDeliver({ job, runId, at, signal }: RunOrder, deps: RunDeps): Promise<Outcome> {
  const begin = deps.now()
  const target = await deps.destinations.targetOf(job)
  await deps.delivery.sweep(target, runId, signal)
  const rendered = await render(job, deps.spool.fileOf(runId), signal, deps)
  const file = asExportFile(deps.spool.fileOf(runId), {
    name: exportFilename(job.filenameTemplate, {
      at,
      timezone: job.timezone,
      jobId: job.id,
      runId,
      format: job.format,
      isCompressed: job.compress,
    }),
    size: rendered.size,
    sha256: rendered.sha256,
    contentType: contentTypeOf(job.format, job.compress),
  })
  const retryUntil = lastRetry(job, begin, deps.runTime)
  const order = { runId, maxAttempts: job.maxAttempts, retryUntil, signal }
  const destinationPath = await deps.delivery.deliver(target, file, order)
  return { status: 'success', recordCount: rendered.recordCount, fileSize: rendered.size, destinationPath }
}

async function render(
  job: ExportJob,
  spoolFile: string,
  signal: AbortSignal,
  { renderer, store }: Pick<RunDeps, 'renderer' | 'store'>,
): Promise<Rendered> {
  const selection = await selectionOf(job, store.read)
  signal.throwIfAborted()
  return renderer.render({ ...selection, compress: job.compress, spoolFile }, signal)
}

/** No retry begins after the whole run's time or past the next match, which has a run of its own. */
function lastRetry({ active, schedule, timezone }: ExportJob, begin: Date, runTime: number): number {
  const end = begin.getTime() + runTime
  const next = active ? nextMatch(schedule, timezone, begin) : undefined
  return next === undefined ? end : Math.min(end, next.getTime())
}

function failure(error: unknown, { job, runId }: RunOrder, { log }: RunDeps): Outcome {
  const ids = { jobId: job.id, runId }
  if (error instanceof DeliveryFailed) {
    log.warn(ids, `an export could not be delivered: ${error.message}`)
    return { status: 'failed', error: error.message, pausesJob: asksToPause(error.cause) }
  }
  const isTold =
    (error instanceof PimletError && error.code !== 'INTERNAL_ERROR') ||
    error instanceof UnusableDestination ||
    error instanceof UnreadableSecret
  if (isTold) {
    log.warn(ids, `an export failed: ${error.message}`)
    return { status: 'failed', error: error.message, pausesJob: false }
  }
  log.error({ err: error, ...ids }, 'an export failed unexpectedly')
  return { status: 'failed', error: 'an unexpected fault of the server; its log has the cause', pausesJob: false }
}
