// How long jobs that have ended are kept (`--keep-jobs-days`): older ones are deleted in the background, some of their records at a
// time, so that no writer waits for it. Contract 3 §10.
import type { Log } from '../kernel/observing/log.ts'
import type { Store } from '../store/port.ts'
import type { System } from '../kernel/machine/system.ts'
import { clearFindings } from './findings.ts'

const DAY = 86_400_000
/** Milliseconds between two looks for jobs that have become too old. */
const INTERVAL = 3_600_000
/** Records of a job that one transaction forgets. */
const ITEMS_AT_ONCE = 1000
/** Jobs that are looked for at once. */
const JOBS_AT_ONCE = 20

export interface JobRetention {
  /** Deletes what is too old; resolves when nothing is left of it. Never rejects. */
  purge(): Promise<void>
  /** Deletes no more; resolves when the transaction under way has ended. */
  stop(): Promise<void>
}

/** Begins at once and looks again every hour. `keepDays` 0: everything is kept. */
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
