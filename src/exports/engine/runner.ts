// Runs exports: at most one run per job. The row of the run is written first, and always ends with the true result.
// Contract 1 §3.3, 2 §6.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { conflict, PimletError } from '../../kernel/errors.ts'
import type { ExportJob } from '../rules/export-job.ts'
import type { ExportRun, RunProgress } from '../rules/export-run.ts'
import type { Store } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'
import { failed, INTERRUPTED, type Outcome, performRun, type RunDeps, RunStopped, ProgressTracker } from './run.ts'
import { type Ended, assertBegun, beginRun, type Begun, endRun, type RunCause, takeRun } from './run-rows.ts'
import { Gate } from '../../kernel/gate.ts'

/** Runs of different jobs at the same time; later ones wait, with their row at `running`. */
const CONCURRENT_RUNS = 4
/** Milliseconds between tries to store how a run ended. */
const STORE_AGAIN = [1000, 5000, 30_000]
/** Milliseconds between two checks whether another server has ended a run, and the number of checks. */
const LOOK = 200
const MAX_LOOKS = 100

interface RunnerDeps extends Omit<RunDeps, 'now'> {
  readonly store: Store
  readonly system: System
  /** Runs kept per job; 0: all. */
  readonly keepRuns: number
  /** A run has paused its job. */
  readonly onPaused: (job: ExportJob) => void
  /** A run has come further. */
  readonly onProgress?: (() => void) | undefined
  /** How a run has ended is stored. */
  readonly onEnded?: ((status: Outcome['status']) => void) | undefined
}

interface ActiveRun {
  readonly controller: AbortController
  readonly progress: ProgressTracker
  runId: string | undefined
  done: Promise<void>
}

export class ExportRunner {
  /** Term of the schedule lease that this server last held. */
  term = 0
  readonly #deps: RunnerDeps
  readonly #gate = new Gate({ size: CONCURRENT_RUNS })
  /** By job. */
  readonly #active = new Map<string, ActiveRun>()
  /** By job: removals of leftovers outside of runs. A run of the job waits for them. */
  readonly #sweeps = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()

  constructor(deps: RunnerDeps) {
    this.#deps = deps
  }

  get running(): number {
    return [...this.#active.values()].filter(({ runId }) => runId !== undefined).length
  }

  /** The runs of this server. */
  get runIds(): string[] {
    return [...this.#active.values()].flatMap(({ runId }) => runId ?? [])
  }

  /** The progress of a run of this server. */
  progressOf(runId: string): RunProgress | undefined {
    return [...this.#active.values()].find((active) => active.runId === runId)?.progress.present
  }

  isBusy(jobId: string): boolean {
    return this.#active.has(jobId)
  }

  /**
   * Resolves to the run as soon as its row is committed.
   * @throws NOT_FOUND
   * @throws CONFLICT while the job runs, here or elsewhere
   * @throws CONFLICT if the file to deliver again is not kept, or is at a server that is not running
   * @throws UNAVAILABLE when the server is stopping
   */
  async begin(jobId: string, cause: RunCause = {}): Promise<ExportRun> {
    if (this.#stopping.signal.aborted) throw new PimletError('UNAVAILABLE', 'The server is stopping')
    if (this.#active.has(jobId)) throw conflict(`The export job '${jobId}' is running already`)
    const { store, system } = this.#deps
    const starting = store.transaction((tx) => beginRun(tx, system, this.term, jobId, cause)).then(assertBegun)
    this.#performStarting(jobId, cause, starting)
    return (await starting).run
  }

  /** Begins runs that were requested at other servers, if their file is here. */
  async takeOver(): Promise<void> {
    const { store, system } = this.#deps
    const given = await store.read.exportRuns.listGiven()
    for (const run of given) {
      // The store is busy for a moment: the next look finds the run.
      if (this.#stopping.signal.aborted || this.#active.has(run.jobId)) continue
      const starting = store.transaction((tx) => takeRun(tx, system, run))
      this.#performStarting(run.jobId, {}, starting)
      await starting
    }
    // Somebody may have cancelled them already.
    if (given.length > 0) await this.beat()
  }

  #performStarting(jobId: string, cause: RunCause, starting: Promise<Begun | undefined>): void {
    const active = this.#occupy(jobId)
    active.done = starting
      .then(
        (begun) => {
          if (begun?.isHere !== true) return
          active.runId = begun.run.id
          return this.#perform(begun, cause, active)
        },
        () => undefined,
      )
      .finally(() => this.#active.delete(jobId))
  }

  #occupy(jobId: string, done = Promise.resolve()): ActiveRun {
    const progress = new ProgressTracker(() => this.#deps.onProgress?.())
    const active: ActiveRun = { controller: new AbortController(), progress, runId: undefined, done }
    this.#active.set(jobId, active)
    return active
  }

  /** Ends the run, with some delay. @returns whether this server runs it */
  cancel(runId: string): boolean {
    const active = [...this.#active.values()].find((candidate) => candidate.runId === runId)
    active?.controller.abort(new RunStopped('cancelled', { isWanted: true }))
    return active !== undefined
  }

  /** Notes that the runs of this server are alive, and ends runs that were cancelled at another server. */
  async beat(): Promise<void> {
    if (this.running === 0) return
    const moment = this.#deps.system.now().toISOString()
    for (const runId of await this.#deps.store.transaction((tx) => tx.exportRuns.beat(moment))) this.cancel(runId)
  }

  /** Removes leftovers of earlier runs at the destination if possible, unless the job runs. Never rejects. */
  async sweep(job: ExportJob): Promise<void> {
    if (!this.#active.has(job.id)) await this.#sweepNow(job)
  }

  /** Runs `work`, which deletes the job, while the job does not run. Leftovers at the destination are removed first. */
  async retire<Result>(job: ExportJob, work: () => Promise<Result>): Promise<Result> {
    for (let active = this.#active.get(job.id); active !== undefined; active = this.#active.get(job.id)) {
      active.controller.abort(new RunStopped('cancelled: the job is being deleted', { isWanted: true }))
      await active.done
      await nextTurn()
    }
    const working = this.#endElsewhere(job.id)
      .then(() => this.#sweepNow(job))
      .then(work)
    const done = working.then(
      () => undefined,
      () => undefined,
    )
    this.#occupy(job.id, done)
    return working.finally(() => this.#active.delete(job.id))
  }

  /** A run of the job that another server performs is cancelled, and ends in a moment. */
  async #endElsewhere(jobId: string): Promise<void> {
    const { store } = this.#deps
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      const run = await store.read.exportRuns.findRunning(jobId)
      if (run === undefined || !(await store.transaction((tx) => tx.exportRuns.requestCancel(run.id)))) return
      await sleep(LOOK, undefined, { signal: this.#stopping.signal })
    }
  }

  async #sweepNow(job: ExportJob): Promise<void> {
    if (this.#stopping.signal.aborted) return
    const { destinations, delivery, system } = this.#deps
    const before = this.#sweeps.get(job.id)
    const sweep = (async () => {
      await before
      const target = await destinations.targetOf(job).catch(() => undefined)
      if (target !== undefined) await delivery.sweep(target, system.newId('run'), this.#stopping.signal)
    })()
    this.#sweeps.set(job.id, sweep)
    await sweep
    if (this.#sweeps.get(job.id) === sweep) this.#sweeps.delete(job.id)
  }

  /** Ends all runs; resolves when their rows say so. */
  async stop(): Promise<void> {
    this.#stopping.abort(new RunStopped(INTERRUPTED))
    const ending = [...this.#active.values()].map(({ controller, done }) => {
      controller.abort(new RunStopped(INTERRUPTED))
      return done
    })
    await Promise.all([...ending, ...this.#sweeps.values()])
  }

  async #perform(begun: Begun, { match }: RunCause, { controller, progress }: ActiveRun): Promise<void> {
    const { job, run, feed } = begun
    const { signal } = controller
    const at = match ?? new Date(run.startedAt)
    const work = async (): Promise<Outcome> => {
      await this.#sweeps.get(job.id)
      const deps = { ...this.#deps, now: () => this.#deps.system.now() }
      return performRun({ job, runId: run.id, at, feed, redelivers: run.redelivers, progress, signal }, deps)
    }
    const outcome = await this.#gate.run(work, { signal }).catch((error: Error) => failed(error.message))
    await this.#storeOutcome(begun, { ...outcome, attempts: progress.present.attempt, at })
  }

  /** Tries until the outcome is stored: a full disk is temporary, and the row must not say `running` for ever. */
  async #storeOutcome(begun: Begun, outcome: Ended): Promise<void> {
    const { run } = begun
    const { log, store, onPaused, onEnded } = this.#deps
    for (let attempt = 0; ; attempt += 1) {
      try {
        const paused = await store.transaction((tx) => endRun(tx, this.#deps, begun, outcome))
        if (paused !== undefined) onPaused(paused)
        onEnded?.(outcome.status)
        log.info({ jobId: run.jobId, runId: run.id, status: outcome.status }, 'an export has ended')
        return
      } catch (error) {
        const isLast = this.#stopping.signal.aborted
        log.error({ err: error, jobId: run.jobId, runId: run.id }, 'how an export ended could not be stored')
        if (isLast) return
        const pause = STORE_AGAIN[Math.min(attempt, STORE_AGAIN.length - 1)]
        await sleep(pause, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
      }
    }
  }
}
