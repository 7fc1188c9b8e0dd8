// The requests of a call, and its results for answers.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type CallHost, makeCall } from '../../../console/api/call.ts'
import { isAborted, Refusal, Unreachable } from '../../../console/api/failures.ts'
import { json, refused } from '../fake-browser.ts'

interface Sent {
  readonly url: string
  readonly init: RequestInit & { readonly headers: Record<string, string> }
}

function calling(answers: (() => Response)[], given: Partial<CallHost> = {}) {
  const sent: Sent[] = []
  const reached: boolean[] = []
  const call = makeCall({
    fetch: async (url, init) => {
      sent.push({ url, init: init as Sent['init'] })
      return answers.shift()!()
    },
    token: () => 'token-1',
    renewedToken: async () => null,
    ended: new AbortController().signal,
    onReached: (isReached) => reached.push(isReached),
    ...given,
  })
  return { call, sent, reached }
}

describe('A call', () => {
  it('under way is given up when the user signs out, and says nothing of the server; none goes out from then on', async () => {
    const ending = new AbortController()
    const asked: string[] = []
    const { call, reached } = calling([], {
      ended: ending.signal,
      fetch: async (url, { signal }) => {
        signal!.throwIfAborted()
        asked.push(url)
        return new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)))
      },
    })
    const own = new AbortController()
    const all = [call('GET /api/v1/me'), call('GET /api/v1/schemas', { signal: own.signal })]
    await Promise.resolve()
    ending.abort()
    const late = call('GET /api/v1/dimensions')
    for (const one of [...all, late]) await assert.rejects(one, (error) => isAborted(error))
    assert.deepEqual(asked, ['/api/v1/me', '/api/v1/schemas'])
    assert.deepEqual(reached, [])
  })

  it('fills the path, leaves out what is not asked, and carries the token', async () => {
    const { call, sent } = calling([() => json({ id: 'a/b' })])
    await call('GET /api/v1/records/:id', { params: { id: 'a/b' }, query: { include: 'completeness' } })
    assert.equal(sent[0]!.url, '/api/v1/records/a%2Fb?include=completeness')
    assert.equal(sent[0]!.init.headers['Authorization'], 'Bearer token-1')
    assert.equal(sent[0]!.init.method, 'GET')
  })

  it('gives total, cursor and ETag of the answer', async () => {
    const headers = { 'X-Total-Count': '1204', 'X-Next-Cursor': 'c-2', ETag: '"7"' }
    const { call } = calling([() => json([], { headers })])
    const { total, next, etag, body } = await call('POST /api/v1/search', {
      body: { criteria: [], criteriaOperator: 'and' },
    })
    assert.deepEqual([total, next, etag, body], [1204, 'c-2', '"7"', []])
  })

  it('sends If-Match, and the key by which the same POST is carried out once', async () => {
    const { call, sent } = calling([() => json({}), () => json({})])
    const params = { id: 'r' }
    await call('PUT /api/v1/records/:id', { params, body: { values: {} }, ifMatch: '"3"' })
    await call('POST /api/v1/bulk-jobs', {
      body: { selection: { ids: ['r'] }, actions: [{ delete: true }] },
      idempotencyKey: 'k-1',
    })
    assert.equal(sent[0]!.init.headers['If-Match'], '"3"')
    assert.equal(sent[1]!.init.headers['Idempotency-Key'], 'k-1')
    assert.equal(sent[1]!.init.headers['Content-Type'], 'application/json')
  })

  it('tells a refusal by code, message, status, request and when it may go better', async () => {
    const { call } = calling([() => refused(429, 'RATE_LIMITED', 'Too many', { 'Retry-After': '9' })])
    await assert.rejects(call('GET /api/v1/me'), (error: unknown) => {
      assert(error instanceof Refusal)
      const { code, message, status, requestId, retryAfter } = error
      assert.deepEqual(
        { code, message, status, requestId, retryAfter },
        { code: 'RATE_LIMITED', message: 'Too many', status: 429, requestId: 'req-1', retryAfter: 9 },
      )
      return true
    })
  })

  it('tells an answer of something else between here and the server by its status', async () => {
    const { call } = calling([() => new Response('<h1>Bad gateway</h1>', { status: 502 })])
    await assert.rejects(call('GET /api/v1/me'), { name: 'Refusal', status: 502, code: 'INTERNAL_ERROR' })
  })

  it('goes out again after a 401, with the token that somebody got meanwhile', async () => {
    const asked: (string | null)[] = []
    const { call, sent } = calling([() => refused(401, 'UNAUTHORIZED', 'no'), () => json({ id: 'u' })], {
      renewedToken: async (refusedToken) => {
        asked.push(refusedToken)
        return 'token-2'
      },
    })
    await call('GET /api/v1/me')
    assert.deepEqual(asked, ['token-1'])
    assert.equal(sent[1]!.init.headers['Authorization'], 'Bearer token-2')
  })

  it('of a login a 401 means the password: nobody is asked for another token', async () => {
    const { call, sent } = calling([() => refused(401, 'UNAUTHORIZED', 'no')])
    await assert.rejects(call('POST /api/v1/auth/login', { body: { username: 'a', password: 'b' } }), {
      code: 'UNAUTHORIZED',
    })
    assert.equal(sent.length, 1)
    assert.equal(sent[0]!.init.headers['Authorization'], undefined)
  })

  it('says that nobody answers, and tells so', async () => {
    const { call, reached } = calling([
      () => {
        throw new TypeError('Failed to fetch')
      },
      () => json({}),
    ])
    await assert.rejects(call('GET /healthz'), Unreachable)
    await call('GET /healthz')
    assert.deepEqual(reached, [false, true])
  })

  it('what no route declares does not compile', () => {
    const { call } = calling([])
    const wrong = () => {
      // @ts-expect-error no such route
      void call('GET /api/v1/nothing')
      // @ts-expect-error the route needs an ID
      void call('GET /api/v1/records/:id')
      // @ts-expect-error no such query parameter
      void call('GET /api/v1/export-runs', { query: { state: 'failed' } })
    }
    assert.equal(typeof wrong, 'function')
  })
})
