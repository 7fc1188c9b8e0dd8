// Follows the schedules of export jobs, and ends the runs of dead servers: one server at a time. Contract 1 §3.2, 2 §6.
import { PimletError } from '../../kernel/errors.ts'
import type { ExportJob } from '../rules/export-job.ts'
import type { Log } from '../../kernel/observing/log.ts'
import { Leading } from '../../store/leading.ts'
import { eachOf } from '../../store/each-of.ts'
import type { Store } from '../../store/port.ts'
import type { Lease } from '../../store/run-port.ts'
import { endInterrupted } from '../engine/lost-runs.ts'
import type { ExportRunner } from '../engine/runner.ts'
import { lastMatch, Scheduler } from './scheduler.ts'
import type { Spool } from '../engine/spool.ts'

/** Milliseconds between two looks for runs of servers that are gone. */
const ORPHAN_CHECK = 3000

interface ScheduleDutyParts {
  readonly store: Store
  readonly log: Log
  readonly now: () => Date
  readonly runner: ExportRunner
  readonly spool: Spool
}

export class ScheduleDuty {
  readonly #parts: ScheduleDutyParts
  readonly #leading: Leading
  readonly #scheduler: Scheduler
  #lease: Lease | undefined
  #present: Store | undefined
  #orphanCheck: NodeJS.Timeout | undefined
  #startedAt = ''
  #isStopped = false

  constructor(parts: ScheduleDutyParts) {
    this.#parts = parts
    this.#scheduler = new Scheduler(parts.now, {
      onMatch: (jobId, match) => this.#beginMatch(jobId, match),
      onMissed: (jobId, match) => this.#missMatch(jobId, match),
    })
    this.#leading = new Leading(parts.store, {
      name: 'export-schedules',
      begin: (store, lease) => this.#begin(store, lease),
      onFault: (error) => parts.log.error({ err: error }, 'the schedules of exports cannot be followed'),
    })
  }

  /** Resolves when the schedules are followed, here or by another server. */
  start(): Promise<void> {
    this.#startedAt = this.#parts.now().toISOString()
    return this.#leading.start()
  }

  /** No run begins any more. */
  stop(): void {
    this.#isStopped = true
    clearInterval(this.#orphanCheck)
    this.#scheduler.stop()
    this.#leading.stop()
  }

  /** Follows the schedule of a stored job, or stops following it. */
  watch(job: ExportJob): void {
    if (this.#lease === undefined) return
    if (job.active) this.#add(job)
    else this.#scheduler.remove(job.id)
  }

  remove(jobId: string): void {
    this.#scheduler.remove(jobId)
  }

  /** Other servers may have changed jobs. */
  refresh(): void {
    if (this.#lease === undefined) return
    this.#follow().catch((error: unknown) => this.#note(error, 'changed export jobs could not be read'))
  }

  async #begin(store: Store, lease: Lease): Promise<void> {
    const { log, runner } = this.#parts
    if (this.#isStopped) return
    this.#lease = lease
    this.#present = store
    runner.term = lease.term
    lease.signal.addEventListener('abort', () => this.#end(), { once: true })
    await this.#endOrphaned()
    const littered = new Set(await store.read.exportLeftovers.jobIds())
    for await (const job of eachOf(store.read.exportJobs)) {
      // A sweep that is begun before a run comes first, and the run waits for it.
      if (littered.has(job.id)) void runner.sweep(job)
      const missed = this.#findMissed(job)
      if (missed === undefined) continue
      // If this server was running already, only the former leader was late.
      if (missed.toISOString() >= this.#startedAt) this.#beginMatch(job.id, missed)
      else this.#missMatch(job.id, missed)
    }
    await this.#follow()
    if (store.files !== undefined) this.#watchOrphaned()
    if (lease.term > 1) log.info({ term: lease.term }, 'this server follows the schedules of exports')
  }

  #end(): void {
    this.#lease = undefined
    this.#present = undefined
    clearInterval(this.#orphanCheck)
    this.#scheduler.clear()
  }

  async #follow(): Promise<void> {
    const jobs = await this.#parts.store.read.exportJobs.list()
    const active = jobs.filter((job) => job.active)
    if (this.#lease !== undefined) this.#scheduler.keep(active, (job) => this.#add(job as ExportJob))
  }

  #add(job: ExportJob): void {
    try {
      this.#scheduler.add(job)
    } catch (error) {
      // Time zones come from the system: a time zone that was known when the job was saved may be gone.
      this.#parts.log.error({ err: error, jobId: job.id }, 'the schedule of an export job cannot be followed')
    }
  }

  #findMissed(job: ExportJob): Date | undefined {
    try {
      const last = job.active ? lastMatch(job.schedule, job.timezone, this.#parts.now()) : undefined
      return last !== undefined && last.toISOString() > job.handledUntil ? last : undefined
    } catch {
      return undefined
    }
  }

  #beginMatch(jobId: string, match: Date): void {
    const { runner, log } = this.#parts
    if (runner.isBusy(jobId)) {
      log.info({ jobId, match }, 'a scheduled export is skipped: the job is still running')
      return
    }
    runner.begin(jobId, { match, lease: this.#lease }).catch((error: unknown) => {
      // Another server may have deleted the job.
      if (error instanceof PimletError && ['CONFLICT', 'NOT_FOUND'].includes(error.code))
        log.info({ jobId, match }, `a scheduled export is skipped: ${error.message}`)
      else if (!this.#isStopped) log.error({ err: error, jobId, match }, 'a scheduled export could not begin')
    })
  }

  #missMatch(jobId: string, match: Date): void {
    const { store, log } = this.#parts
    const judge = async (): Promise<void> => {
      const job = await store.read.exportJobs.get(jobId)
      if (job?.missedRunPolicy === 'once') this.#beginMatch(jobId, match)
      else log.info({ jobId, match }, 'a scheduled export was missed')
    }
    judge().catch((error: unknown) => log.error({ err: error, jobId }, 'a missed export could not be judged'))
  }

  /** Only a workspace of several servers can have runs whose server is gone. */
  #watchOrphaned(): void {
    const check = (): Promise<void> =>
      this.#endOrphaned().catch((error: unknown) => this.#note(error, 'runs of servers that are gone were not ended'))
    this.#orphanCheck = setInterval(() => void check(), ORPHAN_CHECK).unref()
  }

  /** Ends the runs of servers that are gone. */
  async #endOrphaned(): Promise<void> {
    const { now, log, spool } = this.#parts
    const store = this.#present
    if (store === undefined) return
    const runIds = await endInterrupted({ store, spool }, (runs) => runs.listOrphaned(), now())
    if (runIds.length > 0) log.warn({ runIds }, 'export runs of a server that is gone were ended')
  }

  #note(error: unknown, message: string): void {
    if (!this.#isStopped && this.#lease !== undefined) this.#parts.log.warn({ err: error }, message)
  }
}
