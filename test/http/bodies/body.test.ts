// What a body must be before a handler sees it. Contract 2 §1.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import { connect, Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import * as v from 'valibot'
import { ClientGone } from '../../../src/http/bodies/body.ts'
import { LostNumber } from '../../../src/kernel/json/lost-numbers.ts'
import { HeldMemory } from '../../../src/kernel/held-memory.ts'
import { JsonBodies } from '../../../src/http/bodies/json-bodies.ts'
import { MAX_DEPTH } from '../../../src/kernel/json/json-scanner.ts'
import { route } from '../../../src/http/route.ts'
import { assertErrorBody, assertRefused, send } from '../../helpers/answers.ts'
import { keyClient } from '../../helpers/client.ts'
import { type Frame, startFrame } from '../../helpers/frame.ts'
import { collect, exchange, parseAnswer, request } from '../../helpers/sockets.ts'

let received: unknown[] = []
const routes = [
  route({
    id: 'objects.create',
    endpoint: 'POST /api/v1/objects',
    summary: 'An object',
    access: 'authenticated',
    body: v.object({ name: v.string('must be a string'), more: v.optional(v.unknown()) }),
    responses: { 201: v.object({ name: v.string() }) },
    handler: ({ body }) => {
      received.push(body)
      return { name: body.name }
    },
  }),
  route({
    id: 'lists.replace',
    endpoint: 'PUT /api/v1/lists',
    summary: 'An array',
    access: 'authenticated',
    body: v.array(v.number('must be a number'), 'must be an array'),
    responses: { 200: v.array(v.number()) },
    handler: ({ body }) => body,
  }),
  route({
    id: 'bodiless.post',
    endpoint: 'POST /api/v1/bodiless',
    summary: 'No body',
    access: 'authenticated',
    responses: { 204: null },
    handler: () => undefined,
  }),
]

const MAX_BODY = 4096
const MAX_VALUES = 600
let frame: Frame
before(async () => {
  frame = await startFrame(routes, { maxBody: MAX_BODY, maxValues: MAX_VALUES, bodyTimeout: 300 })
})
after(() => frame.stop())

const HEAD = 'POST /api/v1/objects HTTP/1.1\nHost: x\nX-Service-ApiKey: admin'
const post = (body: string | Buffer, type = 'application/json') =>
  request(frame.port, `${HEAD}\nContent-Type: ${type}`, body)

async function assertInvalid(body: string | Buffer, ...named: string[]): Promise<void> {
  received = []
  const answer = await post(body)
  assert.equal(answer.status, 400, answer.body)
  assertErrorBody(JSON.parse(answer.body), 'VALIDATION_ERROR', ...named)
  assert.deepEqual(received, [])
}

describe('A JSON body', () => {
  it('reaches the handler checked, without unknown fields', async () => {
    received = []
    assert.equal((await post('{"name":"ä","unknown":1}')).status, 201)
    assert.deepEqual(received, [{ name: 'ä' }])
  })

  it('must be application/json, with no charset but utf-8', async () => {
    const good = [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
    ]
    for (const type of good) assert.equal((await post('{"name":"a"}', type)).status, 201, type)
    const bad = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
      'application/jsonx',
      '',
    ]
    for (const type of bad) {
      const answer = await post('{"name":"a"}', type)
      assert.equal(answer.status, 400, type)
      assertErrorBody(JSON.parse(answer.body), 'VALIDATION_ERROR', 'Content-Type')
    }
    const without = await request(frame.port, HEAD, '{"name":"a"}')
    assert.equal(without.status, 400)
  })

  it('must be valid UTF-8', async () => {
    await assertInvalid(Buffer.from([0x7b, 0x22, 0x6e, 0xff, 0x22, 0x7d]), 'UTF-8')
    await assertInvalid(Buffer.from('{"name":"\xe4"}', 'latin1'), 'UTF-8')
    await assertInvalid(
      Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
      'UTF-8',
    )
  })

  it('must be JSON, and an object where one is expected', async () => {
    await assertInvalid('', 'is empty')
    for (const text of [' ', '{', '{"name":}', "{'name':1}", 'NaN', '{"name":"a"}{}']) await assertInvalid(text, 'body')
    for (const text of ['[]', 'null', '1', '"text"', 'true']) await assertInvalid(text, 'object')
    await assertInvalid('{}', 'name', 'required')
    await assertInvalid('{"name":1}', 'name', 'must be a string')
    const client = keyClient(frame.url, 'admin')
    assert.deepEqual((await send(client, 'PUT', '/api/v1/lists', [1, 2])).body, [1, 2])
    assertRefused(await send(client, 'PUT', '/api/v1/lists', {}), 'VALIDATION_ERROR', 'array')
    assertRefused(await send(client, 'PUT', '/api/v1/lists', [1, 'x']), 'VALIDATION_ERROR', '[1]')
  })

  it('must not hold lone surrogates, and the message names the field', async () => {
    await assertInvalid('{"name":"\\ud83d"}', 'name', 'surrogate')
    await assertInvalid('{"name":"a","more":[{"deep":"x\\uDE00"}]}', 'more[0].deep')
    await assertInvalid('{"name":"a","more":{"\\ud800":1}}', 'more')
    assert.equal((await post('{"name":"\\ud83d\\ude00 \\\\ud83d"}')).status, 201)
  })

  it('a nesting bomb is refused, brackets in text are none', async () => {
    const nested = (depth: number) => `{"name":"a","more":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
    assert.equal((await post(nested(MAX_DEPTH))).status, 201)
    await assertInvalid(nested(MAX_DEPTH + 1), 'nests')
    await assertInvalid(`${'['.repeat(2000)}${']'.repeat(2000)}`)
    assert.equal((await post(JSON.stringify({ name: '[{"'.repeat(500) }))).status, 201)
  })

  it('with more values than the limit is 413 naming the limit and its setting', async () => {
    const holding = (items: number) => `{"name":"a","more":[${'0,'.repeat(items - 1)}0]}`
    // Besides the items: the object, the name, the array.
    assert.equal((await post(holding(MAX_VALUES - 3))).status, 201)
    const answer = await post(holding(MAX_VALUES - 2))
    assert.equal(answer.status, 413)
    assertErrorBody(JSON.parse(answer.body), 'PAYLOAD_TOO_LARGE', `${MAX_VALUES} values`, '--max-body-values')
  })

  it('with a number that a double cannot hold is 400 naming the field, but where the service judges it', async () => {
    await assertInvalid('{"name":9007199254740993}', 'name')
    const client = keyClient(frame.url, 'admin')
    const put = await request(
      frame.port,
      'PUT /api/v1/lists HTTP/1.1\nHost: x\nX-Service-ApiKey: admin\nContent-Type: application/json',
      '[1.0, 1e3, 0.1000000000000000055511151231257827]',
    )
    assertErrorBody(JSON.parse(put.body), 'VALIDATION_ERROR', '[2]', '0.1000000000000000055511151231257827', '17')
    assert.deepEqual((await send(client, 'PUT', '/api/v1/lists', [0.1 + 0.2, 2 ** 53, 1e21])).status, 200)
    received = []
    assert.equal((await post('{"name":"a","more":[9007199254740993]}')).status, 201)
    assert.ok((received[0] as { more: unknown[] }).more[0] instanceof LostNumber)
  })

  it('names that members of Object have do no harm', async () => {
    const answer = await post('{"name":"a","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')
    assert.equal(answer.status, 201)
    assert.equal(({} as { polluted?: number }).polluted, undefined)
  })

  it('larger than the limit is 413 PAYLOAD_TOO_LARGE, announced or not', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(MAX_BODY) })
    const announced = await post(large)
    assert.equal(announced.status, 413)
    assertErrorBody(JSON.parse(announced.body), 'PAYLOAD_TOO_LARGE', String(MAX_BODY))
    const chunked = await exchange(
      frame.port,
      `${HEAD.replaceAll('\n', '\r\n')}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`,
    )
    assert.equal(parseAnswer(chunked).status, 413)
    const exact = JSON.stringify({ name: 'x'.repeat(MAX_BODY - 11) })
    assert.equal(exact.length, MAX_BODY)
    assert.equal((await post(exact)).status, 201)
  })

  it('an endpoint without a body does not mind one', async () => {
    const client = keyClient(frame.url, 'admin')
    assert.equal((await send(client, 'POST', '/api/v1/bodiless')).status, 204)
    assert.equal((await send(client, 'POST', '/api/v1/bodiless', { any: 1 })).status, 204)
  })
})

describe('A body that does not come', () => {
  it('slowly is 400 after a while, and the connection is closed', async () => {
    const socket = connect(frame.port, '127.0.0.1')
    const text = `${HEAD.replaceAll('\n', '\r\n')}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`
    socket.write(text)
    const drip = setInterval(() => socket.write(' '), 50)
    const answer = parseAnswer(await collect(socket, 8000))
    clearInterval(drip)
    assert.equal(answer.status, 400)
    assertErrorBody(JSON.parse(answer.body), 'VALIDATION_ERROR', 'in time')
  })

  it('fast is looked at in parts, and others come between', async () => {
    const message = new IncomingMessage(new Socket())
    const part = Buffer.from('"x", '.repeat(13_000))
    message.headers = { 'content-type': 'application/json', 'content-length': String(40 * part.length + 5) }
    message.push('[')
    for (let count = 0; count < 40; count += 1) message.push(part)
    message.push('"x"]')
    message.push(null)
    const limits = { maxBody: 10 * 1024 ** 2, maxValues: 1_000_000, bodyTimeout: 20_000 }
    const bodies = new JsonBodies(limits, new HeldMemory(1024 ** 2))
    let [inTurn, most] = [0, 0]
    const look = (): void => {
      if (inTurn === 0) setImmediate(() => (inTurn = 0))
      most = Math.max(most, (inTurn += 1))
    }
    const options = { callerId: 'somebody', maxBytes: undefined, keepsLostIn: new Set<string>(), look }
    const { value } = await bodies.read(message, options)
    assert.equal((value as unknown[]).length, 40 * 13_000 + 1)
    assert.ok(most <= 8, `${most} parts in one turn`)
  })

  it('of a large size is checked in another turn than the one in which it is parsed', async (test) => {
    let turn = 0
    const count = (): void => {
      turn += 1
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    const parse = test.mock.method(JSON, 'parse', (text: string): unknown => {
      parsedIn = turn
      return text.length
    })
    let parsedIn = -1
    const message = new IncomingMessage(new Socket())
    const text = JSON.stringify('x'.repeat(100_000))
    message.headers = { 'content-type': 'application/json', 'content-length': String(text.length) }
    message.push(text)
    message.push(null)
    const limits = { maxBody: MAX_BODY * 1000, maxValues: 100, bodyTimeout: 20_000 }
    const bodies = new JsonBodies(limits, new HeldMemory(1024 ** 2))
    await bodies.read(message, { callerId: 'somebody', maxBytes: undefined, keepsLostIn: new Set<string>() })
    clearImmediate(timer)
    assert.equal(parse.mock.callCount(), 1)
    assert.ok(turn > parsedIn, `parsed in turn ${parsedIn}, given in turn ${turn}`)
  })

  it('because the client went away before anybody listened is told at once', async () => {
    const message = new IncomingMessage(new Socket())
    message.headers = { 'content-type': 'application/json', 'content-length': '10' }
    message.destroy()
    await once(message, 'close')
    const bodies = new JsonBodies({ maxBody: MAX_BODY, maxValues: 100, bodyTimeout: 2000 }, new HeldMemory(1024 ** 2))
    const options = { callerId: 'somebody', maxBytes: undefined, keepsLostIn: new Set<string>() }
    await assert.rejects(bodies.read(message, options), ClientGone)
  })

  it('because the client went away calls no handler and leaves no fault', async () => {
    received = []
    const socket = connect(frame.port, '127.0.0.1')
    socket.write(
      `${HEAD.replaceAll('\n', '\r\n')}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"na`,
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.deepEqual(received, [])
    assert.deepEqual(
      frame.logged.filter((line) => line.level >= 50),
      [],
    )
  })
})
