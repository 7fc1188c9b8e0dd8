// Deletes ended jobs in the background after `--keep-jobs-days`. Each transaction deletes some records, so that no
// writer is delayed. Contract 3 §10.
import type { Log } from '../kernel/observing/log.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Store } from '../store/port.ts'
import { type Round, type Rounds, startRounds } from '../store/rounds.ts'
import { clearFindings } from './findings.ts'

const DAY = 86_400_000
/** Milliseconds between two rounds. */
const INTERVAL = 3_600_000
/** Records of a job that one transaction deletes. */
const ITEMS_AT_ONCE = 1000
/** Jobs found by one query. */
const JOBS_AT_ONCE = 20

/** Begins at once, where no other server does so already, and again every hour. `keepJobsDays` 0: all jobs are kept. */
export function startJobRetention(deps: {
  readonly store: Store
  readonly system: Pick<System, 'now'>
  readonly log: Log
  readonly keepJobsDays: number
}): Rounds | undefined {
  const { store, system, log, keepJobsDays } = deps
  if (keepJobsDays === 0) return undefined
  return startRounds({
    store,
    name: 'job-retention',
    interval: INTERVAL,
    round: (round) => deleteOld(round, new Date(system.now().getTime() - keepJobsDays * DAY).toISOString()),
    onFault: (error) => log.warn({ err: error }, 'old bulk jobs could not be deleted'),
  })
}

async function deleteOld(round: Round, moment: string): Promise<void> {
  for (;;) {
    const ids = await round.store.read.bulkJobs.listEndedBefore(moment, JOBS_AT_ONCE)
    if (ids.length === 0) return
    for (const id of ids) {
      await deleteJob(round, id)
      if (round.signal.aborted) return
    }
  }
}

async function deleteJob({ store, signal, repeat }: Round, id: string): Promise<void> {
  await repeat((tx) => tx.bulkJobs.removeItems(id, ITEMS_AT_ONCE))
  if (signal.aborted) return
  await clearFindings(store, id)
  await store.transaction((tx) => tx.bulkJobs.delete(id))
}
