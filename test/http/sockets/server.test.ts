// The listening socket: bytes that are no good HTTP, limits of time and number, and the graceful stop. Contract 2 §8.
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import * as v from 'valibot'
import { route } from '../../../src/http/route.ts'
import { assertErrorBody, assertRefused, send } from '../../helpers/answers.ts'
import { keyClient } from '../../helpers/client.ts'
import { type Frame, type FrameOptions, startFrame } from '../../helpers/frame.ts'
import { collect, exchange, parseAnswer, request } from '../../helpers/sockets.ts'

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

function gate() {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

async function start(t: TestContext, options?: FrameOptions) {
  const { open, opened } = gate()
  const { open: enter, opened: entered } = gate()
  const aborted: string[] = []
  const served: string[] = []
  const frame = await startFrame(
    [
      route({
        id: 'slow.get',
        endpoint: 'GET /api/v1/slow',
        summary: 'Answers when the test says so',
        access: 'authenticated',
        responses: { 200: v.object({ done: v.boolean() }) },
        handler: async ({ request: { id, signal } }) => {
          signal.addEventListener('abort', () => aborted.push(id))
          enter()
          await opened
          return { done: true }
        },
      }),
      route({
        id: 'fast.get',
        endpoint: 'GET /api/v1/fast',
        summary: 'Answers at once',
        access: 'authenticated',
        responses: { 200: v.object({ done: v.boolean() }) },
        handler: () => {
          served.push('fast')
          return { done: true }
        },
      }),
    ],
    options,
  )
  t.after(() => {
    open()
    return frame.stop()
  })
  return { frame, open, entered, aborted, served }
}

const FAST = 'GET /api/v1/fast HTTP/1.1\r\nHost: x\r\nX-Service-ApiKey: admin\r\n'

function assertRawError(text: string, status: number, code: Parameters<typeof assertErrorBody>[1]): void {
  const answer = parseAnswer(text)
  assert.equal(answer.status, status, text)
  assertErrorBody(JSON.parse(answer.body), code)
  assert.ok(answer.headers.get('x-request-id'))
  assert.equal(answer.headers.get('content-type'), 'application/json')
}

describe('Bytes that are no good HTTP', () => {
  it('are answered with a JSON error, and the connection is closed', async (t) => {
    const { frame } = await start(t)
    for (const text of [
      'nonsense\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      `${FAST}Bad Header: x\r\n\r\n`,
      '\x16\x03\x01\x02\x00\x01\x00',
    ])
      assertRawError(await exchange(frame.port, text), 400, 'VALIDATION_ERROR')
    assertRawError(
      await exchange(frame.port, `${FAST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
      400,
      'VALIDATION_ERROR',
    )
  })

  it('headers beyond the limit are 413', async (t) => {
    const { frame } = await start(t)
    assertRawError(await exchange(frame.port, `${FAST}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`), 413, 'PAYLOAD_TOO_LARGE')
    assertRawError(await exchange(frame.port, `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`), 413, 'PAYLOAD_TOO_LARGE')
  })

  it('a missing Host header is 400', async (t) => {
    const { frame } = await start(t)
    const answer = await request(frame.port, 'GET /api/v1/fast HTTP/1.1\nX-Service-ApiKey: admin')
    assert.equal(answer.status, 400)
    assertErrorBody(JSON.parse(answer.body), 'VALIDATION_ERROR', 'Host')
  })

  it('HTTP/1.0 needs no Host header: so do load balancers ask for health', async (t) => {
    const { frame } = await start(t)
    const asked = 'GET /api/v1/fast HTTP/1.0\r\nX-Service-ApiKey: admin\r\n\r\n'
    assert.equal(parseAnswer(await exchange(frame.port, asked)).status, 200)
  })

  it('a target that is no path is refused', async (t) => {
    const { frame } = await start(t)
    for (const target of ['*', 'ftp://x/api/v1/fast', 'fast']) {
      const answer = await request(frame.port, `OPTIONS ${target} HTTP/1.1\nHost: x\nX-Service-ApiKey: admin`)
      assert.equal(answer.status, 400, target)
    }
  })

  it('a target with scheme and host, as proxies get it, is its path', async (t) => {
    const { frame } = await start(t)
    const statusOf = async (target: string): Promise<number> =>
      (await request(frame.port, `GET ${target} HTTP/1.1\nHost: x\nX-Service-ApiKey: admin`)).status
    assert.deepEqual(
      await Promise.all(['http://x/api/v1/fast', 'HTTPS://x:1/api/v1/fast?a=1'].map(statusOf)),
      [200, 200],
    )
    assert.deepEqual(await Promise.all(['http://x', 'http://x?a=1'].map(statusOf)), [404, 404])
  })

  it('an unknown expectation is ignored, as is Upgrade', async (t) => {
    const { frame } = await start(t)
    for (const header of ['Expect: 200-maybe', 'Connection: upgrade\nUpgrade: websocket']) {
      const text = await exchange(frame.port, `${FAST}${header.replaceAll('\n', '\r\n')}\r\nConnection: close\r\n\r\n`)
      assert.equal(parseAnswer(text).status, 200, header)
    }
  })

  it('nonsense after a request that is under way closes the connection, and never stands for its answer', async (t) => {
    const { frame, entered, open } = await start(t)
    const socket = connect(frame.port, '127.0.0.1')
    const received = collect(socket)
    socket.write(`${FAST.replace('fast', 'slow')}\r\n`)
    await entered
    socket.write('nonsense\r\n\r\n')
    assert.equal(await received, '')
    open()
  })

  it('requests in one write are answered in turn', async (t) => {
    const { frame } = await start(t)
    const text = await exchange(frame.port, `${FAST}\r\n${FAST}\r\n${FAST}Connection: close\r\n\r\n`)
    assert.equal(text.match(/HTTP\/1\.1 200 OK/g)?.length, 3)
  })
})

describe('Limits of time and number', () => {
  it('headers that drip in are cut off, also where the client would go on for ever', async (t) => {
    const { frame } = await start(t, { limits: { headersTimeout: 200, connectionsCheckingInterval: 50 } })
    const sockets = Array.from({ length: 30 }, () =>
      connect({ port: frame.port, host: '127.0.0.1', allowHalfOpen: true }),
    )
    const drips = sockets.map((socket) => {
      socket.write('GET / HTTP/1.1\r\n')
      return setInterval(() => socket.write('X-A: b\r\n'), 40)
    })
    const answers = await Promise.all(sockets.map((socket) => collect(socket, 5000)))
    drips.forEach((drip) => clearInterval(drip))
    for (const text of answers) assertRawError(text, 400, 'VALIDATION_ERROR')
  })

  it('a connection without a byte is closed without one, as a browser opened it ahead', async (t) => {
    const { frame } = await start(t, { limits: { headersTimeout: 200, connectionsCheckingInterval: 50 } })
    const received = await collect(connect(frame.port, '127.0.0.1'), 5000)
    assert.equal(received, '')
  })

  it('a connection above the cap is told so and closed, and room that returns is used', async (t) => {
    const { frame, served } = await start(t, { limits: { maxConnections: 3 } })
    const held: Socket[] = []
    for (let index = 0; index < 3; index += 1) {
      const socket = connect(frame.port, '127.0.0.1')
      socket.on('error', () => undefined)
      held.push(socket)
    }
    t.after(() => held.forEach((socket) => socket.destroy()))
    await pause(100)
    for (let n = 0; n < 20; n += 1) assertRawError(await exchange(frame.port, `${FAST}\r\n`), 503, 'UNAVAILABLE')
    assert.deepEqual(served, [])
    held[0]!.destroy()
    await pause(50)
    assert.equal(parseAnswer(await exchange(frame.port, `${FAST}Connection: close\r\n\r\n`)).status, 200)
  })

  it('a handler learns that its client has gone', async (t) => {
    const { frame, entered, aborted } = await start(t)
    const socket = connect(frame.port, '127.0.0.1')
    socket.write(`${FAST.replace('fast', 'slow')}\r\n`)
    await entered
    socket.destroy()
    for (let tries = 0; tries < 100 && aborted.length === 0; tries += 1) await pause(10)
    assert.equal(aborted.length, 1)
  })
})

describe('A stop', () => {
  it('finishes the request under way, refuses new ones on its connection, and accepts no other', async (t) => {
    const { frame, open, entered } = await start(t)
    const socket = connect(frame.port, '127.0.0.1')
    const received = collect(socket)
    socket.write(`${FAST.replace('fast', 'slow')}\r\n${FAST}\r\n`)
    await entered
    const stopped = frame.stop()
    await pause(50)
    await assert.rejects(fetch(`${frame.url}/api/v1/fast`))
    open()
    await stopped
    const text = await received
    assert.equal(parseAnswer(text).status, 200)
    assert.match(text, /Connection: close/)
  })

  it('a request that arrives on a kept connection meanwhile is 503 UNAVAILABLE', async (t) => {
    const { frame, open, entered } = await start(t)
    const busy = connect(frame.port, '127.0.0.1')
    const late = connect(frame.port, '127.0.0.1')
    const answers = [collect(busy), collect(late)]
    late.write('GET /api/v1/fast HTTP/1.1\r\nHost: x\r\n')
    busy.write(`${FAST.replace('fast', 'slow')}\r\n`)
    await entered
    await pause(50)
    const stopped = frame.stop()
    late.write('X-Service-ApiKey: admin\r\n\r\n')
    assertRawError((await answers[1])!, 503, 'UNAVAILABLE')
    open()
    await stopped
    assert.equal(parseAnswer((await answers[0])!).status, 200)
    // Nobody is to look for a fault.
    const told = frame.logged.map(({ level, status, code }) => ({ level, status, code }))
    assert.deepEqual(told, [
      { level: 30, status: 503, code: 'UNAVAILABLE' },
      { level: 30, status: 200, code: undefined },
    ])
  })

  it('does not wait for a connection that was opened ahead and has sent nothing', async (t) => {
    const { frame } = await start(t)
    const ahead = connect(frame.port, '127.0.0.1')
    const ended = collect(ahead)
    await send(keyClient(frame.url, 'admin'), 'GET', '/api/v1/fast')
    await frame.stop(60_000)
    assert.equal(await ended, '')
    assert.ok(!frame.logged.some(({ msg }) => msg?.includes('cut off')))
  })

  it('cuts off what does not finish in time', async (t) => {
    const { frame, entered } = await start(t)
    const slow = send(keyClient(frame.url, 'admin'), 'GET', '/api/v1/slow')
    slow.catch(() => undefined)
    await entered
    const before = performance.now()
    await frame.stop(200)
    assert.ok(performance.now() - before < 20_000)
    await assert.rejects(slow)
  })
})

describe('Cross-origin requests', () => {
  it('are not answered for unless an origin is configured', async (t) => {
    const { frame } = await start(t)
    const client: Frame = frame
    const origin = { origin: 'https://shop.example' }
    const plain = await send(keyClient(client.url, 'admin'), 'GET', '/api/v1/fast', undefined, origin)
    assert.equal(plain.headers.get('access-control-allow-origin'), null)
    const preflight = { ...origin, 'access-control-request-method': 'PUT' }
    assertRefused(await send(keyClient(client.url), 'OPTIONS', '/api/v1/fast', undefined, preflight), 'UNAUTHORIZED')
  })

  it('a configured origin passes the preflight without a credential, another does not', async (t) => {
    const { frame } = await start(t, { corsOrigins: ['https://shop.example'] })
    const ask = (origin: string) =>
      send(keyClient(frame.url), 'OPTIONS', '/api/v1/fast', undefined, {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'x-service-apikey',
      })
    const allowed = await ask('https://shop.example')
    assert.equal(allowed.status, 204)
    assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://shop.example')
    assert.match(allowed.headers.get('access-control-allow-headers')!, /X-Service-ApiKey/)
    assert.match(allowed.headers.get('access-control-allow-methods')!, /PUT/)
    const refused = await ask('https://evil.example')
    assert.equal(refused.headers.get('access-control-allow-origin'), null)
    assert.equal(refused.headers.get('access-control-allow-methods'), null)
    const error = await send(keyClient(frame.url), 'GET', '/api/v1/fast', undefined, { origin: 'https://shop.example' })
    assertRefused(error, 'UNAUTHORIZED')
    assert.equal(error.headers.get('access-control-allow-origin'), 'https://shop.example')
    assert.equal(error.headers.get('vary'), 'Origin')
  })
})
