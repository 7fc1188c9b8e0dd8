// Follows a job with `wait`: the server answers when the job has changed.
import type { Call } from '../api/call.ts'
import { isPassing } from '../api/failures.ts'
import { isOver, type Job } from '../state/jobs.ts'

const WAIT = 25
/** Milliseconds between attempts while the server is away; the job resumes when the server is back. */
const AFTER_FAILURE = 2000

/** Resolves with the finished job. @param onStep called after each change. @throws the errors of a call */
export async function followJob(
  call: Call,
  first: Job,
  onStep: (job: Job) => void,
  signal?: AbortSignal,
): Promise<Job> {
  let job = first
  while (!isOver(job)) {
    const options = { params: { id: job.id }, query: { wait: WAIT }, signal }
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
