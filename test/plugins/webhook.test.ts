// The webhook destination against a receiver that checks signatures and misbehaves on demand.
import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import webhook, { contentDisposition } from '../../plugins/webhook.ts'
import { parseRetryAfter } from '../../src/kernel/webhook/webhook-request.ts'
import type { RunContext } from '../../src/kernel/destination.ts'
import { createNetwork } from '../../src/kernel/egress/network.ts'
import { makeExportFile } from '../helpers/export-file.ts'
import { makeRunContext } from '../helpers/run-context.ts'
import { makeSelfSigned } from '../helpers/self-signed.ts'
import { isSigned, parseFilename, startWebhookSink } from '../helpers/webhook-sink.ts'
import type { Behaviour, SinkOptions, WebhookSink } from '../helpers/webhook-sink.ts'
import { destinationContract } from './contract.ts'
import type { Address, ContractServer, RawConfig } from './contract.ts'

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`
const network = createNetwork({ allow: ['127.0.0.1'] })
const run = (over: Partial<RunContext> = {}) => makeRunContext({ network, ...over })

function configFor(sink: WebhookSink, { host, port }: Address): RawConfig {
  const config = { url: `http://${host}:${port}${sink.path}?key=query-secret`, headers: { 'X-Token': sink.token } }
  return sink.secret === null ? config : { ...config, signingSecret: sink.secret }
}

async function startContract(options: SinkOptions): Promise<ContractServer> {
  const sink = await startWebhookSink(options)
  const config = (at: Address): RawConfig => configFor(sink, at)
  return {
    address: { host: sink.host, port: sink.port },
    config,
    wrongCredentials: (at) => ({
      'wrong header': { ...config(at), headers: { 'X-Token': 'not-the-token' } },
      ...(sink.secret === null ? {} : { 'wrong signature': { ...config(at), signingSecret: 'not-the-secret' } }),
    }),
    missingTarget: (at) => ({ 'missing path': { ...config(at), url: `http://${at.host}:${at.port}/missing` } }),
    impatient: (raw) => ({ ...raw, timeoutSeconds: 1 }),
    path: (_name, { host, port }) => `http://${host}:${port}${sink.path}`,
    read: (name) => Promise.resolve(sink.files.get(name)),
    visible: () => Promise.resolve([...sink.files.keys()]),
    hidden: () => Promise.resolve([]),
    secrets: [sink.token, SECRET, 'query-secret', 'not-the-token', 'not-the-secret'],
    close: () => sink.close(),
  }
}

// At the same time: much of it is waiting for links that are dead or slow.
describe('The destination webhook', { concurrency: true }, () => {
  destinationContract('webhook without a signature', webhook, () => startContract({}), { brokenSize: 4_000_000 })
  // The signature needs the whole file once, before the first byte is sent: it is read, not held.
  destinationContract('webhook with a signature', webhook, () => startContract({ secret: SECRET }), {
    readAhead: 102_000_000,
    brokenSize: 4_000_000,
  })
})

async function parse(raw: RawConfig) {
  const result = await webhook.config['~standard'].validate(raw)
  assert.ok(!result.issues, JSON.stringify(result.issues))
  return result.value
}

type Fault = Error & { permanent?: boolean; pauseJob?: boolean; retryAfterMs?: number }

async function withSink(
  options: SinkOptions,
  work: (sink: WebhookSink, raw: RawConfig) => Promise<void>,
): Promise<void> {
  const sink = await startWebhookSink(options)
  try {
    await work(sink, configFor(sink, sink))
  } finally {
    await sink.close()
  }
}

async function deliver(raw: RawConfig, context = run(), size = 50_000, name = 'a.csv') {
  return webhook.deliver(await makeExportFile(name, size), await parse(raw), context)
}

async function faultOf(work: Promise<unknown> | undefined): Promise<Fault> {
  const fault = await work?.then(
    () => assert.fail('it must not succeed'),
    (error: unknown) => error,
  )
  assert.ok(fault instanceof Error)
  return fault
}

const faultWith = (behaviour: Behaviour, size = 50_000): Promise<Fault> => {
  let fault: Fault | undefined
  return withSink({}, async (sink, raw) => {
    sink.behaviour = behaviour
    fault = await faultOf(deliver({ ...raw, timeoutSeconds: 1 }, run(), size))
    assert.equal(sink.requests.length, 1)
  }).then(() => fault ?? assert.fail())
}

describe('a webhook request', () => {
  it('carries name, type, length, job and run', () =>
    withSink({}, async (sink, raw) => {
      const context = run({ runId: 'run-1' })
      await deliver(raw, context, 1234, 'größe "1".csv')
      const [request] = sink.requests
      assert.ok(request)
      const { headers } = request
      assert.equal(request.method, 'POST')
      assert.equal(request.url, `${sink.path}?key=query-secret`)
      assert.equal(headers['content-type'], 'text/csv')
      assert.equal(headers['content-length'], '1234')
      assert.equal(headers['transfer-encoding'], undefined)
      assert.equal(
        headers['content-disposition'],
        `attachment; filename="gr__e _1_.csv"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%221%22.csv`,
      )
      assert.equal(headers['x-pimlet-job'], 'job-test')
      assert.equal(headers['x-pimlet-run'], 'run-1')
      assert.equal(headers['webhook-id'], 'run-1')
      assert.ok(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000) < 10)
      assert.equal(headers['webhook-signature'], undefined)
    }))

  it('is a PUT when the config says so', () =>
    withSink({}, async (sink, raw) => {
      await deliver({ ...raw, method: 'PUT' })
      assert.equal(sink.requests[0]?.method, 'PUT')
    }))

  for (const secret of [SECRET, 'plain text as a key']) {
    it(`is signed with ${secret.startsWith('whsec_') ? 'the base64 after whsec_' : 'the text of another secret'}, under one id on every attempt`, () =>
      withSink({ secret }, async (sink, raw) => {
        const context = run({ runId: 'run-7' })
        await deliver(raw, context, 200_000)
        await deliver(raw, run({ runId: 'run-7', attempt: 2 }), 10)
        assert.deepEqual(
          sink.requests.map(({ headers }) => headers['webhook-id']),
          ['run-7', 'run-7'],
        )
        assert.equal(sink.files.get('a.csv')?.length, 10)
      }))
  }

  it('agrees with the example that the specification publishes', () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    // The receiver of these tests is itself held against it, with its clock set to that day.
    const now = Date.now
    Date.now = () => 1_614_265_330_000
    try {
      const body = Buffer.from('{"test": 2432232314}')
      assert.ok(isSigned('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', headers, body))
      assert.ok(!isSigned('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSx', headers, body))
    } finally {
      Date.now = now
    }
  })

  it('names the file so that every name survives', () => {
    const names = [
      'a.csv',
      'a b.csv',
      'ü.csv',
      'a"b.csv',
      String.raw`a\b.csv`,
      "it's(1)*.csv",
      '100%25.csv',
      '日本.csv',
      'a;b=c.csv',
      '\u{d800}x.csv',
    ]
    for (const name of names) {
      const value = contentDisposition(name)
      assert.match(value, /^[\x20-\x7e]*$/)
      assert.equal(parseFilename(value), name.toWellFormed())
    }
    assert.equal(contentDisposition('a b.csv'), 'attachment; filename="a b.csv"')
  })

  it('leaves nothing on a connection that serves the next one', () =>
    withSink({}, async (_sink, raw) => {
      const httpAgent = new Agent({ keepAlive: true, maxSockets: 1 })
      const sockets = new Set<Socket>()
      httpAgent.on('free', (socket: Socket) => sockets.add(socket))
      for (let count = 0; count < 3; count++) await deliver(raw, run({ network: { ...network, httpAgent } }), 10)
      assert.equal(sockets.size, 1, 'the connection was used again')
      for (const socket of sockets) assert.ok(socket.listenerCount('timeout') <= 1 && socket.timeout !== 60_000)
      httpAgent.destroy()
    }))

  it('ends when the spool file is not as long as it was', () =>
    withSink({}, async (sink, raw) => {
      const file = await makeExportFile('a.csv', 1000)
      const fault = await faultOf(webhook.deliver({ ...file, size: 2000 }, await parse(raw), run()))
      assert.match(fault.message, /the file has 1000 bytes, not 2000$/)
      assert.equal(sink.files.size, 0)
    }))

  it('is not sent to a refused address', () =>
    withSink({}, async (sink, raw) => {
      const fault = await faultOf(deliver(raw, run({ network: createNetwork({ allow: [] }) })))
      assert.equal(fault.permanent, true)
      assert.match(fault.message, /--allow-destination 127\.0\.0\.1/)
      assert.equal(sink.requests.length, 0)
    }))

  it('is not sent to a server whose certificate nobody vouches for', () =>
    withSink({ tls: makeSelfSigned('sink.test') }, async (sink, raw) => {
      const url = String(raw['url']).replace('http:', 'https:')
      const fault = await faultOf(deliver({ ...raw, url }))
      assert.equal(fault.permanent, true, fault.message)
      assert.match(fault.message, /self-signed/)
      assert.equal(sink.requests.length, 0)
    }))
})

describe('a webhook answer', { concurrency: true }, () => {
  for (const status of [200, 201, 202, 204, 299]) {
    it(`of ${status} is a success`, () =>
      withSink({}, async (sink, raw) => {
        sink.behaviour = { status }
        const { destinationPath } = await deliver(raw)
        assert.equal(destinationPath, `http://127.0.0.1:${sink.port}/hooks/in`)
      }))
  }

  for (const status of [408, 425, 429, 500, 502, 503, 504]) {
    it(`of ${status} can be retried`, async () => {
      const fault = await faultWith({ status, body: 'inner workings' })
      assert.equal(fault.permanent, undefined)
      assert.match(fault.message, new RegExp(`^http://127\\.0\\.0\\.1:\\d+/hooks/in answered ${status}$`))
    })
  }

  for (const status of [400, 401, 403, 404, 405, 409, 411, 413, 422, 300, 304]) {
    it(`of ${status} ends the run at once`, async () => {
      const fault = await faultWith({ status })
      assert.equal(fault.permanent, true)
      assert.equal(fault.pauseJob, false)
    })
  }

  it('of 410 pauses the job', async () => {
    const fault = await faultWith({ status: 410 })
    assert.equal(fault.permanent, true)
    assert.equal(fault.pauseJob, true)
  })

  it('that redirects is not followed', () =>
    withSink({}, async (sink, raw) => {
      for (const status of [301, 302, 303, 307, 308]) {
        sink.behaviour = { status, headers: { location: `http://127.0.0.1:${sink.port}/hooks/other?token=abc` } }
        const fault = await faultOf(deliver(raw))
        assert.equal(fault.permanent, true)
        assert.match(fault.message, /redirects are not followed$/)
      }
      assert.equal(sink.requests.length, 5)
    }))

  it('may say when to come again, in seconds or as a date, up to five minutes', async () => {
    assert.equal((await faultWith({ status: 429, headers: { 'retry-after': '7' } })).retryAfterMs, 7_000)
    assert.equal((await faultWith({ status: 503, headers: { 'retry-after': '86400' } })).retryAfterMs, 300_000)
    const date = new Date(Date.now() + 60_000).toUTCString()
    const { retryAfterMs = 0 } = await faultWith({ status: 503, headers: { 'retry-after': date } })
    assert.ok(retryAfterMs > 55_000 && retryAfterMs <= 60_000, String(retryAfterMs))
    assert.equal((await faultWith({ status: 503, headers: { 'retry-after': 'soon' } })).retryAfterMs, undefined)
  })

  it('with a Retry-After of any other form says nothing', () => {
    const now = Date.UTC(2024, 0, 1)
    const forms: [string | undefined, number | undefined][] = [
      [undefined, undefined],
      ['', undefined],
      ['-1', undefined],
      ['1.5', undefined],
      ['1e3', undefined],
      ['2024-01-01', undefined],
      ['0', 0],
      [' 12 ', 12_000],
      ['99999999999999999999', 300_000],
      ['Mon, 01 Jan 2024 00:00:30 GMT', 30_000],
      ['Sun, 31 Dec 2023 00:00:00 GMT', 0],
      ['Monday, 01-Jan-24 00:00:30 GMT', 30_000],
      ['Mon, nonsense', undefined],
    ]
    for (const [header, ms] of forms) assert.equal(parseRetryAfter(header, now), ms, header)
  })

  it('that never comes is not waited for', async () => {
    const started = performance.now()
    const fault = await faultWith('never answers')
    assert.equal(fault.permanent, undefined)
    assert.match(fault.message, /no answer within 1 s$|nothing moved for 1 s$/)
    assert.ok(performance.now() - started < 15_000)
  })

  it('that is announced for ever is not waited for', async () => {
    assert.match((await faultWith('endless interim answers')).message, /(no answer within|nothing moved for) 1 s$/)
  })

  it('of a server that reads nothing is not waited for', async () => {
    assert.match((await faultWith('reads nothing', 30_000_000)).message, /nothing moved for 1 s$/)
  })

  it('that is endless is cut off, and its status counts', () =>
    withSink({}, async (sink, raw) => {
      sink.behaviour = 'endless answer'
      const started = performance.now()
      await deliver(raw)
      assert.ok(performance.now() - started < 15_000)
    }))

  it('that breaks off after its head counts', () =>
    withSink({}, async (sink, raw) => {
      sink.behaviour = 'resets after the head of its answer'
      await deliver(raw)
    }))

  it('that is a reset can be retried', async () => {
    const fault = await faultWith('resets after the body')
    assert.equal(fault.permanent, undefined)
    assert.match(fault.message, /^http:\/\/127\.0\.0\.1:\d+\/hooks\/in: (socket hang up|read ECONNRESET)$/)
  })

  for (const behaviour of ['answers at once', 'answers at once and closes'] as const) {
    it(`of a refusal is heard when the server ${behaviour}, in the middle of the body`, async () => {
      const started = performance.now()
      const fault = await faultWith(behaviour, 30_000_000)
      assert.match(fault.message, /answered 413$/)
      assert.equal(fault.permanent, true)
      assert.ok(performance.now() - started < 15_000)
    })
  }
})

describe('a webhook check', { concurrency: true }, () => {
  it('is an OPTIONS request with the headers of the job, signed', () =>
    withSink({ secret: SECRET }, async (sink, raw) => {
      await webhook.check?.(await parse(raw), run())
      assert.deepEqual(
        sink.requests.map(({ method, headers }) => [method, headers['x-token']]),
        [['OPTIONS', sink.token]],
      )
      assert.equal(sink.files.size, 0)
    }))

  it('does not wait for a server that never answers', () =>
    withSink({}, async (sink, raw) => {
      sink.behaviour = 'never answers'
      const fault = await faultOf(webhook.check?.(await parse({ ...raw, timeoutSeconds: 1 }), run()))
      assert.match(fault.message, /no answer within 1 s$|nothing moved for 1 s$/)
    }))

  const answers: [status: number, isFine: boolean][] = [
    [200, true],
    [204, true],
    [400, true],
    [405, true],
    [501, true],
    [301, false],
    [401, false],
    [403, false],
    [404, false],
    [410, false],
    [500, false],
  ]
  for (const [status, isFine] of answers) {
    it(`${isFine ? 'agrees with' : 'objects to'} an answer of ${status}`, () =>
      withSink({}, async (sink, raw) => {
        sink.behaviour = { status }
        const check = webhook.check?.(await parse(raw), run())
        if (isFine) await check
        else assert.match((await faultOf(check)).message, new RegExp(`answered ${status}`))
      }))
  }
})

describe('a webhook config', () => {
  const valid = { url: 'https://hooks.example.test/in?key=1', headers: { Authorization: 'Bearer x' } }

  it('fills in method, headers and time limit', async () => {
    const { method, headers, timeoutSeconds } = await parse({ url: valid.url })
    assert.deepEqual({ method, headers, timeoutSeconds }, { method: 'POST', headers: {}, timeoutSeconds: 60 })
  })

  it('keeps headers with the names of things that every object has', async () => {
    const text = '{ "constructor": "1", "__proto__": "2", "toString": "3" }'
    const { headers } = await parse({ url: valid.url, headers: JSON.parse(text) as Record<string, string> })
    assert.deepEqual(Object.entries(headers), [
      ['constructor', '1'],
      ['__proto__', '2'],
      ['toString', '3'],
    ])
  })

  const headerFault = /^headers: /
  const faults: [label: string, change: RawConfig, issue: RegExp][] = [
    ['no url', { url: undefined }, /^url: /],
    ['a relative url', { url: '/in' }, /^url: must be an http/],
    ['another scheme', { url: 'file:///etc/passwd' }, /^url: must be an http/],
    ['a user in the url', { url: 'https://user@x.test/' }, /^url: .*without user name/],
    ['a password in the url', { url: 'https://:pw@x.test/' }, /^url: .*without user name/],
    ['a long url', { url: `https://x.test/${'a'.repeat(2048)}` }, /^url: /],
    ['another method', { method: 'GET' }, /^method: /],
    ['a line break in a header', { headers: { a: 'b\r\nc: d' } }, headerFault],
    ['a line feed in a header', { headers: { a: 'b\nc' } }, headerFault],
    ['a NUL in a header', { headers: { a: '\0' } }, headerFault],
    ['letters outside ASCII in a header', { headers: { a: 'ü' } }, headerFault],
    ['a header name with a colon', { headers: { 'a:b': 'c' } }, headerFault],
    ['a header name with a line break', { headers: { 'a\r\nb': 'c' } }, headerFault],
    ['an empty header name', { headers: { '': 'c' } }, headerFault],
    ['a header twice', { headers: { 'X-A': '1', 'x-a': '2' } }, /^headers: holds a name twice/],
    [
      '51 headers',
      { headers: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`h${index}`, ''])) },
      headerFault,
    ],
    ['a header that is a number', { headers: { a: 1 } }, /^headers\.a: /],
    ['a header that is too long', { headers: { a: 'x'.repeat(8193) } }, /^headers\.a: must be a text of at most 8192/],
    ['a list of headers', { headers: ['a'] }, headerFault],
    ...[
      'Host',
      'content-length',
      'Transfer-Encoding',
      'Connection',
      'WEBHOOK-ID',
      'webhook-signature',
      'X-Pimlet-Run',
      'Expect',
      'Content-Type',
    ].map((name): [string, RawConfig, RegExp] => [
      `a header ${name}`,
      { headers: { [name]: 'x' } },
      /^headers: may not set Host/,
    ]),
    ['an empty signing secret', { signingSecret: '' }, /^signingSecret: /],
    ['whsec_ and nothing', { signingSecret: 'whsec_' }, /^signingSecret: .*base64/],
    ['whsec_ and no base64', { signingSecret: 'whsec_a-b_c' }, /^signingSecret: .*base64/],
    ['no time', { timeoutSeconds: 0 }, /^timeoutSeconds: /],
  ]
  for (const [label, change, issue] of faults) {
    it(`is refused with ${label}`, async () => {
      const { issues = [] } = await webhook.config['~standard'].validate({ ...valid, ...change })
      const texts = issues.map(
        ({ message, path = [] }) =>
          `${path.map((item) => String(typeof item === 'object' ? item.key : item)).join('.')}: ${message}`,
      )
      assert.ok(
        texts.some((text) => issue.test(text)),
        texts.join(),
      )
    })
  }
})
