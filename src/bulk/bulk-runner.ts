// Runs waiting jobs: several at a time, each in steps. A stop takes effect between two steps, and a kill may hit
// anywhere. The next start continues the jobs, or another server does. Only one server runs jobs at a time.
// Contract 3 §2, 3 §10.
import {
  type BulkJob,
  type BulkTask,
  hasEnded,
  type ImportTask,
  MAX_RUNNING_JOBS,
  NO_COUNTS,
} from '../core/jobs/rules/bulk-job.ts'
import { OwnerFault } from '../core/accounts/rules/owner.ts'
import { PimletError } from '../kernel/errors.ts'
import type { ModelChanges } from '../core/model/changes/model-changes.ts'
import type { Log } from '../kernel/observing/log.ts'
import { Leading } from '../store/leading.ts'
import type { Store, Transaction } from '../store/port.ts'
import type { System } from '../kernel/machine/system.ts'
import { Acting } from './acting.ts'
import { type AssertMay, findActor } from './job-actor.ts'
import { detaching } from './detaching.ts'
import { clearFindings } from './findings.ts'
import { rightsOf } from './job-rights.ts'
import { type Judge, takeStep } from './job-step.ts'
import { Renaming } from './renaming.ts'
import { replaceByJob } from './replacing.ts'
import { fixSelection } from './selecting.ts'
import { takeBackMade } from './taking-back.ts'
import { Undoing } from './undoing.ts'

/** Milliseconds until the next attempt, if storage was full or not writable. */
const RETRY = 5000
/** Attempts to find the records of a job. A search that takes too long once takes too long each time. */
const MAX_SEARCHES = 3

interface BulkRunnerDeps {
  readonly store: Store
  readonly system: System
  readonly log: Log
  readonly modelChanges: ModelChanges
  /** How many records the workspace may hold; 0: no limit. */
  readonly maxRecords: number
  /** Imports the kept file of a job. The store writes nothing once another server runs the jobs. */
  readonly carryOutImport: (store: Store, jobId: string, task: ImportTask, signal: AbortSignal) => Promise<void>
}

/** A period in which this server runs the jobs. */
interface Turn {
  /** Writes nothing after the turn has ended. */
  readonly store: Store
  readonly signal: AbortSignal
}

export class BulkRunner {
  readonly #deps: BulkRunnerDeps
  readonly #leading: Leading
  /** Running jobs by ID. No promise rejects. */
  readonly #working = new Map<string, Promise<void>>()
  /** Failed attempts to find the records of a job, by job ID. */
  readonly #searches = new Map<string, number>()
  readonly #retries = new Set<NodeJS.Timeout>()
  readonly #stopping = new AbortController()
  #turn: Turn | undefined

  constructor(deps: BulkRunnerDeps) {
    this.#deps = deps
    this.#leading = new Leading(deps.store, {
      name: 'bulk-jobs',
      begin: (store, { signal }) => this.#begin(store, signal),
      onFault: (error) => deps.log.error({ err: error }, 'bulk jobs cannot be carried out'),
    })
  }

  /**
   * Marks the jobs that a server's end interrupted, and begins. If another server runs jobs, begins when that server
   * stops.
   */
  start(): Promise<void> {
    return this.#leading.start()
  }

  /** Begins waiting jobs, if any. */
  wake(): void {
    const turn = this.#turn
    if (turn === undefined || turn.signal.aborted) return
    void this.#fill(turn).catch((error: unknown) => {
      if (!turn.signal.aborted) this.#deps.log.warn({ err: error }, 'bulk jobs could not be looked for')
    })
  }

  /** Resolves when the steps under way have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const retry of this.#retries) clearTimeout(retry)
    const turn = this.#turn
    await Promise.all(this.#working.values())
    if (turn !== undefined)
      await interrupt(turn.store).catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, 'bulk jobs were not noted as interrupted'),
      )
    this.#leading.stop()
  }

  async #begin(store: Store, lost: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([lost, this.#stopping.signal])
    // Jobs of an earlier turn end first.
    await Promise.all(this.#working.values())
    await interrupt(store)
    if (signal.aborted) return
    const turn = { store, signal }
    this.#turn = turn
    const end = (): void => {
      if (this.#turn === turn) this.#turn = undefined
    }
    lost.addEventListener('abort', end, { once: true })
    this.wake()
  }

  async #fill(turn: Turn): Promise<void> {
    while (this.#working.size < MAX_RUNNING_JOBS) {
      const open = await turn.store.read.bulkJobs.listOpen()
      const next = open.find(({ id, pausedReason }) => pausedReason === null && !this.#working.has(id))
      if (next === undefined || this.#working.size >= MAX_RUNNING_JOBS || turn.signal.aborted) return
      this.#working.set(next.id, this.#work(turn, next))
    }
  }

  async #work(turn: Turn, job: BulkJob): Promise<void> {
    const { log } = this.#deps
    try {
      await this.#carryOut(turn, job)
    } catch (error) {
      if (!turn.signal.aborted) {
        // A change of the model that has begun must be completed.
        if (job.kind === 'schema' || (isPassing(error) && this.#mayTryAgain(job))) {
          log.warn({ err: error, id: job.id }, 'a bulk job cannot go on now, and is tried again')
          await this.#waitToRetry(turn.signal)
        } else if (error instanceof OwnerFault) await this.#pause(turn, job.id)
        else await this.#fail(turn, job.id, error)
      }
    }
    this.#working.delete(job.id)
    this.wake()
  }

  async #carryOut({ store, signal }: Turn, { id }: BulkJob): Promise<void> {
    const task = await store.read.bulkJobs.taskOf(id)
    const deps = { ...this.#deps, store, assertMay: await rightsOf(store.read, task) }
    if (task.kind === 'replacement') {
      await replaceByJob(deps, id, task, signal)
      return
    }
    if (task.kind === 'import') {
      await deps.carryOutImport(store, id, task, signal)
      return
    }
    if (!(await resume(deps, id, signal))) return
    const judge = await this.#judgeOf(id, task)
    for (let isMore = true; isMore && !signal.aborted;) {
      await store.whenCalm()
      isMore = await takeStep(deps, id, judge)
    }
    if (judge.endsLater === true && task.kind === 'undo' && !signal.aborted)
      await this.#takeBack(deps, id, task, signal)
  }

  /** Ends the undo of an import that has made options or categories. */
  async #takeBack(
    deps: BulkRunnerDeps & { readonly assertMay: AssertMay },
    id: string,
    task: UndoTask,
    signal: AbortSignal,
  ): Promise<void> {
    const { store, system } = deps
    const job = await store.read.bulkJobs.get(id)
    const made = await madeBy(store.read, task)
    if (job?.status !== 'running' || made === undefined) return
    await takeBackMade(deps, job, made, signal)
    await store.transaction(async (tx) => {
      const present = await tx.bulkJobs.get(id)
      if (present?.status !== 'running') return
      await tx.bulkJobs.update({ ...present, status: 'succeeded', completedAt: system.now().toISOString() })
    })
  }

  async #judgeOf(id: string, task: Exclude<BulkTask, { kind: 'replacement' | 'import' }>): Promise<Judge> {
    const { store, system, maxRecords } = this.#deps
    const { bulkJobs } = store.read
    const job = (await bulkJobs.get(id))!
    if (task.kind === 'rename') return new Renaming(system, task.renaming, job.selected)
    if (task.kind === 'undo') {
      const endsLater = (await madeBy(store.read, task)) !== undefined
      return new Undoing({ system, maxRecords, endsLater }, (await bulkJobs.get(task.jobId))!)
    }
    return new Acting(system, task.kind === 'detach' ? detaching(task.recordId) : task.actions, job.dryRun)
  }

  async #fail({ store }: Turn, id: string, error: unknown): Promise<void> {
    const isTold = error instanceof PimletError && error.code !== 'INTERNAL_ERROR'
    const { system, log } = this.#deps
    if (!isTold) log.error({ err: error, id }, 'a bulk job failed')
    const told = isTold ? error : new PimletError('INTERNAL_ERROR', 'An unexpected error occurred')
    const failing = store.transaction(async (tx) => {
      const job = await tx.bulkJobs.get(id)
      if (job === undefined || hasEnded(job)) return
      await tx.bulkJobs.addError(id, 0, { recordId: null, error: told.code, message: told.message, line: null })
      await tx.bulkJobs.update({ ...job, status: 'failed', completedAt: system.now().toISOString() })
    })
    await failing.catch((cause: unknown) => log.warn({ err: cause, id }, 'a bulk job that failed was not noted'))
  }

  /** Pauses the job, unless the owner has the permissions by now or has changed. */
  async #pause({ store }: Turn, id: string): Promise<void> {
    const { system, log } = this.#deps
    const assertMay = await rightsOf(store.read, await store.read.bulkJobs.taskOf(id))
    const pausing = store.transaction(async (tx) => {
      const job = await tx.bulkJobs.get(id)
      if (job === undefined || hasEnded(job)) return
      const pausedReason = await findReason(tx, system, job, assertMay)
      if (pausedReason === null) return
      await tx.bulkJobs.update({ ...job, status: 'interrupted', pausedReason })
      log.warn({ id, reason: pausedReason.message }, 'a bulk job is paused: its owner may not do it')
    })
    await pausing.catch((cause: unknown) => log.warn({ err: cause, id }, 'a bulk job was not noted as paused'))
  }

  #mayTryAgain({ id, isSelected }: BulkJob): boolean {
    const searches = (this.#searches.get(id) ?? 0) + 1
    if (!isSelected && searches < MAX_SEARCHES) this.#searches.set(id, searches)
    else this.#searches.delete(id)
    return isSelected || searches < MAX_SEARCHES
  }

  #waitToRetry(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const retry = setTimeout(() => {
        this.#retries.delete(retry)
        resolve()
      }, RETRY)
      this.#retries.add(retry)
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }
}

type UndoTask = Extract<BulkTask, { kind: 'undo' }>

/** The options and categories that the undone job made. */
async function madeBy({ bulkJobs }: Pick<Store['read'], 'bulkJobs'>, { jobId }: UndoTask) {
  const task = await bulkJobs.taskOf(jobId)
  return task.kind === 'import' ? task.made : undefined
}

/** Resolves to whether the job is running now. */
async function resume(
  deps: { readonly store: Store; readonly system: System; readonly assertMay: AssertMay },
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { store } = deps
  const job = await store.read.bulkJobs.get(id)
  if (job === undefined || hasEnded(job) || job.pausedReason !== null) return false
  if (!job.isSelected) return fixSelection(deps, job, signal)
  if (job.dryRun) await clearFindings(store, id)
  return store.transaction(async (tx) => {
    const present = await tx.bulkJobs.get(id)
    if (present === undefined || hasEnded(present) || present.pausedReason !== null) return false
    const running: BulkJob = { ...present, status: 'running' }
    // Later records depend on earlier ones, and a dry run forgets those: it starts again.
    const { selected } = present
    await tx.bulkJobs.update(present.dryRun ? { ...running, ...NO_COUNTS, selected } : running)
    return true
  })
}

function interrupt(store: Store): Promise<void> {
  return store.transaction(async (tx) => {
    for (const job of await tx.bulkJobs.listOpen())
      if (job.status === 'running') await tx.bulkJobs.update({ ...job, status: 'interrupted' })
  })
}

/** The reason why the owner may not continue the job; null: the owner may. */
async function findReason(tx: Transaction, system: System, job: BulkJob, assertMay: AssertMay) {
  try {
    await findActor(tx, system, job, assertMay)
    return null
  } catch (error) {
    if (error instanceof OwnerFault) return error.pausedReason
    throw error
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof PimletError && error.code === 'UNAVAILABLE'
}
