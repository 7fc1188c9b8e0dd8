// Kept answers are forgotten after their time, also where no new ones come. Contract 3 §2 (Idempotency).
import { keptSince } from '../../domain/input/idempotency.ts'
import type { Log } from '../../observing/log.ts'
import type { Store } from '../../storage/port.ts'
import type { System } from '../../machine/system.ts'
import { type Retention, startRetention } from '../server/retention.ts'

export function startAnswerRetention(deps: { store: Store; system: Pick<System, 'now'>; log: Log }): Retention {
  const { store, system, log } = deps
  return startRetention({
    store,
    log,
    lease: 'answer-retention',
    what: 'old kept answers',
    deleteSome: (tx, limit) => tx.keptAnswers.deleteBefore(keptSince(system.now()), limit),
  })
}
