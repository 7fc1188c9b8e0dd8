// A job as it goes on: asked for with `wait`, so that an answer comes when something has changed.
import type { Call } from '../api/call.ts'
import { isPassing } from '../api/failures.ts'
import { isOver, type Job } from '../state/jobs.ts'

const WAIT = 25
/** Milliseconds until a server that is away is asked again: the job goes on when it is back. */
const AFTER_FAILURE = 2000

/** The job when it is over. @param onStep told each time it has changed. @throws what a call throws */
export async function followJob(
  call: Call,
  first: Job,
  onStep: (job: Job) => void,
  signal?: AbortSignal,
): Promise<Job> {
  let job = first
  while (!isOver(job)) {
    const options = { params: { id: job.id }, query: { wait: WAIT }, ...(signal === undefined ? {} : { signal }) }
    try {
      job = (await call('GET /api/v1/bulk-jobs/:id', options)).body
      onStep(job)
    } catch (error) {
      if (!isPassing(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, AFTER_FAILURE))
    }
  }
  return job
}
