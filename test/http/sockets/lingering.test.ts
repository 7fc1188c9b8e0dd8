// Bodies that are refused before they were read: whoever sends one reads the answer, and holds the connection no longer than it may.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type OutgoingHttpHeaders, request as openRequest } from 'node:http'
import { connect } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import { PimletError } from '../../../src/kernel/errors.ts'
import { route } from '../../../src/http/route.ts'
import { type Frame, type FrameOptions, startFrame } from '../../helpers/frame.ts'
import { collect, parseAnswer } from '../../helpers/sockets.ts'

const LARGE = Buffer.alloc(10 * 1024 ** 2, 'x')
const AT_ONCE = 8
const KEY = { 'x-service-apikey': 'admin' }

async function start(t: TestContext, limits: FrameOptions['limits'] = {}): Promise<Frame> {
  const done = v.object({ done: v.boolean() })
  const frame = await startFrame(
    [
      route({
        id: 'things.create',
        endpoint: 'POST /api/v1/things',
        summary: 'Takes JSON',
        access: 'authenticated',
        body: v.object({ done: v.boolean() }),
        responses: { 200: done },
        handler: ({ body }) => body,
      }),
      route({
        id: 'things.import',
        endpoint: 'POST /api/v1/things/import',
        summary: 'Refuses before it reads',
        access: 'authenticated',
        stream: ['text/csv'],
        responses: { 200: done },
        errors: ['RATE_LIMITED'],
        handler: () => {
          throw new PimletError('RATE_LIMITED', 'Too many imports', { retryAfter: 1 })
        },
      }),
    ],
    { limits },
  )
  t.after(() => frame.stop())
  return frame
}

interface Upload {
  readonly path: string
  readonly headers: OutgoingHttpHeaders
  readonly status: number
}

const JSON_TYPE = { 'content-type': 'application/json' }

const UPLOADS: readonly Upload[] = [
  { path: '/api/v1/things', headers: JSON_TYPE, status: 401 },
  { path: '/api/v1/things', headers: { ...JSON_TYPE, authorization: 'Bearer made-up' }, status: 401 },
  { path: '/api/v1/things', headers: { ...JSON_TYPE, ...KEY }, status: 413 },
  { path: '/api/v1/things', headers: { 'content-type': 'text/plain', ...KEY }, status: 400 },
  { path: '/api/v1/things/import', headers: { 'content-type': 'text/csv', ...KEY }, status: 429 },
  { path: '/api/v1/nowhere', headers: KEY, status: 404 },
]

/** How it is sent: with its length or in chunks. */
const FRAMINGS = [{ 'content-length': String(LARGE.length) }, { 'transfer-encoding': 'chunked' }]

/** By the client of Node. Resolves to the status, or to the code of the error that came instead. */
function upload({ port }: Frame, { path, headers }: Upload, framing: OutgoingHttpHeaders, agent: Agent) {
  return new Promise<number | string | undefined>((resolve) => {
    const options = { port, host: '127.0.0.1', method: 'POST', path, headers: { ...headers, ...framing }, agent }
    const request = openRequest(options, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode))
      answer.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    })
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    request.end(LARGE)
  })
}

/** By a client that sends everything before it reads anything. */
function uploadFirst({ port }: Frame, { path, headers }: Upload, framing: OutgoingHttpHeaders, connection: string) {
  return new Promise<number | string | undefined>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    const lines = Object.entries({ host: 'x', ...headers, ...framing, connection }).map((line) => line.join(': '))
    socket.pause()
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    const isChunked = 'transfer-encoding' in framing
    if (isChunked) socket.write(`${LARGE.length.toString(16)}\r\n`)
    socket.write(LARGE)
    socket.write(isChunked ? '\r\n0\r\n\r\n' : '', () => {
      socket.once('data', (part: Buffer) => {
        resolve(parseAnswer(part.toString()).status)
        socket.destroy()
      })
      socket.resume()
    })
  })
}

const many = <Item>(make: () => Promise<Item>): Promise<Item[]> => Promise.all(Array.from({ length: AT_ONCE }, make))

describe('A large body that is refused before it was read', () => {
  for (const framing of FRAMINGS)
    for (const how of ['keep-alive', 'close'])
      it(`is answered by its status, eight times at once: ${Object.keys(framing)[0]}, ${how}`, async (t) => {
        const frame = await start(t)
        for (const each of UPLOADS) {
          const agent = new Agent({ keepAlive: how === 'keep-alive' })
          const expected = Array.from({ length: AT_ONCE }, () => each.status)
          assert.deepEqual(await many(() => upload(frame, each, framing, agent)), expected, `${each.path} by Node`)
          assert.deepEqual(await many(() => uploadFirst(frame, each, framing, how)), expected, `${each.path} before`)
          agent.destroy()
        }
      })

  it('leaves the connection to the next request where the body ends soon', async (t) => {
    const frame = await start(t)
    const socket = connect(frame.port, '127.0.0.1')
    const answers = collect(socket)
    const head = (more: string): string => `POST /api/v1/things HTTP/1.1\r\nHost: x\r\n${more}\r\n`
    socket.write(head('Content-Type: application/json\r\nContent-Length: 13\r\n'))
    await pause(100)
    socket.write(`{"done":true}${head('X-Service-ApiKey: viewer\r\nConnection: close\r\n')}`)
    assert.deepEqual((await answers).match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 401', 'HTTP/1.1 400'])
  })
})

describe('Whoever goes on with a body that is refused', () => {
  const HEAD =
    'POST /api/v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
  const LONGEST = 20_000

  /** A connection that was refused, and whether the server has closed it: a client that never ends learns of it when it writes. */
  async function beRefused({ port }: Frame) {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const state = { isOpen: true }
    socket.on('error', () => undefined)
    socket.once('close', () => (state.isOpen = false))
    socket.write(HEAD)
    await once(socket, 'data')
    socket.resume()
    return { socket, state }
  }

  /** Sends `chunk` now and then, and resolves to the milliseconds until it was cut off. */
  async function goOn(frame: Frame, chunk: string, rest: number): Promise<number> {
    const { socket, state } = await beRefused(frame)
    const begin = performance.now()
    while (state.isOpen && performance.now() - begin < LONGEST) {
      socket.write(chunk)
      await pause(rest)
    }
    socket.destroy()
    return performance.now() - begin
  }

  it('is cut off after a while', async (t) => {
    const frame = await start(t, { lingerTime: 1000, lingerProgress: 1 })
    const milliseconds = await goOn(frame, '1\r\nx\r\n', 50)
    assert.ok(milliseconds > 900 && milliseconds < LONGEST, `${milliseconds} ms`)
  })

  it('is cut off after so many bytes', async (t) => {
    const frame = await start(t, { lingerBytes: 1024 ** 2, lingerTime: 2 * LONGEST })
    const milliseconds = await goOn(frame, `10000\r\n${'x'.repeat(65_536)}\r\n`, 10)
    assert.ok(milliseconds < LONGEST, `${milliseconds} ms`)
  })

  it('is cut off where little comes for a while', async (t) => {
    const frame = await start(t, { lingerWindow: 500, lingerTime: 2 * LONGEST })
    const milliseconds = await goOn(frame, '1\r\nx\r\n', 50)
    assert.ok(milliseconds < LONGEST, `${milliseconds} ms`)
  })

  it('is cut off where too many do so, the first one first', async (t) => {
    const frame = await start(t, { maxLingering: 2, lingerProgress: 1 })
    const all = [await beRefused(frame), await beRefused(frame), await beRefused(frame)]
    for (let rounds = 0; rounds < 20 && all[0]!.state.isOpen; rounds += 1) {
      for (const { socket } of all) socket.write('1\r\nx\r\n')
      await pause(50)
    }
    assert.deepEqual(
      all.map(({ state }) => state.isOpen),
      [false, true, true],
    )
    for (const { socket } of all) socket.destroy()
  })

  it('holds up no stop of the server', async (t) => {
    const frame = await start(t)
    const going = goOn(frame, '1\r\nx\r\n', 50)
    await pause(200)
    await frame.stop(LONGEST)
    assert.ok((await going) < LONGEST)
  })
})
