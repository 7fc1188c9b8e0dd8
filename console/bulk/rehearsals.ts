// Rehearsing a job, and running it: B1 none runs that was not rehearsed just so.
import { signal } from '@preact/signals'
import type { Call } from '../api/call.ts'
import type { Job } from '../state/jobs.ts'
import { isSameJob, type JobBody } from './action-drafts.ts'
import type { JobError, Sample } from '../jobs/differences.tsx'
import { followJob } from '../jobs/follow-job.ts'

export interface Rehearsal {
  readonly body: JobBody
  readonly job: Job
  /** Undefined until it is over. */
  readonly outcome?: { readonly samples: readonly Sample[]; readonly errors: readonly JobError[] }
}

/** Of each outcome, so many are shown. */
const SHOWN = 20

export class Rehearsals {
  readonly #call: Call
  readonly #now = signal<Rehearsal | undefined>(undefined)
  #stop: AbortController | undefined
  /** The last one that was begun. */
  readonly now = this.#now

  constructor(call: Call) {
    this.#call = call
  }

  /** Whether just this was rehearsed to its end. */
  holdsFor(body: JobBody | undefined): boolean {
    const { job, outcome, body: rehearsed } = this.#now.value ?? {}
    return outcome !== undefined && job?.status === 'succeeded' && isSameJob(rehearsed, body)
  }

  /** @throws what a call throws */
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

  /** @throws Error where it was not rehearsed; what a call throws */
  async run(body: JobBody): Promise<Job> {
    if (!this.holdsFor(body)) throw new Error('This was not rehearsed')
    return (await this.#call('POST /api/v1/bulk-jobs', { body })).body
  }

  /** Nobody looks at it any more. */
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
