// Sends events to the URL of a subscription. Requests are made, signed and guarded like those of the destination webhook.
// Contract 2 §6, 3 §6.
import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import * as v from 'valibot'
import { parseRetryAfter, send } from '../kernel/webhook/webhook-request.ts'
import { keyOf, WebhookConfig } from '../kernel/webhook/webhook-config.ts'
import { invalid } from '../kernel/errors.ts'
import type { GuardedNetwork } from '../kernel/egress/network.ts'
import { createRedactor } from '../kernel/secrets/redact.ts'
import type { Attempted } from './rules/redelivery.ts'

/** A URL with its secrets. */
export interface EventTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly signingSecret: string | undefined
}

interface EventRequest {
  readonly subscriptionId: string
  /** The same for every attempt of a delivery. */
  readonly deliveryId: string
  /** JSON, in pieces that are small each. */
  readonly body: readonly Uint8Array[]
}

export interface EventSender {
  /** @throws VALIDATION_ERROR naming the member, also for an address that may not be reached */
  check(target: { readonly url: string; readonly headers: unknown; readonly signingSecret: unknown }): void
  /** One attempt, which has an end. Rejects with the signal's reason only. */
  send(target: EventTarget, request: EventRequest, signal: AbortSignal): Promise<Attempted>
}

/** Milliseconds for the connection, for silence on it and for the answer; and for the whole request. */
const PATIENCE = 30_000
const LONGEST = 90_000
/** Bytes that are signed in one go. */
const PER_TURN = 512 * 1024

const Target = v.pick(WebhookConfig, ['url', 'headers', 'signingSecret'])

export function createEventSender(
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

/** Not `AbortSignal.timeout`: it keeps its listeners until the time is over, so quick receivers would fill the memory. */
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

/** Large bodies are signed in several turns of the event loop. */
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
