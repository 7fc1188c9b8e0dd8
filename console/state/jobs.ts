// Jobs that run on the server while the user continues. The code that starts a job adds it here, and every page shows
// its progress.
import { signal } from '@preact/signals'
import type { Call } from '../api/call.ts'
import { isPassing } from '../api/failures.ts'
import type { Endpoints } from '../api/types.ts'
import type { Timers } from './browser.ts'

export type Job = Endpoints['GET /api/v1/bulk-jobs/:id']['reply']

const WAIT = 25
const AFTER_FAILURE = 5000
/** Milliseconds for which a finished job is still shown. */
const SHOWN = 8000

export class Jobs {
  readonly #call: Call
  readonly #timers: Timers
  readonly #watched = new Set<string>()
  /** The user's jobs that run or have just ended. */
  readonly list = signal<readonly Job[]>([])

  constructor(call: Call, timers: Timers) {
    this.#call = call
    this.#timers = timers
  }

  /** Follows the user's jobs that already run. @throws the errors of a call */
  async load(userId: string): Promise<void> {
    const { body } = await this.#call('GET /api/v1/bulk-jobs', { query: { limit: 50 } })
    for (const job of body) if (job.ownerId === userId && !isOver(job)) this.watch(job)
  }

  /** Shows a job until it is over. @param onOver called with the finished job */
  watch(job: Job, onOver: (job: Job) => void = () => undefined): void {
    this.#put(job)
    if (this.#watched.has(job.id)) return
    this.#watched.add(job.id)
    void this.#follow(job, onOver)
  }

  async #follow(first: Job, onOver: (job: Job) => void): Promise<void> {
    let job: Job | undefined = first
    while (job !== undefined && !isOver(job)) {
      job = await this.#next(job.id)
      if (job !== undefined) this.#put(job)
    }
    this.#watched.delete(first.id)
    if (job !== undefined) onOver(job)
    this.#timers.after(SHOWN, () => {
      this.list.value = this.list.peek().filter(({ id }) => id !== first.id)
    })
  }

  /** Returns the job after its next change; undefined: the job is deleted. */
  async #next(id: string): Promise<Job | undefined> {
    for (;;) {
      try {
        return (await this.#call('GET /api/v1/bulk-jobs/:id', { params: { id }, query: { wait: WAIT } })).body
      } catch (error) {
        if (!isPassing(error)) return undefined
        await new Promise<void>((resolve) => this.#timers.after(AFTER_FAILURE, resolve))
      }
    }
  }

  #put(job: Job): void {
    const others = this.list.peek().filter(({ id }) => id !== job.id)
    this.list.value = [...others, job].sort((one, other) => one.createdAt.localeCompare(other.createdAt))
  }
}

export function isOver({ status }: Pick<Job, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled'
}
