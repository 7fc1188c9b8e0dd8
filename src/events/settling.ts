// Stores the result of an attempt to deliver events: its end, the new position, and the next delivery, in one transaction.
// Contract 3 §6, 3 §10.
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
  /** The delivery that follows if this one arrived. */
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
  // If the subscription was replayed or edited meanwhile, this attempt no longer counts.
  const isOwn = state.pending?.id === pending.id
  const isAhead = isDone && state.epoch === started.epoch && state.cursor < pending.through
  // The position of the sent events is known, but an edited subscription may have another receiver.
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

/** Pauses the subscription for a fault that only a person can remove. */
export async function pauseFor(tx: Transaction, system: System, id: string, reason: PausedReason): Promise<void> {
  const present = await tx.subscriptions.get(id)
  if (present === undefined) return
  const subscription = { ...present.subscription, active: false, updatedAt: system.now().toISOString() }
  await tx.subscriptions.save({ subscription, state: { ...present.state, nextAttemptAt: null, pausedReason: reason } })
}

/** Saves the state that `decide` returns, if the subscription is still active. */
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
