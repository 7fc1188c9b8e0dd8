// Clients that do not take their answers: what is made for them, what is kept, and when they are cut off.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import { JsonStream, reply } from '../../../src/http/answers/replies.ts'
import { route } from '../../../src/http/route.ts'
import { assertRefused, send } from '../../helpers/answers.ts'
import { keyClient } from '../../helpers/client.ts'
import { type FrameOptions, startFrame } from '../../helpers/frame.ts'
import { collect } from '../../helpers/sockets.ts'

/** More than the system keeps of a connection that nobody reads. */
const LARGE = 16 * 1024 * 1024
const large = 'x'.repeat(LARGE)

async function start(t: TestContext, limits: FrameOptions['limits'] = {}) {
  const made = { pages: 0, chunks: 0, slow: { GET: 0, POST: 0 } }
  const streamsEnded: number[] = []
  async function* chunks() {
    try {
      yield '["'
      for (let n = 0; n < 64; n += 1) {
        made.chunks += 1
        yield large.slice(0, LARGE / 64)
      }
      yield '"]'
    } finally {
      streamsEnded.push(made.chunks)
    }
  }
  const common = { access: 'authenticated' } as const
  const frame = await startFrame(
    [
      route({
        ...common,
        id: 'large.get',
        endpoint: 'GET /api/v1/large',
        summary: 'A large answer',
        responses: { 200: v.string() },
        handler: () => {
          made.pages += 1
          return large
        },
      }),
      route({
        ...common,
        id: 'large.stream',
        endpoint: 'GET /api/v1/stream',
        summary: 'As large, made while it is sent',
        responses: { 200: v.array(v.string()) },
        handler: () => reply(new JsonStream(chunks()), {}),
      }),
      route({
        ...common,
        id: 'small.get',
        endpoint: 'GET /api/v1/small',
        summary: 'A small answer',
        responses: { 200: v.string() },
        handler: () => 'small',
      }),
      ...(['GET', 'POST'] as const).map((method) =>
        route({
          ...common,
          id: `slow.${method.toLowerCase()}`,
          endpoint: `${method} /api/v1/slow`,
          summary: 'What takes long',
          responses: { 200: v.string() },
          handler: () => {
            made.slow[method] += 1
            const end = performance.now() + 30
            while (performance.now() < end);
            return 'slow'
          },
        }),
      ),
    ],
    { limits },
  )
  t.after(() => frame.stop(100))
  const sockets: Socket[] = []
  t.after(() => sockets.forEach((socket) => socket.destroy()))
  /** A connection that asks and reads nothing. */
  const ask = async (path: string, more = ''): Promise<Socket> => {
    const socket = connect(frame.port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    if (path !== '') socket.write(requestOf(path) + more)
    return socket
  }
  return { frame, ask, made, streamsEnded, client: keyClient(frame.url, 'admin') }
}

function requestOf(path: string, more = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Service-ApiKey: admin\r\n${more}\r\n`
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 500 && !isSo(); tries += 1) await pause(10)
  assert.ok(isSo(), what)
}

function cutOffs(frame: { logged: readonly { msg?: string; reason?: unknown }[] }, reason: string): number {
  return frame.logged.filter((line) => line.msg?.includes('cut off') === true && line.reason === reason).length
}

describe('A client that asks, and ends its side of the connection', () => {
  it('is not served where it would have had to wait, but for what changes something', async (t) => {
    const { client, ask, made } = await start(t)
    const sockets = await Promise.all(Array.from({ length: 40 }, () => ask('', '')))
    const closed = sockets.map((socket) => once(socket.resume(), 'close'))
    const methods = sockets.map((_, index) => (index % 2 === 0 ? 'GET' : 'POST'))
    for (const [index, socket] of sockets.entries())
      socket.end(requestOf('/api/v1/slow').replace('GET', methods[index]!))
    await Promise.all(closed)
    await until(() => made.slow.POST === 20, 'what changes something was not done')
    assert.ok(made.slow.GET < 10, `${made.slow.GET} answers were made for nobody`)
    assert.equal((await send(client, 'GET', '/api/v1/small')).status, 200)
  })
})

describe('A client that asks and does not read', () => {
  it('gets one answer made at a time, and all of them in order when it reads', async (t) => {
    const { ask, made } = await start(t)
    const more = [
      requestOf('/api/v1/large'),
      requestOf('/api/v1/small'),
      requestOf('/api/v1/small', 'Connection: close\r\n'),
    ]
    const socket = await ask('/api/v1/large', more.join(''))
    await until(() => made.pages === 1, 'the first was never made')
    await pause(200)
    assert.equal(made.pages, 1, 'the second was made before the first was taken')
    const text = await collect(socket, 20_000)
    const lengths = [...text.matchAll(/Content-Length: (\d+)/g)].map(([, length]) => Number(length))
    assert.deepEqual(lengths, [LARGE + 2, LARGE + 2, 7, 7])
  })

  it('makes no more of a stream than it takes, and is cut off', async (t) => {
    const { frame, ask, made, streamsEnded } = await start(t, { takeWindow: 600 })
    await ask('/api/v1/stream')
    await until(() => streamsEnded.length === 1, 'the stream goes on')
    assert.ok(made.chunks < 60, `${made.chunks} of 64 chunks were made for nobody`)
    assert.equal(cutOffs(frame, 'too slow'), 1)
  })

  it('is cut off when it takes less of an answer than the rate asks for', async (t) => {
    const { frame, ask } = await start(t, { takeWindow: 600 })
    const socket = await ask('/api/v1/large')
    await until(() => cutOffs(frame, 'too slow') === 1, 'it was not cut off')
    const text = await collect(socket)
    assert.ok(text.length > 0 && text.length < LARGE)
  })

  it('lives when it is slow and takes its answer all the same', async (t) => {
    const { frame, ask } = await start(t, { takeWindow: 1500 })
    const socket = await ask('/api/v1/large', requestOf('/api/v1/small', 'Connection: close\r\n'))
    let taken = 0
    socket.on('data', (chunk: Buffer) => {
      taken += chunk.length
      socket.pause()
      setTimeout(() => socket.resume(), 8)
    })
    await once(socket, 'close')
    assert.ok(taken > LARGE, `it got ${taken} bytes`)
    assert.equal(cutOffs(frame, 'too slow'), 0)
  })

  it('may not have more requests wait than the limit says', async (t) => {
    const { ask, made } = await start(t, { maxWaitingRequests: 10 })
    const socket = await ask('/api/v1/large', requestOf('/api/v1/large').repeat(20))
    const text = await collect(socket)
    assert.ok(text.length < LARGE)
    assert.ok(made.pages <= 1)
  })
})

describe('Answers that nobody takes', () => {
  it('have a ceiling: another large answer is refused, a small one is not', async (t) => {
    const { frame, ask, client, made } = await start(t, { maxUnsent: 1024 ** 2, takePatience: 60_000 })
    await ask('/api/v1/large')
    await until(() => made.pages === 1, 'nothing was made')
    const [refused, small] = await Promise.all([
      send(client, 'GET', '/api/v1/large'),
      send(client, 'GET', '/api/v1/small'),
    ])
    assert.deepEqual([refused.status, small.status], [503, 200])
    assertRefused(refused, 'UNAVAILABLE', '1048576 bytes')
    assert.equal(refused.headers.get('retry-after'), '1')
    assert.equal(cutOffs(frame, 'no room'), 0)
  })

  it('make room where their clients take nothing', async (t) => {
    const { frame, ask, client, made } = await start(t, { maxUnsent: 1024 ** 2, takePatience: 0 })
    await ask('/api/v1/large')
    await until(() => made.pages === 1, 'nothing was made')
    await pause(50)
    assert.equal((await send(client, 'GET', '/api/v1/large')).status, 200)
    assert.equal(cutOffs(frame, 'no room'), 1)
  })

  it('do not keep a stream from going on when room was made', async (t) => {
    const { ask, client, made } = await start(t, { maxUnsent: 1024 ** 2 })
    await ask('/api/v1/large')
    await until(() => made.pages === 1, 'nothing was made')
    const answer = await send<string[]>(client, 'GET', '/api/v1/stream')
    assert.equal(answer.body[0]?.length, LARGE)
  })
})
