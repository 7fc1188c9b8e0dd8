// How events get to subscribers: a part of the composition root (`app.ts`). Requests are made, signed and guarded as those of the
// destination webhook are. Contract 2 §6, 3 §6.
import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import * as v from 'valibot'
import { parseRetryAfter } from '../../plugins/webhook/answer.ts'
import { keyOf, WebhookConfig } from '../../plugins/webhook/config.ts'
import { send } from '../../plugins/webhook/request.ts'
import { invalid } from '../domain/errors.ts'
import type { GuardedNetwork } from '../exports/network.ts'
import { createRedactor } from '../exports/redact.ts'
import { createSecretBox, type SecretBox } from '../exports/secrets.ts'
import type { DataDirectory } from '../machine/data-directory.ts'
import type { System } from '../machine/system.ts'
import type { EventRequest, EventSender, EventTarget } from '../services/subscriptions/event-sender.ts'

/** Milliseconds for the connection, for what moves on it, and for the answer; and for all of it. */
const PATIENCE = 30_000
const LONGEST = 90_000

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
      const all = AbortSignal.any([signal, AbortSignal.timeout(Math.max(LONGEST, patience))])
      const body = Buffer.from(request.body)
      const outgoing = {
        url: target.url,
        method: 'POST',
        headers: headersOf(target, request, body, now()),
        body: { stream: Readable.from([body]), size: body.length },
        timeoutMs: patience,
      }
      try {
        const { status, retryAfter } = await send(outgoing, { network, signal: all })
        return { status, error: null, retryAfter: parseRetryAfter(retryAfter, now().getTime()) ?? null }
      } catch (error) {
        signal.throwIfAborted()
        return { status: null, error: redact((error as Error).message), retryAfter: null }
      }
    },
  }
}

function headersOf(
  { headers, signingSecret }: EventTarget,
  { subscriptionId, deliveryId }: EventRequest,
  body: Buffer,
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signed: Record<string, string> = {}
  if (signingSecret !== undefined)
    signed['webhook-signature'] = `v1,${sign(signingSecret, `${deliveryId}.${timestamp}.`, body)}`
  return {
    'User-Agent': 'pimlet',
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    'X-Pimlet-Subscription': subscriptionId,
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    ...signed,
  }
}

function sign(secret: string, head: string, body: Buffer): string {
  return createHmac('sha256', keyOf(secret)).update(head).update(body).digest('base64')
}

export function openSecretKeeper({ encryptionKey }: DataDirectory, system: System): SecretBox {
  return createSecretBox(encryptionKey, (count) => system.randomBytes(count))
}
