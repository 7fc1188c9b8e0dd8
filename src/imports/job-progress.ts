// Begins the job of an import, or goes on with it. Contract 3 §4, 3 §10.
import { type BulkJob, hasEnded, NO_COUNTS } from '../core/jobs/rules/bulk-job.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Store } from '../store/port.ts'

/** Whether nobody has ended or paused the job. */
export function mayRun(job: BulkJob | undefined): job is BulkJob {
  return job !== undefined && !hasEnded(job) && job.pausedReason === null
}

/** Resolves to the job, which is running now; undefined: it may not. */
export function beginRunning(
  { store, system }: { readonly store: Store; readonly system: System },
  jobId: string,
  selected: number,
  told: Partial<BulkJob> = {},
): Promise<BulkJob | undefined> {
  return store.transaction(async (tx) => {
    const present = await tx.bulkJobs.get(jobId)
    if (!mayRun(present)) return undefined
    const startedAt = present.startedAt ?? system.now().toISOString()
    // Later rows depend on earlier ones, and a dry run forgets those: it starts again.
    const anew = present.dryRun ? { ...NO_COUNTS, round: 0, position: 0 } : {}
    const running = { ...present, ...anew, ...told, selected, isSelected: true, status: 'running', startedAt } as const
    await tx.bulkJobs.update(running)
    return running
  })
}
