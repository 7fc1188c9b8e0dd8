// How events get to subscribers: a part of the composition root (`app.ts`). Requests are made, signed and guarded as those of the
// destination webhook are. Contract 2 §6, 3 §6.
import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import * as v from 'valibot'
import { parseRetryAfter } from '../kernel/webhook/retry-after.ts'
import { keyOf, WebhookConfig } from '../kernel/webhook/webhook-config.ts'
import { send } from '../kernel/webhook/webhook-request.ts'
import { invalid } from '../kernel/errors.ts'
import type { RedeliveryLimits } from './rules/redelivery.ts'
import type { GuardedNetwork } from '../kernel/egress/network.ts'
import { createRedactor } from '../kernel/secrets/redact.ts'
import { createSecretBox, type SecretBox } from '../kernel/secrets/secret-box.ts'
import type { DataDirectory } from '../kernel/machine/data-directory.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Log } from '../kernel/observing/log.ts'
import type { ChangeBell } from '../core/feed/change-bell.ts'
import { Deliverer } from './deliverer.ts'
import type { Store } from '../store/port.ts'
import type { EventRequest, EventSender, EventTarget } from './event-sender.ts'

/** Milliseconds for the connection, for what moves on it, and for the answer; and for all of it. */
const PATIENCE = 30_000
const LONGEST = 90_000
/** Bytes that are signed in one go. */
const PER_TURN = 512 * 1024

/** What tests set differently: `patience` in milliseconds. */
export type EventLimits = Partial<RedeliveryLimits> & { readonly patience?: number | undefined }

const Target = v.pick(WebhookConfig, ['url', 'headers', 'signingSecret'])

function createEventSender(
  network: GuardedNetwork,
  { now, patience = PATIENCE }: { readonly now: () => Date; readonly patience?: number | undefined },
): EventSender {
  return {
    check(target) {
      const { issues } = v.safeParse(Target, target)
      const [issue] = issues ?? []
      if (issue !== undefined) throw invalid(`${v.getDotPath(issue) ?? 'url'} ${issue.message}`)
      const refusal = network.findRefusal(new URL(target.url).hostname)
      if (refusal !== undefined) throw invalid(`url: ${refusal}`)
    },

    async send(target, request, signal) {
      const redact = createRedactor([...Object.values(target.headers), target.signingSecret ?? ''])
      const { body } = request
      const size = body.reduce((sum, piece) => sum + piece.length, 0)
      const headers = await headersOf(target, request, size, now())
      const stream = Readable.from(body)
      const outgoing = { url: target.url, method: 'POST', headers, body: { stream, size }, timeoutMs: patience }
      const limit = limitTime(signal, Math.max(LONGEST, patience))
      try {
        const { status, retryAfter } = await send(outgoing, { network, signal: limit.signal })
        return { status, error: null, retryAfter: parseRetryAfter(retryAfter, now().getTime()) ?? null }
      } catch (error) {
        signal.throwIfAborted()
        return { status: null, error: redact((error as Error).message), retryAfter: null }
      } finally {
        limit.end()
      }
    },
  }
}

/** Not by `AbortSignal.timeout`, which keeps what waits for it until the time is over: a quick receiver would fill the memory. */
function limitTime(signal: AbortSignal, milliseconds: number): { readonly signal: AbortSignal; end(): void } {
  const limited = new AbortController()
  const abort = (): void => limited.abort(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  const timeout = setTimeout(
    () => limited.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
    milliseconds,
  )
  return {
    signal: limited.signal,
    end() {
      clearTimeout(timeout)
      signal.removeEventListener('abort', abort)
    },
  }
}

async function headersOf(
  { headers, signingSecret }: EventTarget,
  { subscriptionId, deliveryId, body }: EventRequest,
  size: number,
  now: Date,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signed: Record<string, string> = {}
  if (signingSecret !== undefined)
    signed['webhook-signature'] = `v1,${await sign(signingSecret, `${deliveryId}.${timestamp}.`, body)}`
  return {
    'User-Agent': 'pimlet',
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': String(size),
    'X-Pimlet-Subscription': subscriptionId,
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    ...signed,
  }
}

/** In turns with others where the body is large. */
export async function sign(secret: string, head: string, body: Iterable<Uint8Array>): Promise<string> {
  const hmac = createHmac('sha256', keyOf(secret)).update(head)
  let left = PER_TURN
  for (const piece of body) {
    hmac.update(piece)
    left -= piece.length
    if (left > 0) continue
    await nextTurn()
    left = PER_TURN
  }
  return hmac.digest('base64')
}

interface EventFoundation {
  readonly store: Store
  readonly directory: DataDirectory
  readonly network: GuardedNetwork
  readonly bell: ChangeBell
}

interface EventTools {
  readonly system: System
  readonly log: Log
  /** What tests set differently. */
  readonly limits: EventLimits | undefined
}

/** Nothing is delivered before `start`. */
export function prepareEvents(
  { store, directory, network, bell }: EventFoundation,
  { system, log, limits = {} }: EventTools,
): { readonly sender: EventSender; readonly secrets: SecretBox; readonly deliverer: Deliverer } {
  const { patience, ...redelivery } = limits
  const sender = createEventSender(network, { now: () => system.now(), patience })
  const secrets = createSecretBox(directory.encryptionKey, (count) => system.randomBytes(count))
  const deliverer = new Deliverer({ store, system, log, sender, secrets, limits: redelivery })
  bell.alsoTell = () => deliverer.wake()
  return { sender, secrets, deliverer }
}
