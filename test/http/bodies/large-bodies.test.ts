// Large bodies on a whole server: who may send them, what is looked at first, and that they are waited for, not refused.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { assertErrorBody, assertRefused, send } from '../../helpers/answers.ts'
import { NDJSON, sendImport } from '../../helpers/importing.ts'
import { everywhere, make, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { collect, parseAnswer } from '../../helpers/sockets.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0, maxBody: 4 * 1024 ** 2, maxBodyValues: 50_000 })
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-long',
    name: 'L',
    attributes: [{ alias: 'long', dataType: 'text' }],
  })
})
after(() => shop.stop())

/** Announces a body of 1 MB, sends none of it, and says what is answered. */
async function announce(head: string, key = ''): Promise<{ status: number; body: string }> {
  const { port } = new URL(shop.url)
  const socket = connect(Number(port), '127.0.0.1')
  const credential = key === '' ? '' : `X-Service-ApiKey: ${key}\r\n`
  socket.write(
    `${head} HTTP/1.1\r\nHost: x\r\n${credential}Content-Type: application/json\r\nContent-Length: 1000000\r\nConnection: close\r\n\r\n`,
  )
  return parseAnswer(await collect(socket, 9000))
}

describe('A large body', () => {
  it('is not waited for from strangers, on paths that are none or take none, and without the permission', async () => {
    const { 'x-service-apikey': admin = '' } = lowerCase(shop.admin.headers)
    const { 'x-service-apikey': viewer = '' } = lowerCase(shop.viewer.headers)
    const answers = await Promise.all([
      announce('POST /api/v1/records'),
      announce('POST /api/v1/nowhere', admin),
      announce('DELETE /api/v1/records', admin),
      announce('POST /api/v1/records', viewer),
      announce('GET /api/v1/records?limit=0', admin),
      announce('POST /api/v1/auth/login'),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 404, 404, 403, 400, 413],
    )
    assertErrorBody(JSON.parse(answers[5].body), 'PAYLOAD_TOO_LARGE', '16384 bytes')
  })

  it('is 413 naming limit and setting, also in a line of an import', async () => {
    const many = JSON.stringify({ schemaId: 'sch-long', values: { long: Array.from({ length: 50_000 }, () => 0) } })
    const values = ['50000 values', '--max-body-values'] as const
    const answer = await send(shop.admin, 'POST', '/api/v1/records', JSON.parse(many))
    assertRefused(answer, 'PAYLOAD_TOO_LARGE', ...values)
    const long = { schemaId: 'sch-long', values: { long: everywhere('x'.repeat(4 * 1024 ** 2)) } }
    assertRefused(
      await send(shop.admin, 'POST', '/api/v1/records', long),
      'PAYLOAD_TOO_LARGE',
      '4194304 bytes',
      '--max-body',
    )
    const { body } = await sendImport(shop.admin, `${many}\n${'['.repeat(600)}\n${JSON.stringify(long)}\n`, {
      type: NDJSON,
    })
    assert.deepEqual(
      body.errors.map(({ error }) => error),
      ['PAYLOAD_TOO_LARGE', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
    )
    assert.match(body.errors[0]!.message, /The line .*50000 values \(--max-body-values\)/)
    const wide = await sendImport(shop.admin, `id${',a'.repeat(50_000)}\n`, { type: 'text/csv' })
    assertRefused(wide, 'VALIDATION_ERROR', '50000 cells')
  })

  it('waits for others of the same caller, and all are written', async () => {
    const long = 'x'.repeat(3 * 1024 ** 2)
    const bodies = Array.from({ length: 12 }, () => ({ schemaId: 'sch-long', values: { long: everywhere(long) } }))
    const answers = await Promise.all(bodies.map((body) => send(shop.admin, 'POST', '/api/v1/records', body)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      bodies.map(() => 201),
    )
    const { port } = new URL(shop.url)
    const chunked = connect(Number(port), '127.0.0.1')
    const text = JSON.stringify(bodies[0])
    const head = Object.entries(shop.admin.headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
    chunked.write(
      `POST /api/v1/records HTTP/1.1\r\nHost: x\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`,
    )
    for (let at = 0; at < text.length; at += 50_000) {
      const part = text.slice(at, at + 50_000)
      chunked.write(`${part.length.toString(16)}\r\n${part}\r\n`)
    }
    chunked.write('0\r\n\r\n')
    assert.equal(parseAnswer(await collect(chunked)).status, 201)
  })

  it('of clients that go away leaves room for others', async () => {
    const { port } = new URL(shop.url)
    const { 'x-service-apikey': key } = lowerCase(shop.admin.headers)
    const head = `POST /api/v1/records HTTP/1.1\r\nHost: x\r\nX-Service-ApiKey: ${key}\r\nContent-Type: application/json\r\n`
    for (let index = 0; index < 20; index += 1) {
      const isAnnounced = index % 2 === 0
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(`${head}${isAnnounced ? 'Content-Length: 4000000' : 'Transfer-Encoding: chunked'}\r\n\r\n`)
      socket.write(isAnnounced ? '{"a":"' : `20000\r\n{"a":"${'x'.repeat(0x20000 - 6)}\r\n`)
      await new Promise((resolve) => setTimeout(resolve, 20))
      socket.destroy()
    }
    const body = { schemaId: 'sch-long', values: { long: everywhere('x'.repeat(1024 ** 2)) } }
    const started = performance.now()
    assert.equal((await send(shop.admin, 'POST', '/api/v1/records', body)).status, 201)
    assert.ok(performance.now() - started < 5000)
  })
})

function lowerCase(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
}
