// The messenger `webhook` against a real receiver. Contract 5 §7.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import messageHook from '../../../plugins/messengers/webhook.ts'
import { createNetwork } from '../../../src/kernel/egress/network.ts'
import type { Message } from '../../../src/kernel/messenger.ts'

it('A message by webhook is signed JSON; an answer of failure is a fault', async (t) => {
  let status = 204
  const arrived: { body: string; headers: Record<string, unknown> }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      arrived.push({ body: Buffer.concat(chunks).toString(), headers: request.headers })
      response.writeHead(status).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`
  const signingSecret = 'a secret of the receiver'
  const config = { url, headers: { 'X-Token': 't' }, signingSecret, timeoutSeconds: 5 }
  const to = { userId: 'usr-1', name: 'Anna', address: 'anna@example.com' }
  const texts = { language: 'en', subject: 'Hi', text: 'Text', html: '<p>Text' }
  const message: Message = { id: 'msg-1', to, ...texts, settingsUrl: null, createdAt: '2026-03-01T08:00:00.000Z' }
  const context = { signal: AbortSignal.timeout(5000), network: createNetwork({ allow: ['127.0.0.1'] }), log() {} }
  await messageHook.send(message, config, context)
  const [{ body, headers } = { body: '', headers: {} as Record<string, unknown> }] = arrived
  assert.deepEqual(JSON.parse(body), message)
  const signed = `msg-1.${String(headers['webhook-timestamp'])}.${body}`
  assert.equal(
    headers['webhook-signature'],
    `v1,${createHmac('sha256', signingSecret).update(signed).digest('base64')}`,
  )
  assert.deepEqual([headers['webhook-id'], headers['x-token']], ['msg-1', 't'])
  status = 404
  await assert.rejects(
    messageHook.send(message, config, context),
    (error: { permanent?: boolean }) => error.permanent === true,
  )
  status = 503
  await assert.rejects(
    messageHook.send(message, config, context),
    (error: { permanent?: boolean }) => error.permanent !== true,
  )
})
