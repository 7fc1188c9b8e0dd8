// The use cases of export runs: the history of a job, and what can be done with a job besides waiting for its schedule.
// Contract 1 §2.10, 1 §4.4, 2 §6.
import type * as v from 'valibot'
import { conflict, notFound } from '../../domain/errors.ts'
import { defineRun, type ExportRun, type RunEntryInput, updateRun } from '../../domain/exports/export-run.ts'
import { previewFormat } from '../../domain/exports/export-format.ts'
import { assertPermission } from '../../domain/accounts/permissions.ts'
import type { Reads, Store } from '../../storage/port.ts'
import type { RunFilter } from '../../storage/run-port.ts'
import type { System } from '../../machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { keepAnswer } from '../requests/idempotency.ts'
import type { CheckResult, ExportEngine } from './export-engine.ts'
import { findJob } from './export-jobs.ts'

export function createExportRunService(deps: {
  store: Store
  system: System
  engine: ExportEngine
  /** Kept per job; 0: all. */
  keepRuns: number
}) {
  const { store, system, engine, keepRuns } = deps
  return {
    /** The latest first. @throws NOT_FOUND */
    list: (_caller: Caller, jobId: string, limit: number): Promise<ExportRun[]> =>
      store.snapshot(async (reads) => {
        await findJob(reads, jobId)
        return reads.exportRuns.listOf(jobId, limit)
      }),

    /** Of all jobs, the latest first. */
    listAll: (_caller: Caller, filter: RunFilter, limit: number): Promise<ExportRun[]> =>
      store.read.exportRuns.list(filter, limit),

    /** @throws NOT_FOUND */
    get: (_caller: Caller, jobId: string, runId: string): Promise<ExportRun> =>
      store.snapshot((reads) => findRun(reads, jobId, runId)),

    /**
     * Stores what another program reports about a run, new or reported before and still running. Nothing is run here.
     * @throws NOT_FOUND, VALIDATION_ERROR for times that cannot be, CONFLICT for the ID of a run that has ended or is
     * this server's
     */
    record: (caller: Caller, jobId: string, entry: v.InferOutput<typeof RunEntryInput>): Promise<RecordedRun> =>
      store.transaction(async (tx) => {
        const job = await findJob(tx, jobId)
        const now = system.now().toISOString()
        const before = entry.id === undefined ? undefined : await tx.exportRuns.get(entry.id)
        const isUpdate = before?.jobId === jobId && before.status === 'running'
        if (isUpdate && engine.performs(before.id))
          throw conflict(`The export run '${before.id}' is performed by this server, which tells of it itself`)
        const told = isUpdate
          ? updateRun(before, entry, now)
          : defineRun(entry, entry.id ?? system.newId('run'), jobId, now)
        const redact = (text: string | null): string | null => (text === null ? null : engine.redact(job, text))
        const run = { ...told, destinationPath: redact(told.destinationPath), error: redact(told.error) }
        await (isUpdate ? tx.exportRuns.update(run, now) : tx.exportRuns.insert(run, now))
        if (keepRuns > 0) await tx.exportRuns.prune(jobId, keepRuns)
        return keepAnswer(tx, caller, { run, isNew: !isUpdate })
      }),

    /** Begins a run now, whether the job is paused or not. @throws NOT_FOUND, CONFLICT while one goes on, UNAVAILABLE */
    trigger: (caller: Caller, jobId: string): Promise<ExportRun> =>
      engine.trigger(jobId, async (tx, run) => void (await keepAnswer(tx, caller, run))),

    /**
     * Ends a run of this server, which takes a moment. One that another program reported is only marked as cancelled.
     * @throws NOT_FOUND, CONFLICT where it has ended already
     */
    async cancel(caller: Caller, jobId: string, runId: string): Promise<ExportRun> {
      const run = await findRun(store.read, jobId, runId)
      if (engine.cancel(runId)) return run
      return store.transaction(async (tx) => {
        const present = await findRun(tx, jobId, runId)
        if (present.status !== 'running') throw conflict(`The export run '${runId}' has ended already`)
        if (await tx.exportRuns.requestCancel(runId)) return keepAnswer(tx, caller, present)
        const now = system.now().toISOString()
        const completedAt = now > present.startedAt ? now : present.startedAt
        const cancelled: ExportRun = { ...present, status: 'failed', completedAt, error: 'cancelled' }
        await tx.exportRuns.update(cancelled)
        return keepAnswer(tx, caller, cancelled)
      })
    },

    /** Whether the destination can be written; nothing is left there. @throws NOT_FOUND */
    check: async (_caller: Caller, jobId: string, signal: AbortSignal): Promise<CheckResult> =>
      engine.check(await findJob(store.read, jobId), signal),

    /** The first records as the job would render them, of what the caller may read. @throws NOT_FOUND, PERMISSION_DENIED */
    async preview(caller: Caller, jobId: string, limit: number, signal: AbortSignal) {
      assertPermission(caller.role, 'records.read')
      const job = await findJob(store.read, jobId)
      return { format: previewFormat(job.format), text: await engine.preview(job, caller.role.id, limit, signal) }
    },
  }
}

export interface RecordedRun {
  readonly run: ExportRun
  /** False: it was reported before. */
  readonly isNew: boolean
}

export type ExportRunService = ReturnType<typeof createExportRunService>

async function findRun(reads: Reads, jobId: string, runId: string): Promise<ExportRun> {
  await findJob(reads, jobId)
  const run = await reads.exportRuns.get(runId)
  if (run === undefined || run.jobId !== jobId) throw notFound('Export run', runId)
  return run
}
