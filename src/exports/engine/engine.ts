// The export engine: schedules, runs, destinations, and the repair after a server died. Services know it by the interface
// `ExportEngine` (`jobs/export-engine.ts`). Contract 1 §3.2, 1 §3.3, 2 §6.
import { PimletError } from '../../kernel/errors.ts'
import type { Role } from '../../core/accounts/rules/permissions.ts'
import type { ExportJob } from '../rules/export-job.ts'
import type { Log } from '../../kernel/observing/log.ts'
import type { Store } from '../../store/port.ts'
import type { GaugeValue } from '../../kernel/observing/metrics.ts'
import type { System } from '../../kernel/machine/system.ts'
import { createDelivery, DeliveryFailed, type DeliveryLimits } from './delivery.ts'
import type { Destination } from '../../kernel/destination.ts'
import { createDestinations, UnusableDestination } from '../destinations/destinations.ts'
import type { GuardedNetwork } from '../../kernel/egress/network.ts'
import type { Renderer } from '../rendering/render-client.ts'
import type { AddressSource } from '../rendering/file-addresses.ts'
import { selectionOf } from '../rendering/job-rendering.ts'
import { nextKind } from './feed-runs.ts'
import type { DeltaState } from '../rules/feed-state.ts'
import { removeOrphans } from '../rendering/feed-members.ts'
import { endInterrupted, endAllSilentRuns } from './lost-runs.ts'
import { redeliveryOf, tidySpool } from './kept-files.ts'
import { INTERRUPTED, RunStopped } from './run.ts'
import { type FileMaker, forgetFiles } from './run-files.ts'
import { ExportRunner } from './runner.ts'
import type { NoteRun } from './run-rows.ts'
import { ScheduleDuty } from '../schedule/schedule-duty.ts'
import { findScheduleFault, nextMatch, nextMatches } from '../schedule/scheduler.ts'
import { createSecretBox, UnreadableSecret } from '../../kernel/secrets/secret-box.ts'
import { createSpool } from './spool.ts'

export interface EngineDeps {
  readonly store: Store
  readonly system: System
  readonly log: Log
  /** By type. */
  readonly destinations: ReadonlyMap<string, Destination>
  readonly network: GuardedNetwork
  readonly renderer: Renderer
  readonly spoolDirectory: string
  readonly encryptionKey: Buffer
  readonly addresses: AddressSource
  readonly fileMaker: FileMaker
  readonly keepRuns: number
  /** Called when the progress of a run changes. */
  readonly onProgress?: (() => void) | undefined
  /** How a run has ended is stored. */
  readonly onEnded?: ((status: 'success' | 'failed') => void) | undefined
  /** Limits that tests change. */
  readonly limits?: Partial<DeliveryLimits> & { readonly runTime?: number; readonly silenceCheck?: number }
}

const RUN_TIME = 3_600_000
/** Milliseconds between two checks for silent runs, and between two signs of life of own runs. */
const SILENCE_CHECK = 60_000
const UNCHECKED = 'The settings fit. Its plugin has no check: whether the destination can be written only a run tells'

export function createExportEngine(deps: EngineDeps) {
  const { store, system, log, renderer, network, limits = {} } = deps
  const now = (): Date => system.now()
  const box = createSecretBox(deps.encryptionKey, (count) => system.randomBytes(count))
  const destinations = createDestinations(deps.destinations, box, network, (message) => log.warn({}, message))
  const random = (): number => system.randomBytes(4).readUInt32BE() / 2 ** 32
  const delivery = createDelivery({ store, network, log, now, random, limits })
  const spool = createSpool(deps.spoolDirectory)
  const { addresses, fileMaker } = deps
  const parts = { store, system, log, destinations, addresses, fileMaker, renderer, delivery, spool }
  const runner = new ExportRunner({
    ...parts,
    keepRuns: deps.keepRuns,
    runTime: limits.runTime ?? RUN_TIME,
    onPaused: (job) => schedules.remove(job.id),
    onEnded: deps.onEnded,
    onProgress: deps.onProgress,
  })
  const schedules = new ScheduleDuty({ store, log, now, runner, spool })
  const stopping = new AbortController()
  const untilStop = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, stopping.signal])

  const tidySpoolNow = (): Promise<void> => tidySpool({ store, spool }, now(), () => runner.runIds)

  function tidy(): void {
    tidySpoolNow().catch((error: unknown) => {
      if (!stopping.signal.aborted) log.warn({ err: error }, 'the spool could not be tidied')
    })
  }

  function forgetMembers(): void {
    Promise.all([removeOrphans(store, stopping.signal), forgetFiles(store, stopping.signal)]).catch(
      (error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'the state of deleted jobs could not be removed')
      },
    )
  }

  let silenceCheck: NodeJS.Timeout | undefined
  function lookAtRuns(): void {
    endAllSilentRuns(store, now()).catch((error: unknown) => {
      if (!stopping.signal.aborted) log.warn({ err: error }, 'export runs without news could not be ended')
    })
    tidy()
    beat()
  }

  function beat(): void {
    Promise.all([runner.beat(), runner.takeOver()]).catch((error: unknown) => {
      if (!stopping.signal.aborted) log.warn({ err: error }, 'that export runs go on could not be noted')
    })
  }

  return {
    secrets: box,
    destinations,
    tidySpool: tidySpoolNow,
    findScheduleFault: (schedule: string, timezone: string) => findScheduleFault(schedule, timezone, now()),
    nextMatches: (schedule: string, timezone: string, count: number) => nextMatches(schedule, timezone, now(), count),
    nextRunAt(job: ExportJob): Date | null {
      try {
        return (job.active && nextMatch(job.schedule, job.timezone, now())) || null
      } catch {
        return null
      }
    },
    nextKind: (job: ExportJob, state: DeltaState) => nextKind(job, state, now()),
    redact: (job: ExportJob, text: string) => destinations.redactorOf(job)(text),
    watch: (job: ExportJob) => schedules.watch(job),
    gauge: (): GaugeValue => ({
      name: 'pimlet_export_runs_running',
      help: 'Export runs under way',
      value: runner.running,
    }),
    trigger: (jobId: string, note?: NoteRun) => runner.begin(jobId, { note }),
    redeliver: async (jobId: string, runId: string, note: NoteRun) =>
      runner.begin(jobId, { redelivers: await redeliveryOf({ store, destinations }, jobId, runId), note }),
    progressOf: (runId: string) => runner.progressOf(runId),
    cancel: (runId: string) => runner.cancel(runId),
    sweep: (job: ExportJob) => runner.sweep(job),

    retire: <Result>(job: ExportJob, work: () => Promise<Result>): Promise<Result> =>
      runner.retire(job, async () => {
        const result = await work()
        schedules.remove(job.id)
        tidy()
        forgetMembers()
        return result
      }),

    async check(job: ExportJob, signal: AbortSignal, isDraft = false): Promise<{ ok: boolean; message: string }> {
      try {
        const target = await destinations.targetOf(job)
        if (target.destination.check === undefined) return { ok: true, message: UNCHECKED }
        await delivery.check({ ...target, isDraft }, system.newId('run'), untilStop(signal))
        return { ok: true, message: 'The destination can be written' }
      } catch (error) {
        const isTold =
          error instanceof DeliveryFailed || error instanceof UnusableDestination || error instanceof UnreadableSecret
        if (isTold) return { ok: false, message: error.message }
        if (error === stopping.signal.reason) throw new PimletError('UNAVAILABLE', 'The server is stopping')
        throw error
      }
    },

    async preview(job: ExportJob, role: Role, limit: number, signal: AbortSignal): Promise<string> {
      return renderer.preview(
        await selectionOf(job, role, { read: store.read, addresses: deps.addresses }),
        limit,
        untilStop(signal),
      )
    },

    /** Repairs the leftovers of a dead server. Await this call before all others. */
    async recover(): Promise<void> {
      await spool.prepare()
      await endInterrupted({ store, spool }, (runs) => runs.listAbandoned(), now())
      await tidySpoolNow()
      forgetMembers()
    },

    /** Competes for the schedules, and follows them when no other server does. */
    start(): Promise<void> {
      silenceCheck = setInterval(lookAtRuns, limits.silenceCheck ?? SILENCE_CHECK).unref()
      return schedules.start()
    },

    /** Reads changes by other servers: changed jobs, and runs that this server must begin or end. */
    refresh(): void {
      schedules.refresh()
      beat()
    },

    /** Begins no more runs; resolves when the running ones have ended. */
    async stop(): Promise<void> {
      schedules.stop()
      clearInterval(silenceCheck)
      stopping.abort(new RunStopped(INTERRUPTED))
      await runner.stop()
    },
  }
}

export type RunningEngine = ReturnType<typeof createExportEngine>
