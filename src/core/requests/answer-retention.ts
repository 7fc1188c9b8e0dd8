// Kept answers are forgotten after their time, also where no new ones come. Contract 3 §2 (Idempotency).
import { keptSince } from '../../kernel/input/idempotency-key.ts'
import type { Log } from '../../kernel/observing/log.ts'
import type { Store } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'
import { type Retention, startRetention } from '../retention.ts'

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
