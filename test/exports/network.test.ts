// The guard on every outgoing connection: which addresses are refused, in which spellings, and at which moment.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { get as getSecurely } from 'node:https'
import type { AddressInfo, LookupFunction, Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { findRefusal, parseAllowList } from '../../src/kernel/egress/address-rules.ts'
import { PermanentError } from '../../src/kernel/destination.ts'
import type { Network } from '../../src/kernel/destination.ts'
import { createNetwork } from '../../src/kernel/egress/network.ts'

const NOBODY = parseAllowList([])
const soon = (): AbortSignal => AbortSignal.timeout(5_000)

/** A resolver that gives these answers in turn, the last one for ever, and counts. */
function answering(...answers: string[][]): LookupFunction & { asked: number } {
  const resolve: LookupFunction = (_host, _options, callback) => {
    const answer = answers[Math.min(lookup.asked, answers.length - 1)] ?? []
    lookup.asked += 1
    const found = answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    setImmediate(() => callback(null, found))
  }
  const lookup = Object.assign(resolve, { asked: 0 })
  return lookup
}

const knowsNothing: LookupFunction = (host, _options, callback) =>
  callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }), [])

const neverAnswers: LookupFunction = () => undefined

function fetchStatus(network: Network, url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? getSecurely : get
    const agent = url.startsWith('https:') ? network.httpsAgent : network.httpAgent
    request(url, { agent, signal: soon() }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    }).on('error', reject)
  })
}

function isRefusal(pattern: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof PermanentError, `${String(error)} is no PermanentError`)
    assert.match(error.message, pattern)
    assert.match(error.message, /--allow-destination/)
    return true
  }
}

describe('addresses', () => {
  const refused: Record<string, string[]> = {
    loopback: ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'],
    unspecified: ['0.0.0.0', '0.1.2.3', '::'],
    'link-local': ['169.254.169.254', 'fe80::1', 'febf::1', 'fe80::1%eth0'],
    multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
    broadcast: ['255.255.255.255'],
    'cloud metadata': ['100.100.100.200', '168.63.129.16', 'fd00:ec2::254'],
  }
  for (const [reason, addresses] of Object.entries(refused)) {
    it(`refuses ${reason} addresses`, () => {
      for (const address of addresses) assert.equal(findRefusal(address, NOBODY), reason, address)
    })
  }

  it('permits public and private networks', () => {
    for (const address of [
      '93.184.216.34',
      '10.1.2.3',
      '192.168.0.1',
      '172.16.0.1',
      '2606:2800:220:1::1',
      'fd12:3456::1',
    ]) {
      assert.equal(findRefusal(address, NOBODY), undefined, address)
    }
  })

  it('looks inside IPv6 addresses that carry an IPv4 address', () => {
    const forms = {
      '::ffff:127.0.0.1': 'loopback',
      '::ffff:7f00:1': 'loopback',
      '::127.0.0.1': 'loopback',
      '::ffff:0:127.0.0.1': 'loopback',
      '64:ff9b::169.254.169.254': 'link-local',
      '64:ff9b:1::a9fe:a9fe': 'link-local',
      '64:ff9b:1:7f00:0:100::': 'loopback',
      '2002:7f00:1::': 'loopback',
      '2002:a9fe:a9fe::1': 'link-local',
      '2001:0:4136:e378:8000:63bf:80ff:fffe': 'loopback',
    }
    for (const [address, reason] of Object.entries(forms)) assert.equal(findRefusal(address, NOBODY), reason, address)
    for (const address of ['::ffff:10.0.0.1', '64:ff9b::93.184.216.34', '64:ff9b:1::5db8:d822', '2002:5db8:d822::1']) {
      assert.equal(findRefusal(address, NOBODY), undefined, address)
    }
  })

  it('refuses what is no address at all', () => {
    assert.equal(findRefusal('example.test', NOBODY), 'not an address')
  })

  it('permits what an entry covers, and nothing beside it', () => {
    const allow = parseAllowList(['127.0.0.0/30', '::1', ' fe80::/64 '])
    assert.equal(findRefusal('127.0.0.3', allow), undefined)
    assert.equal(findRefusal('::ffff:127.0.0.3', allow), undefined)
    assert.equal(findRefusal('::1', allow), undefined)
    assert.equal(findRefusal('fe80::5', allow), undefined)
    assert.equal(findRefusal('127.0.0.4', allow), 'loopback')
    assert.equal(findRefusal('fe80:1::5', allow), 'link-local')
  })
})

describe('--allow-destination', () => {
  it('takes addresses, ranges and host names', () => {
    const { hosts, ranges } = parseAllowList([
      'LocalHost',
      'minio.internal.',
      '10.0.0.5',
      '10.0.0.0/8',
      '[::1]',
      'fe80::/10',
      '_sftp.a-b.test',
    ])
    assert.deepEqual([...hosts], ['localhost', 'minio.internal', '_sftp.a-b.test'])
    assert.equal(ranges.length, 4)
  })

  it('refuses anything else, quoting it', () => {
    const malformed = [
      '',
      ' ',
      '127.0.0.1/33',
      '127.1',
      '300.1.1.1',
      '127.0.0.0/',
      '::1/200',
      'a b',
      'http://x.test',
      'x.test:80',
      '-x.test',
      'x..test',
      '*',
      'x.test/8',
      '0x7f000001',
      'a'.repeat(64),
    ]
    for (const entry of malformed) {
      assert.throws(
        () => createNetwork({ allow: [entry] }),
        { message: /^--allow-destination: ".*" is neither/ },
        entry,
      )
    }
  })
})

describe('hosts, as far as they can be judged without asking for an address', () => {
  const refusalOf = (host: string, ...allow: string[]): string | undefined => createNetwork({ allow }).findRefusal(host)

  it('are refused where they spell an address that may not be reached, or mean this machine everywhere', () => {
    const loopback = [
      '127.0.0.1',
      '127.1',
      '0x7f000001',
      '2130706433',
      '017700000001',
      '[::1]',
      '::1',
      '::ffff:127.0.0.1',
    ]
    const names = ['localhost', 'LOCALHOST.', 'shop.localhost', 'a.b.LocalHost']
    for (const host of [...loopback, ...names])
      assert.match(
        refusalOf(host) ?? '',
        /is refused.*\(loopback\); to permit it start with --allow-destination /,
        host,
      )
    assert.match(refusalOf('169.254.169.254') ?? '', /link-local/)
    assert.match(refusalOf('0.0.0.0') ?? '', /unspecified/)
  })

  it('are left for later where only the resolver knows', () => {
    for (const host of ['example.com', 'localhost.example.com', 'notlocalhost', '10.0.0.5', '8.8.8.8', '', 'a b'])
      assert.equal(refusalOf(host), undefined, host)
  })

  it('may be allowed as for connections; localhost by either of its addresses, which is the resolver’s choice', () => {
    assert.equal(refusalOf('127.1', '127.0.0.0/8'), undefined)
    assert.equal(refusalOf('localhost', 'localhost'), undefined)
    assert.equal(refusalOf('localhost', '127.0.0.1'), undefined)
    assert.equal(refusalOf('localhost', '::1'), undefined)
    assert.notEqual(refusalOf('localhost', '10.0.0.0/8'), undefined)
    assert.notEqual(refusalOf('shop.localhost', 'localhost'), undefined)
  })
})

describe('connections', () => {
  const server = createServer((_request, response) => response.end('here'))
  let port = 0
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const spellings = ['127.0.0.1', '2130706433', '0177.0.0.1', '0x7f.0.0.1', '127.1', '[::ffff:127.0.0.1]']
  for (const host of [...spellings, 'localhost']) {
    it(`are refused to http://${host}/`, async () => {
      const network = createNetwork({ allow: [] })
      await assert.rejects(fetchStatus(network, `http://${host}:${port}/`), isRefusal(/loopback/))
      await assert.rejects(network.connect(host, port, soon()), isRefusal(/loopback/))
      await assert.rejects(network.assertAllowed(host), isRefusal(/loopback/))
    })
  }

  it('are refused over TLS alike', async () => {
    const network = createNetwork({ allow: [] })
    await assert.rejects(fetchStatus(network, `https://127.0.0.1:${port}/`), isRefusal(/127\.0\.0\.1 .*loopback/))
    await assert.rejects(fetchStatus(network, `https://localhost:${port}/`), isRefusal(/localhost .*loopback/))
  })

  it('are refused to a local socket', async () => {
    const { httpAgent } = createNetwork({ allow: ['0.0.0.0/0'] })
    const attempt = new Promise((_, reject) => get({ socketPath: '/run/x.sock', agent: httpAgent }).on('error', reject))
    await assert.rejects(attempt, { message: 'destinations may not use a local socket' })
  })

  it('go through when an address, a range or the host name is allowed', async () => {
    for (const allow of ['127.0.0.1', '127.0.0.0/8']) {
      const network = createNetwork({ allow: [allow] })
      assert.equal(await fetchStatus(network, `http://127.0.0.1:${port}/`), 200)
      await network.assertAllowed('127.0.0.1')
      const socket = await network.connect('127.0.0.1', port, soon())
      socket.destroy()
    }
    const named = createNetwork({ allow: ['shop.test'], resolve: answering(['127.0.0.1']) })
    assert.equal(await fetchStatus(named, `http://SHOP.test:${port}/`), 200)
    await assert.rejects(fetchStatus(named, `http://other.test:${port}/`), isRefusal(/other\.test/))
    await assert.rejects(fetchStatus(named, `http://127.0.0.1:${port}/`), isRefusal(/loopback/))
  })

  it('are refused when any of the addresses of a name is', async () => {
    const network = createNetwork({ allow: [], resolve: answering(['93.184.216.34', '169.254.169.254']) })
    await assert.rejects(
      network.connect('two.test', 80, soon()),
      isRefusal(/two\.test .*169\.254\.169\.254 \(link-local\)/),
    )
    await assert.rejects(network.assertAllowed('two.test'), isRefusal(/link-local/))
  })

  it('judge the answer of the moment of connecting, when a name changes it', async () => {
    for (const way of ['socket', 'agent'] as const) {
      const network = createNetwork({ allow: [], resolve: answering(['93.184.216.34'], ['127.0.0.1']) })
      await network.assertAllowed('rebind.test')
      const attempt =
        way === 'socket'
          ? network.connect('rebind.test', port, soon())
          : fetchStatus(network, `http://rebind.test:${port}/`)
      await assert.rejects(attempt, isRefusal(/rebind\.test .*127\.0\.0\.1/))
    }
  })

  it('use the answer that was judged, without asking again', async () => {
    const resolve = answering(['127.0.0.1'], ['169.254.169.254'])
    const network = createNetwork({ allow: ['127.0.0.1'], resolve })
    assert.equal(await fetchStatus(network, `http://rebind.test:${port}/`), 200)
    assert.equal(resolve.asked, 1)
  })

  it('pass on that a name is unknown as a fault that may pass', async () => {
    const network = createNetwork({ allow: [], resolve: knowsNothing })
    await assert.rejects(network.connect('gone.test', 80, soon()), { code: 'ENOTFOUND' })
    await assert.rejects(fetchStatus(network, 'http://gone.test/'), { code: 'ENOTFOUND' })
  })

  it('end with the signal', async () => {
    const network = createNetwork({ allow: [], resolve: neverAnswers })
    const reason = new Error('cancelled')
    const controller = new AbortController()
    const attempt = network.connect('slow.test', 80, controller.signal)
    setTimeout(() => controller.abort(reason), 20)
    await assert.rejects(attempt, reason)
    await assert.rejects(network.connect('slow.test', 80, AbortSignal.abort(reason)), reason)
  })

  it('serve the next request, and end when nobody uses them', async () => {
    const connections: Socket[] = []
    const note = (socket: Socket): void => void connections.push(socket)
    server.on('connection', note)
    const network = createNetwork({ allow: ['127.0.0.1'] })
    try {
      for (let count = 0; count < 3; count += 1)
        assert.equal(await fetchStatus(network, `http://127.0.0.1:${port}/`), 200)
      assert.equal(connections.length, 1)
      const [connection] = connections
      if (!connection!.closed) await once(connection!, 'close', { signal: AbortSignal.timeout(4000) })
    } finally {
      server.off('connection', note)
    }
  })

  it('are sockets without delay', async () => {
    const network = createNetwork({ allow: ['127.0.0.1'] })
    const socket = await network.connect('127.0.0.1', port, soon())
    const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    assert.match(await answer, /^HTTP\/1\.1 200/)
    socket.destroy()
  })
})
