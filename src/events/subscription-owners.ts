// The owner of a subscription: the last caller who changed its events or its address. Contract 3 §12.
import { asOwner, asOwnerOf, isOwner, type Owner, OwnerFault } from '../core/accounts/rules/owner.ts'
import { conflict } from '../kernel/errors.ts'
import type { Subscription, SubscriptionState } from './rules/subscription.ts'
import { assertMayTell } from './rules/subscription-checks.ts'
import { isSameValue } from '../kernel/text.ts'
import type { System } from '../kernel/machine/system.ts'
import { findOwner } from '../store/owners.ts'
import type { Transaction } from '../store/port.ts'
import type { Caller } from '../core/accounts/caller.ts'
import { noteModelChange } from '../core/model/model-entries.ts'
import type { SecretBox } from '../kernel/secrets/secret-box.ts'
import { openTarget } from './subscription-secrets.ts'

/** The owner after the caller replaced `before` by `after`. */
export function ownerAfter(keeper: SecretBox, caller: Caller, before: Subscription, after: Subscription): Owner {
  if (isOwner(caller, before)) return asOwnerOf(caller)
  if (!isSameValue(contentOf(before), contentOf(after)) || !haveSameTarget(keeper, before, after))
    return asOwnerOf(caller)
  const { ownerId, ownerKind, roleId } = before
  return { ownerId, ownerKind, ...(roleId === undefined ? {} : { roleId }) }
}

/** Returns what the subscription sends, and where. */
function contentOf({ url, events, schemaIds, selection }: Subscription): unknown {
  return [url, events, schemaIds, selection]
}

/** Compares opened secrets, because equal secrets may be sealed differently. */
function haveSameTarget(keeper: SecretBox, one: Subscription, other: Subscription): boolean {
  if (isSameValue(one.secrets, other.secrets)) return true
  try {
    return isSameValue(openTarget(keeper, one), openTarget(keeper, other))
  } catch {
    // A sealed secret can no longer be opened.
    return false
  }
}

/** A subscription that stays inactive keeps the server's reason, unless the reason was about another owner. */
export function stillPaused(
  after: Subscription,
  before: Subscription,
  state: SubscriptionState,
  reason: SubscriptionState['pausedReason'],
) {
  const isOther = after.ownerId !== before.ownerId || after.ownerKind !== before.ownerKind
  return after.active || (reason?.code === 'OWNER' && isOther) ? state : { ...state, pausedReason: reason }
}

/** @throws CONFLICT where the owner may not do all that the subscription does */
export async function assertOwnerMay(tx: Transaction, system: System, subscription: Subscription): Promise<void> {
  try {
    const { role } = await findOwner(tx, system.now(), subscription)
    const model = await tx.model()
    asOwner(subscription, () => assertMayTell(subscription, role, model))
  } catch (error) {
    if (!(error instanceof OwnerFault)) throw error
    throw conflict(`${error.message}: take the subscription '${subscription.id}' over`)
  }
}

/** Writes a change of owner to the feed of the model. */
export function noteOwner(
  tx: Transaction,
  system: System,
  caller: Caller,
  before: Subscription,
  after: Subscription,
): void {
  const shown = ({ id, ownerId }: Subscription) => ({ id, ownerId })
  noteModelChange(tx, system, caller, { entityType: 'subscription', before: shown(before), after: shown(after) })
}
