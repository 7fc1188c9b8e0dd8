// The use cases of export runs: the history of a job, and its operations besides the schedule. Contract 1 §2.10, 1 §4.4, 2 §6.
import type * as v from 'valibot'
import { conflict, notFound } from '../../kernel/errors.ts'
import {
  defineRun,
  type ExportRun,
  type ExportRunView,
  type RunEntryInput,
  toRunView,
  updateRun,
} from '../rules/export-run.ts'
import { previewFormat } from '../rules/export-format.ts'
import { assertPermission } from '../../core/accounts/rules/permissions.ts'
import type { Reads, Store } from '../../store/port.ts'
import type { RunFilter } from '../../store/run-port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../../core/accounts/caller.ts'
import { type ChangeBell, newsNow } from '../../core/feed/change-bell.ts'
import { keepAnswer } from '../../core/requests/idempotent-requests.ts'
import type { CheckResult, ExportEngine, NoteRun } from './export-engine.ts'

export function createExportRunService(deps: {
  store: Store
  system: System
  engine: ExportEngine
  /** Kept per job; 0: all. */
  keepRuns: number
  bell: ChangeBell
}) {
  const { store, system, engine, keepRuns, bell } = deps
  const viewOf = (run: ExportRun): ExportRunView => toRunView(run, engine.progressOf(run.id))
  return {
    /** The latest first. @throws NOT_FOUND */
    list: (_caller: Caller, jobId: string, limit: number): Promise<ExportRunView[]> =>
      store.snapshot(async (reads) => {
        await reads.exportJobs.find(jobId)
        return (await reads.exportRuns.listOf(jobId, limit)).map(viewOf)
      }),

    /** Runs of all jobs, the latest first. */
    listAll: async (_caller: Caller, filter: RunFilter, limit: number): Promise<ExportRunView[]> =>
      (await store.read.exportRuns.list(filter, limit)).map(viewOf),

    /**
     * `wait`: maximum seconds to wait for a change of a running run.
     * @throws NOT_FOUND, RATE_LIMITED if too many requests of the caller wait
     */
    async get(caller: Caller, { jobId, runId }: RunAddress, wait: number, signal: AbortSignal): Promise<ExportRunView> {
      const look = async () => viewOf(await store.snapshot((reads) => findRun(reads, jobId, runId)))
      const first = JSON.stringify(await look())
      const newsIn = (run: ExportRunView): number => newsNow(run.status !== 'running' || JSON.stringify(run) !== first)
      return (await bell.lookForNews(caller, { seconds: wait, signal }, look, newsIn)).seen
    },

    /**
     * Stores the report of another program about its run, new or still running. No run begins here.
     * @throws NOT_FOUND, VALIDATION_ERROR for impossible times, CONFLICT for the ID of an ended run or of a run of this
     * server
     */
    record: (caller: Caller, jobId: string, entry: v.InferOutput<typeof RunEntryInput>): Promise<RecordedRun> =>
      store.transaction(async (tx) => {
        const job = await tx.exportJobs.find(jobId)
        const now = system.now().toISOString()
        const before = entry.id === undefined ? undefined : await tx.exportRuns.get(entry.id)
        const isUpdate = before?.jobId === jobId && before.status === 'running'
        if (isUpdate && (await tx.exportRuns.isPerformed(before.id)))
          throw conflict(`The export run '${before.id}' is performed by this server, which records it itself`)
        const told = isUpdate
          ? updateRun(before, entry, now)
          : defineRun(entry, entry.id ?? system.newId('run'), jobId, now)
        const redact = (text: string | null): string | null => (text === null ? null : engine.redact(job, text))
        const run = { ...told, destinationPath: redact(told.destinationPath), error: redact(told.error) }
        await (isUpdate ? tx.exportRuns.update(run, now) : tx.exportRuns.insert(run, now))
        if (keepRuns > 0) await tx.exportRuns.prune(jobId, keepRuns)
        return keepAnswer(tx, caller, { run: viewOf(run), isNew: !isUpdate })
      }),

    /** Begins a run now, whether the job is paused or not. @throws NOT_FOUND, CONFLICT while another run is under way, UNAVAILABLE */
    trigger: async (caller: Caller, jobId: string): Promise<ExportRunView> =>
      asBegun(await engine.trigger(jobId, noteFor(caller))),

    /**
     * Begins a run that delivers the file of a failed run again.
     * @throws NOT_FOUND, UNAVAILABLE
     * @throws CONFLICT while the job runs
     * @throws CONFLICT if the file is no longer kept, or is at a server that is not running
     */
    redeliver: async (caller: Caller, jobId: string, runId: string): Promise<ExportRunView> =>
      asBegun(await engine.redeliver(jobId, runId, noteFor(caller))),

    /**
     * Ends a run of this server, with some delay. A run of another program is only marked as cancelled.
     * @throws NOT_FOUND, CONFLICT if it has ended already
     */
    async cancel(caller: Caller, jobId: string, runId: string): Promise<ExportRunView> {
      const run = await findRun(store.read, jobId, runId)
      if (engine.cancel(runId)) return viewOf(run)
      return store.transaction(async (tx) => {
        const present = await findRun(tx, jobId, runId)
        if (present.status !== 'running') throw conflict(`The export run '${runId}' has ended already`)
        if (await tx.exportRuns.requestCancel(runId)) return keepAnswer(tx, caller, viewOf(present))
        const now = system.now().toISOString()
        const completedAt = now > present.startedAt ? now : present.startedAt
        const cancelled: ExportRun = { ...present, status: 'failed', completedAt, error: 'cancelled' }
        await tx.exportRuns.update(cancelled)
        return keepAnswer(tx, caller, viewOf(cancelled))
      })
    },

    /** Whether the destination can be written; nothing is left there. @throws NOT_FOUND */
    check: async (_caller: Caller, jobId: string, signal: AbortSignal): Promise<CheckResult> =>
      engine.check(await store.read.exportJobs.find(jobId), signal),

    /**
     * The first records in the form of the job, limited to data that the caller may read.
     * @throws NOT_FOUND, PERMISSION_DENIED
     */
    async preview(caller: Caller, jobId: string, limit: number, signal: AbortSignal) {
      assertPermission(caller.role, 'records.read')
      const job = await store.read.exportJobs.find(jobId)
      return { format: previewFormat(job.format), text: await engine.preview(job, caller.role, limit, signal) }
    },
  }
}

/** The same answer for each repetition under an Idempotency-Key. */
function asBegun(run: ExportRun): ExportRunView {
  return toRunView(run, undefined)
}

function noteFor(caller: Caller): NoteRun {
  return async (tx, run) => void (await keepAnswer(tx, caller, asBegun(run)))
}

interface RunAddress {
  readonly jobId: string
  readonly runId: string
}

export interface RecordedRun {
  readonly run: ExportRunView
  /** False: the run was reported before. */
  readonly isNew: boolean
}

async function findRun(reads: Reads, jobId: string, runId: string): Promise<ExportRun> {
  await reads.exportJobs.find(jobId)
  const run = await reads.exportRuns.get(runId)
  if (run === undefined || run.jobId !== jobId) throw notFound('Export run', runId)
  return run
}
