// The use cases of subscriptions. `deliverer.ts` sends the events. Contract 3 §6, 3 §9.5, 3 §9.6, 3 §10.
import type * as v from 'valibot'
import type { Caller } from '../core/accounts/caller.ts'
import { asOwnerOf, type Owner } from '../core/accounts/rules/owner.ts'
import type { Role } from '../core/accounts/rules/permissions.ts'
import { readCursor, writeCursor } from '../core/feed/rules/cursors.ts'
import { HIDDEN_RULE } from '../core/model/rules/hidden-rule.ts'
import { keepCriteria, showCriteria } from '../core/model/rules/hidden-rules.ts'
import type { Model } from '../core/model/rules/model.ts'
import { keepAnswer } from '../core/requests/idempotent-requests.ts'
import { assertCanSearch } from '../core/search/rules/criteria.ts'
import { searchedSchemas } from '../core/search/rules/searched-schemas.ts'
import { questionOf, type Selection } from '../core/search/rules/selection.ts'
import { invalid, notFound, PimletError, shorten } from '../kernel/errors.ts'
import { firstDuplicate } from '../kernel/input/validation.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Reads, Store, Transaction } from '../store/port.ts'
import type { StoredSubscription } from '../store/subscription-port.ts'
import type { Deliverer } from './deliverer.ts'
import { toBody } from './event-body.ts'
import type { EventSender } from './sender.ts'
import type { SecretBox } from '../kernel/secrets/secret-box.ts'
import { describeFault, isDelivered } from './rules/redelivery.ts'
import { assertMayTell, assertFits } from './rules/subscription-checks.ts'
import {
  KEPT_DELIVERIES,
  maskedSecrets,
  MAX_SUBSCRIPTIONS,
  newState,
  type Subscription,
  type SubscriptionDelivery,
  type SubscriptionInput,
  type SubscriptionReplacement,
  type SubscriptionView,
} from './rules/subscription.ts'
import { assertOwnerMay, noteOwner, ownerAfter, stillPaused } from './subscription-owners.ts'
import { openTarget, sealSecrets } from './subscription-secrets.ts'

interface DeliveryView extends Omit<SubscriptionDelivery, 'sequence'> {
  readonly cursor: string
}

interface TestedDelivery extends DeliveryView {
  readonly ok: boolean
}

function showDelivery({ id, sequence, ...delivery }: SubscriptionDelivery): DeliveryView {
  return { id, cursor: writeCursor(sequence), ...delivery }
}

type Input = v.InferOutput<typeof SubscriptionInput>
type Replacement = v.InferOutput<typeof SubscriptionReplacement>

interface SubscriptionDeps {
  readonly store: Store
  readonly system: System
  readonly sender: EventSender
  readonly secrets: SecretBox
  readonly deliverer: Pick<Deliverer, 'watch'>
}

export function createSubscriptionService(deps: SubscriptionDeps) {
  const { store, system, deliverer } = deps

  /** Changes the stored subscription in one transaction, then informs the deliverer. */
  async function change(
    caller: Caller,
    id: string,
    decide: (found: StoredSubscription, tx: Transaction) => Promise<StoredSubscription>,
  ): Promise<SubscriptionView> {
    const view = await store.transaction(async (tx) => {
      const after = await decide(await find(tx, id), tx)
      await tx.subscriptions.save(after)
      return keepAnswer(tx, caller, show(after, await tx.model(), caller.role))
    })
    deliverer.watch(id)
    return view
  }

  return {
    /** In the order of creation. Placeholders hide values that the caller may not read. */
    async *list({ role }: Caller): AsyncGenerator<readonly SubscriptionView[], void> {
      const [stored, model] = await store.snapshot(
        async (reads) => [await reads.subscriptions.list(), await reads.model()] as const,
      )
      for (const one of stored) yield [show(one, model, role)]
    },

    /** @throws NOT_FOUND */
    get: ({ role }: Caller, id: string): Promise<SubscriptionView> =>
      store.snapshot(async (reads) => show(await find(reads, id), await reads.model(), role)),

    /**
     * The subscription begins with the next event. @throws VALIDATION_ERROR naming the member, PERMISSION_DENIED, CONFLICT,
     * LIMIT_EXCEEDED
     */
    async create(caller: Caller, input: Input): Promise<SubscriptionView> {
      const id = input.id ?? system.newId('sub')
      const secrets = sealSecrets(deps, id, input, undefined)
      const view = await store.transaction(async (tx) => {
        if ((await tx.subscriptions.list()).length >= MAX_SUBSCRIPTIONS)
          throw new PimletError('LIMIT_EXCEEDED', `A workspace has at most ${MAX_SUBSCRIPTIONS} subscriptions`)
        const now = system.now().toISOString()
        const identity = { id, createdAt: now, updatedAt: now, createdBy: caller.id, ...asOwnerOf(caller) }
        const selection = input.selection ?? null
        const subscription = define(input, selection, { ...identity, secrets })
        const model = await tx.model()
        assertFits(subscription, model)
        if (selection !== null) assertMayAsk(selection, selection, model, caller.role)
        const stored = { subscription, state: newState(await tx.feed.newest()) }
        await tx.subscriptions.add(stored)
        return keepAnswer(tx, caller, show(stored, model, caller.role))
      })
      deliverer.watch(id)
      return view
    },

    /**
     * A caller who changes the events or the address becomes the owner. A delivery under way is composed again under its ID.
     * @throws NOT_FOUND, VALIDATION_ERROR naming the member, PERMISSION_DENIED
     */
    replace: (caller: Caller, id: string, input: Replacement): Promise<SubscriptionView> =>
      change(caller, id, async ({ subscription: before, state }, tx) => {
        const secrets = sealSecrets(deps, id, input, before)
        const model = await tx.model()
        const selection = input.selection === null ? null : unhide(input.selection, before.selection)
        const { createdAt, createdBy } = before
        const updatedAt = system.now().toISOString()
        const written = define(input, selection, { id, createdAt, updatedAt, createdBy, ...asOwnerOf(caller), secrets })
        const subscription = { ...written, ...ownerAfter(deps.secrets, caller, before, written) }
        assertFits(subscription, model)
        if (selection !== null && input.selection !== null)
          assertMayAsk(selection, sentOf(input.selection, selection), model, caller.role)
        noteOwner(tx, system, caller, before, subscription)
        return { subscription, state: stillPaused(subscription, before, composedAnew(state), state.pausedReason) }
      }),

    /** @throws NOT_FOUND */
    async delete(_caller: Caller, id: string): Promise<void> {
      await store.transaction(async (tx) => {
        await find(tx, id)
        await tx.subscriptions.remove(id)
      })
      deliverer.watch(id)
    },

    /** Resumes at the stored position, at once. @throws NOT_FOUND, CONFLICT if the owner lacks the rights */
    resume: (caller: Caller, id: string): Promise<SubscriptionView> =>
      change(caller, id, async ({ subscription, state }, tx) => {
        if (state.pausedReason?.code === 'OWNER') await assertOwnerMay(tx, system, subscription)
        return { subscription: { ...subscription, active: true }, state: atOnce(state) }
      }),

    /**
     * The caller becomes the owner. A subscription that was paused because of its owner resumes.
     * @throws NOT_FOUND, PERMISSION_DENIED if the caller may not do everything that the subscription does
     */
    takeOver: (caller: Caller, id: string): Promise<SubscriptionView> =>
      change(caller, id, async ({ subscription: before, state }, tx) => {
        assertMayTell(before, caller.role, await tx.model())
        const { roleId: _roleId, ...rest } = before
        const goesOn = state.pausedReason?.code === 'OWNER'
        const updatedAt = system.now().toISOString()
        const subscription = { ...rest, ...asOwnerOf(caller), active: before.active || goesOn, updatedAt }
        noteOwner(tx, system, caller, before, subscription)
        return { subscription, state: goesOn ? composedAnew(state) : { ...state, edition: (state.edition ?? 0) + 1 } }
      }),

    /** Goes on from another place of the feed. @throws NOT_FOUND, VALIDATION_ERROR for text that is no cursor */
    replay: (caller: Caller, id: string, after: string): Promise<SubscriptionView> =>
      change(caller, id, async ({ subscription, state }, tx) => {
        const newest = await tx.feed.newest()
        const cursor = after === 'latest' ? newest : Math.min(readCursor(after, 'after'), newest)
        return { subscription, state: { ...atOnce(state), pending: null, epoch: state.epoch + 1, cursor } }
      }),

    /** Sends a ping now, whether it is active or not. @throws NOT_FOUND */
    test: async (caller: Caller, id: string, signal: AbortSignal): Promise<TestedDelivery> =>
      sendPing(deps, caller, await find(store.read, id), signal),

    /** The latest first. @throws NOT_FOUND */
    deliveries: (_caller: Caller, id: string, limit: number): Promise<DeliveryView[]> =>
      store.snapshot(async (reads) => {
        await find(reads, id)
        const deliveries = await reads.subscriptions.deliveriesOf(id, Math.min(limit, KEPT_DELIVERIES))
        return deliveries.map(showDelivery)
      }),
  }
}

type Identity = Pick<Subscription, 'id' | 'createdAt' | 'updatedAt' | 'createdBy' | 'secrets'> & Owner

function define(input: Input | Replacement, selection: Selection | null, identity: Identity): Subscription {
  const { name, url, events, schemaIds, active, batchSize } = input
  const twice = firstDuplicate(events) ?? firstDuplicate(schemaIds ?? [])
  if (twice !== undefined)
    throw invalid(
      `${events.some((type) => type === twice) ? 'events' : 'schemaIds'} lists '${shorten(twice, 128)}' twice`,
    )
  return { ...identity, name, url, events, schemaIds, selection, active, batchSize }
}

/** The delivery under way is read again, and tried now. */
function composedAnew(state: StoredSubscription['state']): StoredSubscription['state'] {
  return { ...atOnce(state), edition: (state.edition ?? 0) + 1 }
}

/** A failed delivery is retried now. */
function atOnce(state: StoredSubscription['state']): StoredSubscription['state'] {
  return { ...state, failingSince: null, nextAttemptAt: null, pausedReason: null }
}

type SentSelection = NonNullable<Replacement['selection']>

function unhide(sent: SentSelection, stored: Selection | null): Selection {
  return { ...sent, criteria: keepCriteria(sent, stored, 'selection.') }
}

/** The members of the selection that the caller sent. */
function sentOf(sent: SentSelection, selection: Selection): Selection {
  return { ...selection, criteria: sent.criteria.filter((criterion) => criterion !== HIDDEN_RULE) }
}

/** @throws VALIDATION_ERROR for too many words, PERMISSION_DENIED for an attribute that is hidden from the role */
function assertMayAsk(selection: Selection, sent: Selection, model: Model, role: Role): void {
  questionOf(selection, 'selection.')
  assertCanSearch(sent, searchedSchemas(model, selection.schemaId ?? undefined), role)
}

function show({ subscription, state }: StoredSubscription, model: Model, role: Role): SubscriptionView {
  const { selection, secrets, ownerKind: _kind, roleId: _roleId, ...fields } = subscription
  const { cursor, pausedReason, failingSince, nextAttemptAt } = state
  const schemas = searchedSchemas(model, selection?.schemaId ?? undefined)
  const shown = selection && { ...selection, criteria: showCriteria(selection.criteria, schemas, role) }
  const progress = { cursor: writeCursor(cursor), pausedReason, failingSince, nextAttemptAt }
  return { ...fields, selection: shown, ...maskedSecrets(secrets), ...progress }
}

async function find(reads: Pick<Reads, 'subscriptions'>, id: string): Promise<StoredSubscription> {
  const found = await reads.subscriptions.get(id)
  if (found === undefined) throw notFound('Subscription', id)
  return found
}

interface PingDeps {
  readonly store: Store
  readonly system: System
  readonly sender: EventSender
  readonly secrets: SecretBox
}

/** Resolves when there is an answer, or none will come. */
async function sendPing(
  { store, system, sender, secrets }: PingDeps,
  caller: Caller,
  { subscription }: StoredSubscription,
  signal: AbortSignal,
): Promise<TestedDelivery> {
  const sequence = await store.read.feed.newest()
  const event = {
    type: 'ping',
    timestamp: system.now().toISOString(),
    cursor: writeCursor(sequence),
    data: Buffer.from('{}'),
  }
  const deliveryId = system.newId('dlv')
  const request = { subscriptionId: subscription.id, deliveryId, body: toBody([event], subscription.batchSize > 1) }
  const began = performance.now()
  const attempted = await sender.send(openTarget(secrets, subscription), request, signal)
  const ok = isDelivered(attempted)
  const delivery: SubscriptionDelivery = {
    id: deliveryId,
    sequence,
    status: ok ? 'succeeded' : 'failed',
    attempts: 1,
    responseStatus: attempted.status,
    durationMs: Math.round(performance.now() - began),
    error: ok ? null : describeFault(attempted),
    at: system.now().toISOString(),
  }
  return store.transaction(async (tx) => {
    if ((await tx.subscriptions.get(subscription.id)) !== undefined)
      await tx.subscriptions.noteDelivery(subscription.id, delivery, KEPT_DELIVERIES)
    return keepAnswer(tx, caller, { ok, ...showDelivery(delivery) })
  })
}
