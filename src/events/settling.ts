// What is stored of an attempt to deliver events: how it ended, how far the subscription has come, and what is sent next, in one
// transaction. Contract 3 §6, 3 §10.
import {
  afterDelivery,
  afterFault,
  type Attempted,
  describeFault,
  isDelivered,
  type RedeliveryLimits,
} from './rules/redelivery.ts'
import {
  KEPT_DELIVERIES,
  type PendingDelivery,
  type SubscriptionDelivery,
  type SubscriptionState,
} from './rules/subscription.ts'
import type { PausedReason } from '../core/accounts/rules/owner.ts'
import type { Transaction } from '../store/port.ts'
import type { System } from '../kernel/machine/system.ts'

interface Outcome {
  /** The state when the events were read. */
  readonly started: SubscriptionState
  readonly pending: PendingDelivery
  readonly attempted: Attempted
  readonly durationMs: number
  /** What is sent at once where this has arrived. */
  readonly next: PendingDelivery | undefined
}

interface SettlingDeps {
  readonly system: System
  readonly limits: RedeliveryLimits
  /** 0 to 1. */
  readonly random: number
}

interface Settled {
  /** Whether `next` is noted, and may be sent. */
  readonly goesOn: boolean
  /** Null: it is not paused by this. */
  readonly pausedReason: PausedReason | null
}

const OVER: Settled = { goesOn: false, pausedReason: null }

export async function settle(
  tx: Transaction,
  { system, limits, random }: SettlingDeps,
  id: string,
  { started, pending, attempted, durationMs, next }: Outcome,
): Promise<Settled> {
  const present = await tx.subscriptions.get(id)
  if (present === undefined) return OVER
  const { subscription, state } = present
  const now = system.now()
  const isDone = isDelivered(attempted)
  // Where somebody has sent it elsewhere meanwhile, or composed it anew, this one is over whatever became of it.
  const isOwn = state.pending?.id === pending.id
  const isAhead = isDone && state.epoch === started.epoch && state.cursor < pending.through
  // The place of what was sent is known, but whether the receiver would take what there is now is not.
  const isSame = state.edition === started.edition
  const failed = isOwn && isSame && !isDone ? afterFault(state, attempted, { now, random, limits }) : undefined
  const after = failed ?? (isAhead ? afterDelivery(state, pending.through) : state)
  const delivery: SubscriptionDelivery = {
    id: pending.id,
    sequence: pending.through,
    status: isDone ? 'succeeded' : failed?.nextAttemptAt || (isOwn && !isSame) ? 'retrying' : 'failed',
    attempts: failed?.pending?.attempts ?? (isOwn ? state.pending.attempts : pending.attempts) + 1,
    responseStatus: attempted.status,
    durationMs,
    error: isDone ? null : describeFault(attempted),
    at: now.toISOString(),
  }
  await tx.subscriptions.noteDelivery(id, delivery, KEPT_DELIVERIES)
  const pausedReason = failed?.pausedReason ?? null
  const goesOn = isOwn && isSame && isAhead && next !== undefined && subscription.active
  const active = subscription.active && pausedReason === null
  const updatedAt = pausedReason === null ? subscription.updatedAt : now.toISOString()
  await tx.subscriptions.save({
    subscription: { ...subscription, active, updatedAt },
    state: goesOn ? { ...after, pending: next } : after,
  })
  return { goesOn, pausedReason }
}

/** Something other than the receiver is in the way, which only somebody can mend. */
export async function pauseFor(tx: Transaction, system: System, id: string, reason: PausedReason): Promise<void> {
  const present = await tx.subscriptions.get(id)
  if (present === undefined) return
  const subscription = { ...present.subscription, active: false, updatedAt: system.now().toISOString() }
  await tx.subscriptions.save({ subscription, state: { ...present.state, nextAttemptAt: null, pausedReason: reason } })
}

/** Whether the subscription is active, and `decide` gives its state anew. */
export async function saveState(
  tx: Transaction,
  id: string,
  decide: (state: SubscriptionState) => SubscriptionState | undefined,
): Promise<boolean> {
  const present = await tx.subscriptions.get(id)
  const state = present?.subscription.active === true ? decide(present.state) : undefined
  if (present === undefined || state === undefined) return false
  await tx.subscriptions.save({ ...present, state })
  return true
}
