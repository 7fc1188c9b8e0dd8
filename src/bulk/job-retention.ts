// Deletes ended jobs in the background after `--keep-jobs-days`. Each transaction deletes some records, so that no
// writer is delayed. Contract 3 §10.
import type { Log } from '../kernel/observing/log.ts'
import type { Store } from '../store/port.ts'
import type { System } from '../kernel/machine/system.ts'
import { clearFindings } from './findings.ts'

const DAY = 86_400_000
/** Milliseconds between two runs. */
const INTERVAL = 3_600_000
/** Records of a job that one transaction deletes. */
const ITEMS_AT_ONCE = 1000
/** Jobs found by one query. */
const JOBS_AT_ONCE = 20

export interface JobRetention {
  /** Deletes all expired jobs, and resolves afterwards. Never rejects. */
  purge(): Promise<void>
  /** Stops deleting; resolves when the transaction under way has ended. */
  stop(): Promise<void>
}

/** Runs at once, and then every hour. @param deps `keepDays` 0: all jobs are kept */
export function startJobRetention(deps: {
  store: Store
  system: Pick<System, 'now'>
  log: Log
  keepDays: number
}): JobRetention {
  const { store, system, log, keepDays } = deps
  let isStopped = keepDays === 0
  let purging: Promise<void> | undefined

  async function deleteJob(id: string): Promise<void> {
    while (!isStopped && (await store.transaction((tx) => tx.bulkJobs.removeItems(id, ITEMS_AT_ONCE))) > 0);
    if (isStopped) return
    await clearFindings(store, id)
    await store.transaction((tx) => tx.bulkJobs.delete(id))
  }

  async function deleteOld(): Promise<void> {
    const moment = new Date(system.now().getTime() - keepDays * DAY).toISOString()
    try {
      for (;;) {
        const ids = await store.read.bulkJobs.listEndedBefore(moment, JOBS_AT_ONCE)
        if (ids.length === 0 || isStopped) return
        for (const id of ids) await deleteJob(id)
      }
    } catch (error) {
      log.warn({ err: error }, 'old bulk jobs could not be deleted')
    }
  }

  async function purge(): Promise<void> {
    if (isStopped) return
    purging ??= deleteOld().finally(() => (purging = undefined))
    await purging
  }

  const timer = setInterval(() => void purge(), INTERVAL).unref()
  void purge()
  return {
    purge,
    async stop() {
      isStopped = true
      clearInterval(timer)
      await purging
    },
  }
}
