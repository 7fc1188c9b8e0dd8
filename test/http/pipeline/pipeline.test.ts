// What every request meets before its handler. Contract 1 §5, 1 §7, 2 §1.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as v from 'valibot'
import { PimletError } from '../../../src/kernel/errors.ts'
import { JsonText, reply } from '../../../src/http/answers/replies.ts'
import { route } from '../../../src/http/route.ts'
import { PageQuery } from '../../../src/kernel/input/common-shapes.ts'
import { assertErrorBody, assertRefused, send } from '../../helpers/answers.ts'
import { keyClient, tokenClient } from '../../helpers/client.ts'
import { type Frame, startFrame } from '../../helpers/frame.ts'
import { request } from '../../helpers/sockets.ts'

const Thing = v.object({ id: v.string(), limit: v.optional(v.number()), offset: v.optional(v.number()) })
const calls: string[] = []

const routes = [
  route({
    id: 'things.get',
    endpoint: 'GET /api/v1/things/:id',
    summary: 'Get',
    access: 'records.read',
    query: PageQuery,
    responses: { 200: Thing },
    headers: ['ETag'],
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
    handler: ({ params, query }) => {
      if (params.id === 'secret-fault') throw new Error('password=hunter2 at /etc/shadow')
      if (params.id === 'slow-down') throw new PimletError('RATE_LIMITED', 'Slow down', { retryAfter: 2.1 })
      return reply({ id: params.id, ...query }, { etag: 7 })
    },
  }),
  route({
    id: 'things.text',
    endpoint: 'GET /api/v1/texts/:id',
    summary: 'Get as text',
    access: 'authenticated',
    responses: { 200: Thing },
    handler: ({ params }) => new JsonText(`{ "id": ${JSON.stringify(params.id)} }`),
  }),
  route({
    id: 'things.pause',
    endpoint: 'POST /api/v1/things/:id/pause',
    summary: 'Pause',
    access: 'authenticated',
    responses: { 204: null },
    handler: ({ params }) => {
      calls.push(params.id)
    },
  }),
  route({
    id: 'things.special',
    endpoint: 'POST /api/v1/things/special',
    summary: 'Special',
    access: 'authenticated',
    responses: { 201: Thing },
    handler: () => ({ id: 'made' }),
  }),
  route({
    id: 'open.get',
    endpoint: 'GET /healthz',
    summary: 'Open',
    access: 'public',
    responses: { 200: Thing },
    handler: ({ request: { address } }) => ({ id: address }),
  }),
]

let frame: Frame
before(async () => {
  frame = await startFrame(routes)
})
after(() => frame.stop())

const as = (key?: string) => keyClient(frame.url, key)
const get = (path: string, key = 'admin') => send<{ id: string }>(as(key), 'GET', path)

describe('Authentication comes before routing', () => {
  it('a path without a credential is 401, whether it exists or not', async () => {
    for (const path of [
      '//',
      '/api',
      '/api/v1/things/1',
      '/api/v1/nothing',
      '/favicon.ico',
      '/healthz/more',
      '/%64ocs',
    ])
      assertRefused(await send(as(), 'GET', path), 'UNAUTHORIZED')
    const answer = await send(as('wrong'), 'GET', '/api/v1/things/1')
    assertRefused(answer, 'UNAUTHORIZED')
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
  })

  it('whose 401 the log gives a route, where there is one: the answers are the same', async () => {
    const requests = [
      ['GET', '/api/v1/things/1?limit=x', '/api/v1/things/:id'],
      ['HEAD', '/api/v1/things/a%20b', '/api/v1/things/:id'],
      ['POST', '/api/v1/things/%zz/pause', '/api/v1/things/:id/pause'],
      ['DELETE', '/api/v1/things/1', null],
      ['GET', '/api/v1/nothing', null],
    ] as const
    for (const client of [as(), as('wrong')]) {
      const answers = []
      for (const [method, path, route] of requests) {
        const { headers, text, status } = await send(client, method, path)
        const id = headers.get('x-request-id')
        const line = frame.logged.find((candidate) => candidate['requestId'] === id)
        assert.deepEqual([line?.['status'], line?.['method'], line?.['route']], [401, method, route], path)
        const told = [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name))
        answers.push(JSON.stringify([status, method === 'HEAD' ? undefined : text, told]))
      }
      const [first, , ...others] = answers
      assert.deepEqual(new Set(others), new Set([first]))
    }
  })

  it('with one, an unknown path, or a method that a path does not have, is 404 NOT_FOUND', async () => {
    for (const path of [
      '/',
      '/api/v1/nothing',
      '/api/v1/things',
      '/api/v1/things/',
      '/api/v1/things/1/',
      '/API/v1/things/1',
    ])
      assertRefused(await get(path), 'NOT_FOUND')
    assertRefused(await send(as('admin'), 'DELETE', '/api/v1/things/1'), 'NOT_FOUND', 'DELETE')
    assertRefused(await send(as('admin'), 'PATCH', '/healthz'), 'NOT_FOUND')
  })

  it('health and the paths of authentication and documentation need none', async () => {
    assert.equal((await send(as(), 'GET', '/healthz')).status, 200)
    for (const path of ['/', '/api/v1/auth/nothing', '/docs', '/docs/nothing'])
      assertRefused(await send(as(), 'GET', path), 'NOT_FOUND')
  })

  it('the Bearer token decides where both headers are sent', async () => {
    const both = { ...tokenClient(frame.url, 'wrong').headers, ...as('admin').headers }
    assertRefused(await send({ url: frame.url, headers: both }, 'GET', '/api/v1/things/1'), 'UNAUTHORIZED')
    const other = { authorization: 'Basic YTpi', ...as('admin').headers }
    assert.equal((await send({ url: frame.url, headers: other }, 'GET', '/api/v1/things/1')).status, 200)
  })

  it('a role without the permission is 403, and the message names the permission', async () => {
    assert.equal((await get('/api/v1/things/1', 'viewer')).status, 200)
    assertRefused(await get('/api/v1/things/1', 'nobody'), 'PERMISSION_DENIED', 'records.read')
    assert.equal((await get('/api/v1/texts/1', 'nobody')).status, 200)
  })
})

describe('Paths and parameters', () => {
  it('are percent-decoded once', async () => {
    assert.equal((await get('/api/v1/things/a%2Fb%20%25')).body.id, 'a/b %')
    assert.equal((await get('/api/v1/things/%252e')).body.id, '%2e')
    assert.equal((await get('/api/v1/%74hings/constructor')).body.id, 'constructor')
  })

  it('a malformed escape is 400 with a credential and 401 without', async () => {
    for (const target of ['/api/v1/things/%', '/api/v1/things/%zz', '/api/v1/things/%ff', '/%c0%ae']) {
      const refused = await request(frame.port, `GET ${target} HTTP/1.1\nHost: x\nX-Service-ApiKey: admin`)
      assert.equal(refused.status, 400)
      assertErrorBody(JSON.parse(refused.body), 'VALIDATION_ERROR')
      assert.equal((await request(frame.port, `GET ${target} HTTP/1.1\nHost: x`)).status, 401)
    }
  })

  it('an exact path wins over a parameter, and gives way where it lacks the method', async () => {
    assert.equal((await send<{ id: string }>(as('admin'), 'POST', '/api/v1/things/special')).body.id, 'made')
    assert.equal((await get('/api/v1/things/special')).body.id, 'special')
  })

  it('limit is a whole number from 1 to 1000 and offset one from 0; anything else is 400 naming the parameter', async () => {
    assert.deepEqual((await get('/api/v1/things/1')).body, { id: '1', limit: 50, offset: 0 })
    assert.deepEqual((await get('/api/v1/things/1?limit=1000&offset=3')).body, { id: '1', limit: 1000, offset: 3 })
    for (const value of ['0', '-1', '1001', '1.5', '1e2', '0x10', 'ten', '', '%20', '+5', '99999999999999999999'])
      assertRefused(await get(`/api/v1/things/1?limit=${value}`), 'VALIDATION_ERROR', 'limit')
    for (const value of ['-1', '1.5', 'x', ''])
      assertRefused(await get(`/api/v1/things/1?offset=${value}`), 'VALIDATION_ERROR', 'offset')
  })

  it('a query parameter given twice is 400 naming it, and so is a malformed one', async () => {
    assertRefused(await get('/api/v1/things/1?limit=1&limit=1'), 'VALIDATION_ERROR', 'limit')
    assertRefused(await get('/api/v1/texts/1?other=1&other=2'), 'VALIDATION_ERROR', 'other')
    assertRefused(await get('/api/v1/things/1?limit=%zz'), 'VALIDATION_ERROR', 'limit')
    assert.equal((await get('/api/v1/texts/1?__proto__=1&unknown=2&&')).status, 200)
  })

  it('where a route takes no others, an unknown query parameter is 400 naming what may have been meant', async () => {
    assertRefused(await get('/api/v1/things/1?limt=1'), 'VALIDATION_ERROR', "'limt': did you mean 'limit'?")
    assertRefused(await get('/api/v1/things/1?__proto__=1'), 'VALIDATION_ERROR', "'__proto__': known are limit, offset")
    assertRefused(await get(`/api/v1/things/1?${'x'.repeat(9000)}=1`), 'VALIDATION_ERROR', 'Unknown query parameter')
    assert.equal((await get('/api/v1/things/1?limit=1&&')).status, 200)
  })
})

describe('A second mount', () => {
  it('serves the same routes at other paths, under the same rules', async (t) => {
    const both = await startFrame(routes.slice(0, 2), { secondMount: (path) => path.replace('/api/v1', '') })
    t.after(() => both.stop())
    for (const prefix of ['', '/api/v1']) {
      const { body } = await send<{ id: string }>(keyClient(both.url, 'admin'), 'GET', `${prefix}/things/a`)
      assert.equal(body.id, 'a')
      assertRefused(await send(keyClient(both.url), 'GET', `${prefix}/things/a`), 'UNAUTHORIZED')
    }
  })
})

describe('HEAD and OPTIONS', () => {
  it('HEAD answers the headers of GET without a body', async () => {
    const answer = await send(as('admin'), 'HEAD', '/api/v1/things/1')
    assert.deepEqual([answer.status, answer.text], [200, ''])
    assert.equal(answer.headers.get('content-length'), String((await get('/api/v1/things/1')).text.length))
    assert.equal(answer.headers.get('etag'), '"7"')
  })

  it('HEAD of a path that only has POST is 404 and calls nothing', async () => {
    const answer = await send(as('admin'), 'HEAD', '/api/v1/things/1/pause')
    assert.deepEqual([answer.status, answer.text, calls], [404, '', []])
    assert.equal((await send(as('admin'), 'HEAD', '/api/v1/nothing')).status, 404)
  })

  it('OPTIONS lists the methods of a path, after authentication', async () => {
    const answer = await send(as('admin'), 'OPTIONS', '/api/v1/things/special')
    assert.deepEqual([answer.status, answer.text, answer.headers.get('allow')], [204, '', 'GET, POST, HEAD, OPTIONS'])
    assertRefused(await send(as('admin'), 'OPTIONS', '/api/v1/nothing'), 'NOT_FOUND')
    assertRefused(await send(as(), 'OPTIONS', '/api/v1/things/special'), 'UNAUTHORIZED')
  })
})

describe('Responses', () => {
  it('carry an X-Request-Id of their own, which the log line has too', async () => {
    const answers = [await get('/api/v1/things/1'), await get('/api/v1/nothing'), await send(as(), 'GET', '/')]
    const ids = answers.map((answer) => answer.headers.get('x-request-id'))
    assert.equal(new Set(ids).size, 3)
    for (const [index, id] of ids.entries()) {
      const line = frame.logged.find((candidate) => candidate['requestId'] === id)
      assert.equal(line?.['status'], answers[index]!.status)
      assert.equal(typeof line?.['ms'], 'number')
    }
    const line = frame.logged.find((candidate) => candidate['requestId'] === ids[0])
    assert.deepEqual(
      [line?.['method'], line?.['route'], line?.['callerId']],
      ['GET', '/api/v1/things/:id', 'key-admin'],
    )
  })

  it('a fault of the server is a generic 500: what happened is in the log, under the request id', async () => {
    const answer = await get('/api/v1/things/secret-fault')
    assertRefused(answer, 'INTERNAL_ERROR')
    assert.ok(!answer.text.includes('hunter2'))
    const line = frame.logged.find((candidate) => candidate['requestId'] === answer.headers.get('x-request-id'))
    assert.match(JSON.stringify(line?.['err']), /hunter2.*pipeline\.test\.ts/)
  })

  it('a 429 says when to come back: Retry-After in whole seconds, X-RateLimit-Remaining 0', async () => {
    const answer = await get('/api/v1/things/slow-down')
    assertRefused(answer, 'RATE_LIMITED')
    assert.equal(answer.headers.get('retry-after'), '3')
    assert.equal(answer.headers.get('x-ratelimit-remaining'), '0')
  })

  it('are JSON that nobody in between may keep', async () => {
    const { headers } = await get('/api/v1/texts/1')
    assert.equal(headers.get('content-type'), 'application/json')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('x-powered-by'), null)
  })

  it('a GET whose If-None-Match has the ETag is 304 without a body', async () => {
    const ask = (tag: string) => send(as('admin'), 'GET', '/api/v1/things/1', undefined, { 'if-none-match': tag })
    for (const tag of ['"7"', 'W/"7"', '"1", "7"', '*']) {
      const answer = await ask(tag)
      assert.deepEqual([answer.status, answer.text, answer.headers.get('etag')], [304, '', '"7"'])
    }
    for (const tag of ['"8"', '7', 'nonsense']) assert.equal((await ask(tag)).status, 200)
  })
})

describe('The client address', () => {
  it("is the socket's, whatever X-Forwarded-For says", async () => {
    const answer = await send<{ id: string }>(as(), 'GET', '/healthz', undefined, { 'x-forwarded-for': '9.9.9.9' })
    assert.equal(answer.body.id, '127.0.0.1')
  })

  it('is the last that a trusted proxy did not write itself', async (t) => {
    const behind = await startFrame(routes, { trustedProxies: ['127.0.0.0/8', '10.0.0.1'] })
    t.after(() => behind.stop())
    const ask = async (forwarded: string) =>
      (
        await send<{ id: string }>(keyClient(behind.url), 'GET', '/healthz', undefined, {
          'x-forwarded-for': forwarded,
        })
      ).body.id
    assert.equal(await ask('9.9.9.9'), '9.9.9.9')
    assert.equal(await ask('6.6.6.6, 9.9.9.9, 10.0.0.1'), '9.9.9.9')
    assert.equal(await ask('2001:db8::1'), '2001:db8::1')
    assert.equal(await ask('nonsense'), '127.0.0.1')
    assert.equal(await ask('10.0.0.1'), '10.0.0.1')
  })
})
