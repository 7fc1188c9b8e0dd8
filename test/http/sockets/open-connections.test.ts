// How many connections there may be, which give way, and who may still ask for health.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import { route } from '../../../src/http/route.ts'
import { assertErrorBody } from '../../helpers/answers.ts'
import { type FrameOptions, startFrame } from '../../helpers/frame.ts'
import { collect, exchange, parseAnswer } from '../../helpers/sockets.ts'

const GET = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Service-ApiKey: admin\r\n\r\n`

async function start(t: TestContext, limits: FrameOptions['limits'], trustedProxies?: readonly string[]) {
  const done = v.object({ done: v.boolean() })
  const common = { summary: 'Answers at once', responses: { 200: done } } as const
  const handler = (): { done: boolean } => ({ done: true })
  const frame = await startFrame(
    [
      route({ ...common, id: 'fast.get', endpoint: 'GET /api/v1/fast', access: 'authenticated', handler }),
      route({ ...common, id: 'health.get', endpoint: 'GET /healthz', access: 'public', handler }),
    ],
    { limits, ...(trustedProxies === undefined ? {} : { trustedProxies }) },
  )
  t.after(() => frame.stop(100))
  const sockets: Socket[] = []
  t.after(() => sockets.forEach((socket) => socket.destroy()))
  const open = async (text = '', localAddress = '127.0.0.1'): Promise<Socket> => {
    const socket = connect({ port: frame.port, host: '127.0.0.1', localAddress })
    sockets.push(socket)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    if (text !== '') {
      socket.write(text)
      await once(socket, 'data')
    }
    return socket
  }
  const ask = async (path: string): Promise<number> => parseAnswer(await exchange(frame.port, closing(path))).status
  return { frame, open, ask }
}

function closing(path: string): string {
  return GET(path).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
}

const later = 60_000

describe('When there are as many connections as there may be', () => {
  it('health is answered all the same, on a connection that is closed then, and nothing else is', async (t) => {
    const { frame, open } = await start(t, { maxConnections: 2, idleTime: later })
    await Promise.all([open(), open()])
    const health = parseAnswer(await exchange(frame.port, GET('/healthz')))
    assert.equal(health.status, 200)
    assert.equal(health.headers.get('connection'), 'close')
    const other = parseAnswer(await exchange(frame.port, GET('/api/v1/fast') + GET('/api/v1/fast')))
    assert.equal(other.status, 503)
    assertErrorBody(JSON.parse(other.body), 'UNAVAILABLE', 'at most 2')
  })

  it('one address has a part of them, and others have the rest', async (t) => {
    const { frame, open, ask } = await start(t, { maxConnections: 4, maxConnectionsPerAddress: 2, idleTime: later })
    await Promise.all([open(), open()])
    assert.equal(await ask('/api/v1/fast'), 503)
    assert.equal(await ask('/healthz'), 200)
    const other = await open(GET('/api/v1/fast'), '127.0.0.2')
    assert.equal(other.destroyed, false)
    assert.equal(frame.logged.at(-1)?.['status'], 200)
  })

  it('a trusted proxy, which has the connections of everybody, may have all of them', async (t) => {
    const limits = { maxConnections: 4, maxConnectionsPerAddress: 2, idleTime: later }
    const { open, ask } = await start(t, limits, ['127.0.0.1'])
    await Promise.all([open(), open(), open()])
    assert.equal(await ask('/api/v1/fast'), 200)
  })

  it('one that never asked gives way to a new one, and then the one that asked longest ago', async (t) => {
    const { open, ask } = await start(t, { maxConnections: 3, idleTime: 50 })
    const used = await open(GET('/api/v1/fast'))
    const usedLater = await open(GET('/api/v1/fast'))
    const silent = await open()
    await pause(100)
    assert.equal(await ask('/api/v1/fast'), 200)
    await until(() => silent.destroyed, 'the silent one was kept')
    const fresh = await open(GET('/api/v1/fast'))
    await pause(100)
    assert.equal(await ask('/api/v1/fast'), 200)
    await until(() => used.destroyed, 'the idlest was kept')
    assert.deepEqual([usedLater.destroyed, fresh.destroyed], [false, false])
  })

  it('those that may ask for health give way to each other, and do not stay', async (t) => {
    const limits = { maxConnections: 1, idleTime: later, reservedConnections: 2, reservedTimeout: 300 }
    const { open, ask } = await start(t, limits)
    await open()
    const [first, second] = [await open(), await open()]
    assert.equal(await ask('/healthz'), 200)
    await until(() => first.destroyed, 'the first was kept')
    assert.equal(await collect(second, 3000), '')
  })
})

async function until(isSo: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 300 && !isSo(); tries += 1) await pause(10)
  assert.ok(isSo(), what)
}
