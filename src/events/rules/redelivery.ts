// The step after an attempt to deliver events: done, try again later, or pause the subscription. Contract 3 §6, 3 §10.
import type { PausedReason } from '../../core/accounts/rules/owner.ts'
import type { SubscriptionState } from './subscription.ts'

export interface RedeliveryLimits {
  /** Milliseconds before the first retry, before each later one at most, and until a subscription is given up. */
  readonly firstBackoff: number
  readonly maxBackoff: number
  readonly giveUpAfter: number
}

export const REDELIVERY: RedeliveryLimits = { firstBackoff: 1000, maxBackoff: 300_000, giveUpAfter: 86_400_000 }

export interface Attempted {
  /** Null: there was no answer. */
  readonly status: number | null
  /** Why there was no answer. */
  readonly error: string | null
  /** Milliseconds that the receiver asks for. */
  readonly retryAfter: number | null
}

/** Every answer but 2xx is a fault. */
export function isDelivered({ status }: Attempted): boolean {
  return status !== null && status >= 200 && status < 300
}

export function describeFault({ status, error }: Attempted): string {
  return error ?? `the receiver answered ${status}`
}

/** The state after a fault. `random`: 0 to 1. A state with a reason is paused. */
export function afterFault(
  state: SubscriptionState,
  attempted: Attempted,
  { now, random, limits }: { readonly now: Date; readonly random: number; readonly limits: RedeliveryLimits },
): SubscriptionState {
  const attempts = (state.pending?.attempts ?? 0) + 1
  const pending = state.pending && { ...state.pending, attempts }
  const failingSince = state.failingSince ?? now.toISOString()
  const failing = { ...state, pending, failingSince }
  if (attempted.status === 410)
    return { ...failing, nextAttemptAt: null, pausedReason: asReason('the receiver answered 410: it is gone for good') }
  const backoff = Math.min(limits.maxBackoff, limits.firstBackoff * 2 ** Math.min(attempts - 1, 30))
  // Half of it at least: a receiver that has just come back is not met by all at once, and never without a pause.
  const delay = Math.max(backoff * (0.5 + random / 2), Math.min(limits.maxBackoff, attempted.retryAfter ?? 0))
  const next = now.getTime() + delay
  if (next - Date.parse(failingSince) <= limits.giveUpAfter)
    return { ...failing, nextAttemptAt: new Date(next).toISOString(), pausedReason: null }
  const hours = Math.round(limits.giveUpAfter / 3_600_000)
  const reason = `nothing was delivered for ${hours} hours: ${describeFault(attempted)}`
  return { ...failing, nextAttemptAt: null, pausedReason: asReason(reason) }
}

function asReason(message: string): PausedReason {
  return { code: 'RECEIVER', message }
}

/** The state after an attempt that has arrived. */
export function afterDelivery(state: SubscriptionState, through: number): SubscriptionState {
  const rest = { failingSince: null, nextAttemptAt: null, pausedReason: null }
  return { ...state, ...rest, cursor: through, pending: null }
}
