// The undo step of an ended job: another job reverts its changes, and the first job's body runs again for redo.
import type { Console } from '../state/console.ts'
import type { Job } from '../state/jobs.ts'
import type { Step } from '../state/undo.ts'
import type { JobBody } from './action-drafts.ts'

/** @param onDone called after each of these jobs */
export function jobStep(console: Console, ended: Job, body: JobBody, name: string, onDone: () => void): Step {
  const { call } = console
  let last = ended
  return {
    name,
    undo: async () => {
      await watched(console, (await call('POST /api/v1/bulk-jobs/:id/undo', { params: { id: last.id } })).body)
      onDone()
    },
    // An undo cannot be undone, so the job itself runs again.
    redo: async () => {
      last = await watched(console, (await call('POST /api/v1/bulk-jobs', { body })).body)
      onDone()
    },
  }
}

export function watched({ jobs }: Console, job: Job): Promise<Job> {
  return new Promise((resolve) => jobs.watch(job, resolve))
}
