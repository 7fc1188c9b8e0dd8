// How long the audit trail is kept (`--keep-audit-days`).
import type { Log } from '../../kernel/observing/log.ts'
import type { Store } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'
import { type Retention, startRetention } from '../retention.ts'

const DAY = 86_400_000

/** `keepDays` 0: everything is kept, and there is nothing to do. */
export function startAuditRetention(deps: {
  store: Store
  system: Pick<System, 'now'>
  log: Log
  keepDays: number
}): Retention | undefined {
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
