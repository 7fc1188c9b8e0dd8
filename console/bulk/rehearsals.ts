// Rehearses a job, and runs it: no job runs without a rehearsal of exactly this job. B1.
import { signal } from '@preact/signals'
import type { Call } from '../api/call.ts'
import type { Job } from '../state/jobs.ts'
import { isSameJob, type JobBody } from './action-drafts.ts'
import type { JobError, Sample } from '../jobs/differences.tsx'
import { followJob } from '../jobs/follow-job.ts'

export interface Rehearsal {
  readonly body: JobBody
  readonly job: Job
  /** Undefined until the rehearsal is over. */
  readonly outcome?: { readonly samples: readonly Sample[]; readonly errors: readonly JobError[] }
}

/** The most shown samples and errors of each outcome. */
const SHOWN = 20

export class Rehearsals {
  readonly #call: Call
  readonly #now = signal<Rehearsal | undefined>(undefined)
  #stop: AbortController | undefined
  /** The rehearsal that was begun last. */
  readonly now = this.#now

  constructor(call: Call) {
    this.#call = call
  }

  /** Returns whether exactly this job was rehearsed completely. */
  holdsFor(body: JobBody | undefined): boolean {
    const { job, outcome, body: rehearsed } = this.#now.value ?? {}
    return outcome !== undefined && job?.status === 'succeeded' && isSameJob(rehearsed, body)
  }

  /** @throws the errors of a call */
  async rehearse(body: JobBody): Promise<void> {
    this.stop()
    const stop = new AbortController()
    this.#stop = stop
    const { body: first } = await this.#call('POST /api/v1/bulk-jobs', { body: { ...body, dryRun: true } })
    const show = (job: Job) => {
      if (!stop.signal.aborted) this.#now.value = { body, job }
    }
    show(first)
    try {
      const job = await followJob(this.#call, first, show, stop.signal)
      const outcome = await this.#outcomeOf(job.id, stop.signal)
      if (!stop.signal.aborted) this.#now.value = { body, job, outcome }
    } catch (error) {
      if (!stop.signal.aborted) throw error
    }
  }

  /** @throws Error if the job was not rehearsed; the errors of a call */
  async run(body: JobBody): Promise<Job> {
    if (!this.holdsFor(body)) throw new Error('This was not rehearsed')
    return (await this.#call('POST /api/v1/bulk-jobs', { body })).body
  }

  /** Stops the rehearsal, because the panel is closed. */
  stop(): void {
    this.#stop?.abort()
    this.#now.value = undefined
  }

  async #outcomeOf(id: string, stop: AbortSignal): Promise<Rehearsal['outcome'] & object> {
    const [samples, errors] = await Promise.all([
      this.#call('GET /api/v1/bulk-jobs/:id/samples', {
        params: { id },
        query: { outcome: 'updated', limit: SHOWN },
        signal: stop,
      }),
      this.#call('GET /api/v1/bulk-jobs/:id/errors', { params: { id }, query: { limit: SHOWN }, signal: stop }),
    ])
    return { samples: samples.body, errors: errors.body }
  }
}
