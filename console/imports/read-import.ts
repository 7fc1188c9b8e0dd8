// An import and its jobs, as they are at one moment.
import type { Call } from '../api/call.ts'
import { Refusal } from '../api/failures.ts'
import { isOver, type Job } from '../state/jobs.ts'
import type { SeenImport } from './steps.ts'

/** Jobs that are looked at: those before are in the list of jobs. */
const LOOKED_AT = 5
/** Each time a job would have to end just then. */
const TRIES = 3

/** @throws what a call throws */
export async function readImport(call: Call, id: string, signal: AbortSignal): Promise<SeenImport> {
  for (let left = TRIES; ; left -= 1) {
    const { body: found } = await call('GET /api/v1/imports/:id', { params: { id }, signal })
    const read = found.jobIds.slice(-LOOKED_AT).map((jobId) => readJob(call, jobId, signal))
    const jobs = (await Promise.all(read)).flat()
    const last = jobs.at(-1)
    // The job has ended after the import was read: nobody would follow it, and the import would be under way for ever.
    const isOutdated = found.status === 'running' && last !== undefined && isOver(last)
    if (!isOutdated || left === 1) return { found, jobs }
  }
}

/** None where it is not known any more. */
async function readJob(call: Call, id: string, signal: AbortSignal): Promise<Job[]> {
  try {
    return [(await call('GET /api/v1/bulk-jobs/:id', { params: { id }, signal })).body]
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return []
    throw error
  }
}
