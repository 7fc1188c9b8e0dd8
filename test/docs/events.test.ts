// docs/events.md: its receiver takes what is genuine, and nothing else; its bodies are such as the server takes and sends.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { startServer } from '../helpers/server.ts'
import { make } from '../helpers/shirts.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const page = readFileSync(path.join(import.meta.dirname, '../../docs/events.md'), 'utf8')
const block = (kind: string): string => new RegExp(`^\`\`\`${kind}\\n([^]*?)^\`\`\``, 'm').exec(page)![1]!
const SECRET = 'whsec_dGhlIHNlY3JldCBvZiB0aGUgcmVjZWl2ZXI='

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

it('docs/events.md: the receiver takes what is signed with its secret, and the subscription is one', async (test) => {
  const file = path.join(makeTempDirectory(), 'receiver.mjs')
  writeFileSync(file, block('js receiver'))
  const port = await freePort()
  const child = spawn(process.execPath, [file], {
    env: { SECRET, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  test.after(() => child.kill())
  const server = await startServer({ allowDestinations: ['127.0.0.1'] })
  test.after(() => server.stop())
  await make(server.admin, '/api/v1/schemas', { id: 'sch-shirt', name: 'Shirt', attributes: [] })
  const shown = JSON.parse(block('json').replaceAll('…', 'AAAA')) as object
  const url = `http://127.0.0.1:${port}/`
  const subscription = { ...shown, url, signingSecret: SECRET, events: ['record.created'], selection: null }
  await make(server.admin, '/api/v1/subscriptions', { ...shown, active: false })
  const { id } = await make<{ id: string }>(server.admin, '/api/v1/subscriptions', subscription)
  const ping = () =>
    send<{ ok: boolean; responseStatus: number | null }>(server.admin, 'POST', `/api/v1/subscriptions/${id}/test`)
  for (let tries = 0; tries < 200 && (await ping()).body.responseStatus === null; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal((await ping()).body.ok, true)
  await make(server.admin, '/api/v1/records', { id: 'shirt-1', schemaId: 'sch-shirt', values: {} })
  for await (const line of createInterface({ input: child.stdout })) if (line === 'record.created shirt-1') break
  await send(server.admin, 'PUT', `/api/v1/subscriptions/${id}`, { ...subscription, signingSecret: 'another' })
  assert.equal((await ping()).body.responseStatus, 401)
})
