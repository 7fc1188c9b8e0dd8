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
  outcome: Outcome,
): Promise<Settled> {
  const present = await tx.subscriptions.get(id)
  if (present === undefined) return OVER
  const { subscription, state } = present
  const { pending, attempted, next } = outcome
  const now = system.now()
  const standing = standingOf(state, outcome)
  const isCurrent = standing.isOwn && standing.isSameEdition
  const failed =
    isCurrent && !isDelivered(attempted) ? afterFault(state, attempted, { now, random, limits }) : undefined
  const after = failed ?? (standing.isAhead ? afterDelivery(state, pending.through) : state)
  await tx.subscriptions.noteDelivery(id, deliveryOf(outcome, state, failed, now), KEPT_DELIVERIES)
  const goesOn = isCurrent && standing.isAhead && next !== undefined && subscription.active
  const pausedReason = failed?.pausedReason ?? null
  await tx.subscriptions.save({
    subscription:
      pausedReason === null ? subscription : { ...subscription, active: false, updatedAt: now.toISOString() },
    state: goesOn ? { ...after, pending: next } : after,
  })
  return { goesOn, pausedReason }
}

/** How an attempt relates to the present state: the subscription may have been replayed or edited meanwhile. */
interface Standing {
  /** Whether the subscription still waits for this delivery. */
  readonly isOwn: boolean
  /** False: the position of the sent events is known, but an edited subscription may have another receiver. */
  readonly isSameEdition: boolean
  /** Whether events arrived that the subscription has not counted yet. */
  readonly isAhead: boolean
}

function standingOf(state: SubscriptionState, { started, pending, attempted }: Outcome): Standing {
  return {
    isOwn: state.pending?.id === pending.id,
    isSameEdition: state.edition === started.edition,
    isAhead: isDelivered(attempted) && state.epoch === started.epoch && state.cursor < pending.through,
  }
}

/** @param failed the state after the fault; undefined: the attempt arrived, or no longer counts */
function deliveryOf(
  outcome: Outcome,
  state: SubscriptionState,
  failed: SubscriptionState | undefined,
  now: Date,
): SubscriptionDelivery {
  const { pending, attempted, durationMs } = outcome
  const { isOwn, isSameEdition } = standingOf(state, outcome)
  const isDone = isDelivered(attempted)
  const isRetried = Boolean(failed?.nextAttemptAt) || (isOwn && !isSameEdition)
  const before = isOwn ? state.pending! : pending
  return {
    id: pending.id,
    sequence: pending.through,
    status: isDone ? 'succeeded' : isRetried ? 'retrying' : 'failed',
    attempts: failed?.pending?.attempts ?? before.attempts + 1,
    responseStatus: attempted.status,
    durationMs,
    error: isDone ? null : describeFault(attempted),
    at: now.toISOString(),
  }
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
