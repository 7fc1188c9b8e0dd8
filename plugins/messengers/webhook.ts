// The messenger `webhook`: each message as one signed HTTP request with JSON, for chats and other systems. Contract 5 §7.
import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import * as v from 'valibot'
import type { Message, Messenger } from '../../src/kernel/messenger.ts'
import { keyOf, WebhookConfig } from '../../src/kernel/webhook/webhook-config.ts'
import { send } from '../../src/kernel/webhook/webhook-request.ts'
import { assertDelivered } from '../webhook.ts'

const MessageHookConfig = v.omit(WebhookConfig, ['method'])
type MessageHookConfig = v.InferOutput<typeof MessageHookConfig>

const messageHook: Messenger<MessageHookConfig> = {
  type: 'webhook',
  title: 'Webhook',
  config: MessageHookConfig,
  keys: Object.keys(MessageHookConfig.entries),
  secrets: ['headers.*', 'signingSecret'],

  place({ url }) {
    const { hostname, origin } = new URL(url)
    return { hosts: { url: hostname }, secretsGoTo: { url: origin } }
  },

  async send(message, { url, headers, signingSecret, timeoutSeconds }, context) {
    const body = Buffer.from(JSON.stringify(message))
    const whole = { 'User-Agent': 'pimlet', ...headers, ...headersOf(message, body, signingSecret) }
    const stream = Readable.from([body])
    const outgoing = { url, method: 'POST', headers: whole, body: { stream, size: body.length } }
    assertDelivered(await send({ ...outgoing, timeoutMs: timeoutSeconds * 1000 }, context))
  },
}

export default messageHook

/** As of Standard Webhooks. */
function headersOf({ id }: Message, body: Buffer, secret: string | undefined): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signed: Record<string, string> = {}
  if (secret !== undefined) {
    const hmac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body)
    signed['webhook-signature'] = `v1,${hmac.digest('base64')}`
  }
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...signed,
  }
}
