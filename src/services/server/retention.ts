// What is kept for a time only: what has become too old is deleted in the background, some at a time, so that no writer waits
// for it.
import type { Log } from '../../observing/log.ts'
import type { Store, Transaction } from '../../storage/port.ts'
import type { Lease } from '../../storage/run-port.ts'

/** Milliseconds between two looks for what has become too old. */
const INTERVAL = 3_600_000
/** Rows that one transaction deletes. */
const BATCH = 500

export interface Retention {
  /** Deletes what is too old; resolves when nothing is left of it. Never rejects. */
  purge(): Promise<void>
  /** Deletes no more; resolves when the transaction under way has ended. */
  stop(): Promise<void>
}

export interface RetentionOptions {
  readonly store: Store
  readonly log: Log
  /** The lease of whoever deletes. */
  readonly lease: string
  /** For the log. */
  readonly what: string
  /** Deletes up to `limit` of what is too old; resolves to how many. */
  readonly deleteSome: (tx: Transaction, limit: number) => Promise<number>
}

/** Begins at once and looks again every hour. */
export function startRetention({ store, log, what, deleteSome, ...options }: RetentionOptions): Retention {
  let isStopped = false
  let purging: Promise<void> | undefined
  let lease: Lease | undefined

  async function deleteOld(): Promise<void> {
    let deleted = 0
    try {
      for (let last = BATCH; last > 0 && !isStopped; deleted += last)
        last = await store.transaction((tx) => deleteSome(tx, BATCH))
    } catch (error) {
      log.warn({ err: error }, `${what} could not be deleted`)
    }
    if (deleted > 0) log.info({ deleted }, `${what} deleted`)
  }

  async function purge(): Promise<void> {
    if (isStopped || lease === undefined || lease.signal.aborted) return
    purging ??= deleteOld().finally(() => (purging = undefined))
    await purging
  }

  async function begin(): Promise<void> {
    lease = await store.leases.hold(options.lease)
    await purge()
  }

  const timer = setInterval(() => void purge(), INTERVAL).unref()
  // Refused when the store is closed: there is nothing to do any more.
  void begin().catch(() => undefined)
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
