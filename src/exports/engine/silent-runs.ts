// Runs that another program reported as running and never reported again: they would keep the job from running for
// ever. Contract 3 §9.11. Runs of this server itself are never silent while it lives.
import type { Store, Transaction } from '../../store/port.ts'

/** Milliseconds without news. */
const PATIENCE = 86_400_000
const NO_NEWS = 'there was no news of this run for 24 hours'
/** Runs that one transaction ends. */
const BATCH = 100

/** Ends some silent runs, of one job where it is given. */
export async function endSilentRuns(tx: Transaction, now: Date, jobId?: string): Promise<void> {
  const silent = await tx.exportRuns.listSilent(lastNews(now), BATCH, jobId)
  const present = now.toISOString()
  for (const run of silent) {
    const completedAt = present > run.startedAt ? present : run.startedAt
    await tx.exportRuns.update({ ...run, status: 'failed', completedAt, error: NO_NEWS })
  }
}

/** Ends all silent runs, some at a time; most of the time there are none, and nothing is written. */
export async function endAllSilentRuns(store: Store, now: Date): Promise<void> {
  for (;;) {
    if ((await store.read.exportRuns.listSilent(lastNews(now), 1)).length === 0) return
    await store.transaction((tx) => endSilentRuns(tx, now))
  }
}

function lastNews(now: Date): string {
  return new Date(now.getTime() - PATIENCE).toISOString()
}
