// How long the audit trail is kept (`--keep-audit-days`): older entries are deleted in the background, some at a time, so
// that no writer waits for it.
import type { Log } from '../../observing/log.ts'
import type { Store } from '../../storage/port.ts'
import type { System } from '../../machine/system.ts'
import type { Lease } from '../../storage/run-port.ts'

const DAY = 86_400_000
/** The lease of whoever deletes. */
const RETENTION = 'audit-retention'
/** Milliseconds between two looks for entries that have become too old. */
const INTERVAL = 3_600_000
/** Entries that one transaction deletes. */
const BATCH = 500

export interface AuditRetention {
  /** Deletes what is too old; resolves when nothing is left of it. Never rejects. */
  purge(): Promise<void>
  /** Deletes no more; resolves when the transaction under way has ended. */
  stop(): Promise<void>
}

/** Begins at once and looks again every hour. `keepDays` 0: everything is kept. */
export function startAuditRetention(deps: {
  store: Store
  system: Pick<System, 'now'>
  log: Log
  keepDays: number
}): AuditRetention {
  const { store, system, log, keepDays } = deps
  let isStopped = keepDays === 0
  let purging: Promise<void> | undefined

  async function deleteOld(): Promise<void> {
    const moment = new Date(system.now().getTime() - keepDays * DAY).toISOString()
    let deleted = 0
    try {
      for (let last = BATCH; last > 0 && !isStopped; deleted += last)
        last = await store.transaction((tx) => tx.audit.deleteBefore(moment, BATCH))
    } catch (error) {
      log.warn({ err: error }, 'old audit entries could not be deleted')
    }
    if (deleted > 0) log.info({ deleted, before: moment }, 'old audit entries deleted')
  }

  async function purge(): Promise<void> {
    if (isStopped || lease === undefined || lease.signal.aborted) return
    purging ??= deleteOld().finally(() => (purging = undefined))
    await purging
  }

  let lease: Lease | undefined
  async function begin(): Promise<void> {
    lease = await store.leases.hold(RETENTION)
    await purge()
  }

  const timer = setInterval(() => void purge(), INTERVAL).unref()
  // Refused when the store is closed: there is nothing to do any more.
  if (!isStopped) void begin().catch(() => undefined)
  return {
    purge,
    async stop() {
      isStopped = true
      clearInterval(timer)
      await purging
      lease?.release()
    },
  }
}
