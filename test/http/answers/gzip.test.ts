// Contract 3 §7.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { createGunzip, gunzipSync } from 'node:zlib'
import { acceptsGzip, isNear, Packing, packWhole } from '../../../src/http/answers/gzip.ts'
import { everywhere, makeShirt, type RecordBody, startWorkspace, type Workspace } from '../../helpers/shirts.ts'

describe('acceptsGzip', () => {
  it('is for who asks for gzip, and does not rather want what is not packed', () => {
    for (const header of [
      'gzip',
      'gzip, deflate, br',
      'br;q=1.0, GZIP;q=0.8',
      '*',
      'x-gzip',
      'identity;q=0.5, gzip',
      'gzip;q=0.001',
    ])
      assert.equal(acceptsGzip(header), true, header)
    for (const header of [
      undefined,
      '',
      'br',
      'gzip;q=0',
      'identity',
      'identity;q=1, gzip;q=0.5',
      '*;q=0',
      'gzip;q=0, *',
      'gzipped',
    ])
      assert.equal(acceptsGzip(header), false, String(header))
  })
})

it('isNear: loopback, link-local and private networks', () => {
  for (const address of ['127.0.0.1', '::1', '::ffff:10.1.2.3', '172.31.0.1', '192.168.7.7', 'fd00::1', 'fe80::1'])
    assert.equal(isNear(address), true, address)
  for (const address of ['203.0.113.9', '::ffff:8.8.8.8', '172.32.0.1', '2001:db8::1', ''])
    assert.equal(isNear(address), false, address)
})

interface RawAnswer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly bytes: Buffer
}

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0, corsOrigins: ['https://a.example'], trustedProxies: ['127.0.0.1'] })
})
after(() => shop.stop())

/** What a proxy says of a client that is far away. */
const FAR = { 'x-forwarded-for': '203.0.113.9' }

/** As it comes over the wire. */
function ask(
  path: string,
  encoding: string | undefined,
  options: { method?: string; headers?: object; body?: unknown } = {},
) {
  const { method = 'GET', headers = {}, body } = options
  return new Promise<RawAnswer>((resolve, reject) => {
    const asking = request(shop.url + path, {
      method,
      headers: {
        ...shop.admin.headers,
        ...FAR,
        ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    asking.on('error', reject).on('response', (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part)).on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(parts) }),
      )
    })
    asking.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

const large = (characters: number) => makeShirt(shop.admin, { toString: everywhere('ä text, '.repeat(characters / 8)) })

describe('An answer of more than 16 KiB of JSON', () => {
  it('is packed for who asks for it, and is the same then', async () => {
    for (const characters of [20_000, 200_000, 2_000_000]) {
      const { id } = await large(characters)
      const path = `/api/v1/records/${id}`
      const [packed, plain] = [await ask(path, 'gzip, br'), await ask(path, undefined)]
      assert.equal(packed.headers['content-encoding'], 'gzip')
      assert.equal(plain.headers['content-encoding'], undefined)
      assert.ok(packed.bytes.length < plain.bytes.length / 5, `${packed.bytes.length} of ${plain.bytes.length}`)
      assert.deepEqual(gunzipSync(packed.bytes), plain.bytes)
      for (const { headers } of [packed, plain]) {
        assert.match(headers['vary'] as string, /Accept-Encoding/)
        assert.equal(headers['content-type'], 'application/json')
      }
      assert.equal(plain.headers['content-length'], String(plain.bytes.length))
    }
  })

  it('has an ETag of its own when it is packed; both are good for conditions', async () => {
    const { id } = await large(20_000)
    const path = `/api/v1/records/${id}`
    const [packed, plain] = [await ask(path, 'gzip'), await ask(path, undefined)]
    const [tag, plainTag] = [packed.headers['etag'] as string, plain.headers['etag'] as string]
    assert.match(plainTag, /^"\d+"$/)
    assert.equal(tag, plainTag.replace(/"$/, '-gzip"'))
    for (const known of [tag, plainTag, `"1", ${tag}`])
      for (const encoding of ['gzip', undefined]) {
        const answer = await ask(path, encoding, { headers: { 'if-none-match': known } })
        assert.equal(answer.status, 304)
        assert.equal(answer.headers['etag'], encoding === 'gzip' ? tag : plainTag)
        assert.match(answer.headers['vary'] as string, /Accept-Encoding/)
        assert.equal(answer.headers['content-encoding'], undefined)
      }
    const change = (ifMatch: string) =>
      ask(path, 'gzip', {
        method: 'PUT',
        headers: { 'if-match': ifMatch },
        body: { values: { weight: everywhere(1) } },
      })
    assert.equal((await change('"1-gzip"')).status, 412)
    const changed = await change(tag)
    assert.equal(changed.status, 200)
    assert.equal((await change(tag)).status, 412)
    assert.equal((await change(changed.headers['etag'] as string)).status, 200)
  })

  it('says to HEAD what it would be', async () => {
    const { id } = await large(20_000)
    const path = `/api/v1/records/${id}`
    const [get, head] = [await ask(path, 'gzip'), await ask(path, 'gzip', { method: 'HEAD' })]
    assert.equal(head.bytes.length, 0)
    for (const name of ['content-encoding', 'etag', 'vary', 'content-type'])
      assert.equal(head.headers[name], get.headers[name], name)
  })

  it('that others made of its parts stays: CORS names its own Vary, and a refusal is as it was', async () => {
    const { id } = await large(20_000)
    const answer = await ask(`/api/v1/records/${id}`, 'gzip', { headers: { origin: 'https://a.example' } })
    assert.deepEqual((answer.headers['vary'] as string).split(', ').toSorted(), ['Accept-Encoding', 'Origin'])
    const refused = await ask('/api/v1/records/gone', 'gzip')
    assert.deepEqual([refused.status, refused.headers['content-encoding']], [404, undefined])
  })
})

describe('What is not packed', () => {
  it('small JSON, and what is no JSON', async () => {
    const { id } = await makeShirt(shop.admin, {})
    const { id: smaller } = await large(8000)
    for (const path of [`/api/v1/records/${id}`, `/api/v1/records/${smaller}`, '/docs', '/metrics']) {
      const answer = await ask(path, 'gzip')
      assert.equal(answer.status, 200)
      assert.equal(answer.headers['content-encoding'], undefined, path)
    }
  })
})

describe('For a client in the same network', () => {
  const near = { headers: { 'x-forwarded-for': '192.168.1.20' } }

  it('nothing is packed, and the answer says that it might have been', async () => {
    const { id } = await large(20_000)
    const { headers } = await ask(`/api/v1/records/${id}`, 'gzip', near)
    assert.deepEqual([headers['content-encoding'], headers['vary']], [undefined, 'Origin, Accept-Encoding'])
    assert.match(headers['etag'] as string, /^"\d+"$/)
    const body = { criteria: [{ attributeAlias: 'toString', operator: 'isNotEmpty' }], criteriaOperator: 'and' }
    const stream = await ask('/api/v1/search', 'gzip', { ...near, method: 'POST', body })
    assert.equal(stream.headers['content-encoding'], undefined)
  })
})

describe('A stream', () => {
  const search = { criteria: [{ attributeAlias: 'sku', operator: 'isNotEmpty' }], criteriaOperator: 'and' }

  it('is packed as it is made, and is the same then', async () => {
    for (let n = 0; n < 40; n += 1)
      await makeShirt(shop.admin, { sku: everywhere(`S-${n}`), description: everywhere('word '.repeat(20_000)) })
    const options = { method: 'POST', body: search }
    const [packed, plain] = [
      await ask('/api/v1/search', 'gzip', options),
      await ask('/api/v1/search', undefined, options),
    ]
    assert.equal(packed.headers['content-encoding'], 'gzip')
    assert.equal(packed.headers['transfer-encoding'], 'chunked')
    assert.equal((JSON.parse(gunzipSync(packed.bytes).toString()) as RecordBody[]).length, 40)
    assert.deepEqual(gunzipSync(packed.bytes), plain.bytes)
  })

  it('that the client leaves ends, and leaves its place to others', async () => {
    for (let n = 0; n < 80; n += 1) {
      const controller = new AbortController()
      const response = await fetch(`${shop.url}/api/v1/search`, {
        method: 'POST',
        headers: { ...shop.admin.headers, ...FAR, 'content-type': 'application/json' },
        body: JSON.stringify(search),
        signal: controller.signal,
      })
      assert.equal(response.headers.get('content-encoding'), 'gzip', `stream ${n}`)
      controller.abort()
      await response.text().catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  })
})

describe('Packing', () => {
  it('gives what was added to be read before more comes', async () => {
    const packing = Packing.begin()!
    const gunzip = createGunzip()
    let read = ''
    gunzip.setEncoding('utf8').on('data', (text: string) => (read += text))
    for (const part of ['one', 'two', 'three']) {
      gunzip.write(await packing.add(Buffer.from(part)))
      gunzip.write(await packing.flush())
      await new Promise((resolve) => setTimeout(resolve, 10))
      assert.ok(read.endsWith(part), read)
    }
    gunzip.end(await packing.end())
    packing.close()
    await new Promise((resolve) => gunzip.once('end', resolve))
    assert.equal(read, 'onetwothree')
  })

  it('of large answers goes on for 64 at once; others are sent as they are', () => {
    const all = Array.from({ length: 64 }, () => Packing.begin())
    assert.ok(all.every((packing) => packing !== undefined))
    assert.equal(Packing.begin(), undefined)
    for (const packing of all) packing?.close()
    all[0]?.close()
    Packing.begin()!.close()
  })

  it('keeps nobody waiting: the event loop turns meanwhile', async () => {
    const text = JSON.stringify(Array.from({ length: 60_000 }, (_, n) => ({ n, text: `text ${n * 7919}` })))
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    await Promise.all([packWhole(text), packWhole(text), packWhole(text)])
    clearInterval(timer)
    assert.ok(turns >= 3, `${turns} turns`)
  })
})

it('a request that comes again under its key is answered in either form', async () => {
  const body = { schemaId: 'sch-shirt', values: { toString: everywhere('x'.repeat(20_000)) } }
  const create = (encoding: string | undefined) =>
    ask('/api/v1/records', encoding, { method: 'POST', body, headers: { 'idempotency-key': 'packed' } })
  const [packed, plain] = [await create('gzip'), await create(undefined)]
  assert.equal(plain.headers['idempotency-replayed'], 'true')
  assert.deepEqual(gunzipSync(packed.bytes), plain.bytes)
  assert.equal(packed.headers['etag'], (plain.headers['etag'] as string).replace(/"$/, '-gzip"'))
})
