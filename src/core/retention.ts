// Data that is kept for a limited time: old rows are deleted in the background, a few at a time, so that no writer waits
// for it.
import type { Log } from '../kernel/observing/log.ts'
import type { Store, Transaction } from '../store/port.ts'
import { type Rounds, startRounds } from '../store/rounds.ts'
import { keptSince } from '../kernel/input/idempotency-key.ts'
import type { System } from '../kernel/machine/system.ts'

/** Milliseconds between two rounds of deleting old rows. */
const INTERVAL = 3_600_000
/** Rows that one transaction deletes. */
const BATCH = 500

interface RetentionOptions {
  readonly store: Store
  readonly log: Log
  /** The lease of the server that deletes. */
  readonly lease: string
  /** The deleted rows, in messages of the log: `old audit entries`. */
  readonly what: string
  /** Called before each transaction, with a store that refuses writes once another server has the lease. */
  readonly prepare?: (present: Store) => Promise<void>
  /** Deletes up to `limit` rows that are too old; resolves to how many. */
  readonly deleteSome: (tx: Transaction, limit: number) => Promise<number>
}

/** Deletes old rows at once and then every hour, on the server that has the lease. */
export function startRetention({ store, log, lease, what, prepare, deleteSome }: RetentionOptions): Rounds {
  return startRounds({
    store,
    name: lease,
    interval: INTERVAL,
    async round({ store: present, repeat }) {
      const deleted = await repeat(
        (tx) => deleteSome(tx, BATCH),
        async () => prepare?.(present),
      )
      if (deleted > 0) log.info({ deleted }, `${what} deleted`)
    },
    onFault: (error) => log.warn({ err: error }, `${what} could not be deleted`),
  })
}

export function startAnswerRetention(deps: { store: Store; system: Pick<System, 'now'>; log: Log }): Rounds {
  const { store, system, log } = deps
  return startRetention({
    store,
    log,
    lease: 'answer-retention',
    what: 'old kept answers',
    deleteSome: (tx, limit) => tx.keptAnswers.deleteBefore(keptSince(system.now()), limit),
  })
}

const DAY = 86_400_000

/** Returns undefined for `keepDays` 0, which keeps every entry. */
export function startAuditRetention(deps: {
  store: Store
  system: Pick<System, 'now'>
  log: Log
  keepDays: number
}): Rounds | undefined {
  const { store, system, log, keepDays } = deps
  if (keepDays === 0) return undefined
  const moment = (): string => new Date(system.now().getTime() - keepDays * DAY).toISOString()
  return startRetention({
    store,
    log,
    lease: 'audit-retention',
    what: 'old audit entries',
    deleteSome: (tx, limit) => tx.audit.deleteBefore(moment(), limit),
  })
}
