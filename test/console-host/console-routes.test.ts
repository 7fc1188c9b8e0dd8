// The console over HTTP: its page and its files, packed as the client wants them. What they show is tested in a browser:
// `test/console/`. Contract 3 §7, 3 §9.13.
import assert from 'node:assert/strict'
import { get as request, type IncomingHttpHeaders } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { assertRefused, send } from '../helpers/answers.ts'
import { startServer, type TestServer } from '../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.stop())

interface Got {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** As it comes, still packed, without headers that `fetch` would add. */
function get(path: string, headers: Record<string, string> = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    request(server.url + path, { headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(chunks) }),
      )
    }).on('error', reject)
  })
}

async function filesOfPage(): Promise<string[]> {
  const { bytes } = await get('/console/')
  return [...bytes.toString().matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!)
}

describe('console.page, console.place and console.thing: GET /console/, GET /console/:place and GET /console/:place/:id', () => {
  it('answer one page without a credential, whatever the address names', async () => {
    const { bytes } = await get('/console/')
    for (const path of [
      '/console/',
      '/console/records?schema=tea',
      '/console/records/ent-1',
      '/console/records/shirt.js',
      '/console/x/..%2f..%2fy',
    ]) {
      const answer = await get(path)
      assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'text/html; charset=utf-8'], path)
      assert.deepEqual(answer.bytes, bytes)
    }
    assert.match(bytes.toString(), /^<!doctype html>/)
  })

  it('is allowed its own files and server only, and no text that becomes markup or code', async () => {
    for (const path of ['/console/', ...(await filesOfPage())]) {
      const { headers } = await get(path)
      assert.equal(
        headers['content-security-policy'],
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; " +
          "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      )
      assert.deepEqual([headers['referrer-policy'], headers['x-content-type-options']], ['no-referrer', 'nosniff'])
    }
  })

  it('are asked for again each time, and not sent again where they are the same', async () => {
    for (const coding of ['br', 'gzip', 'identity']) {
      const asked = { 'accept-encoding': coding }
      const { headers } = await get('/console/', asked)
      assert.equal(headers['cache-control'], 'no-cache')
      const again = await get('/console/', { ...asked, 'if-none-match': headers.etag! })
      assert.deepEqual([again.status, again.bytes.length, again.headers.etag], [304, 0, headers.etag])
      assert.deepEqual([again.headers.vary, again.headers['content-encoding']], ['Accept-Encoding', undefined])
    }
    const tags = ['br', 'gzip', ''].map(
      async (coding) => (await get('/console/', { 'accept-encoding': coding })).headers.etag,
    )
    assert.equal(new Set(await Promise.all(tags)).size, 3)
  })

  it('tell a browser beforehand which file the place is in', async () => {
    const cases = { '': 'home', records: 'records', 'records/ent-1': 'record', 'imports/imp-1': 'imports' }
    for (const [path, name] of Object.entries(cases)) {
      const { link = '' } = (await get(`/console/${path}`)).headers
      const [, file = ''] = /^<(\/console\/-\/[a-z]+-[A-Z0-9]{8}\.js)>; rel="modulepreload"$/.exec(String(link)) ?? []
      assert.ok(file.startsWith(`/console/-/${name}-`), `${path}: ${String(link)}`)
      assert.equal((await get(file)).status, 200)
    }
    assert.equal((await get('/console/nowhere')).headers.link, undefined)
  })

  it('have nothing below them', async () => {
    for (const path of [
      '/console/records/ent-1/more',
      '/console/records/',
      '/console//',
      '/console/-/a/b',
      '/console/records.js',
    ])
      assertRefused(await send(server.anonymous, 'GET', path), 'NOT_FOUND')
    assertRefused(await send(server.anonymous, 'POST', '/console/'), 'NOT_FOUND')
    assertRefused(await send(server.anonymous, 'GET', '/consoles'), 'UNAUTHORIZED')
  })
})

describe('console.file: GET /console/-/:file', () => {
  it('answers each file that the page names, for ever, as what it is', async () => {
    const types: Record<string, string> = {
      css: 'text/css; charset=utf-8',
      js: 'text/javascript; charset=utf-8',
      svg: 'image/svg+xml',
    }
    const files = await filesOfPage()
    assert.ok(files.length >= 3)
    for (const file of files) {
      assert.match(file, /^\/console\/-\/[a-z-]+-[A-Z0-9]{8}\.(css|js|svg)$/)
      const { status, headers } = await get(file)
      assert.deepEqual([status, headers['content-type']], [200, types[file.split('.').at(-1)!]])
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    }
  })

  it('sends it packed as the client likes best, and unpacked where it takes neither', async () => {
    const file = (await filesOfPage()).find((name) => name.endsWith('.js'))!
    const plain = await get(file)
    assert.deepEqual([plain.headers['content-encoding'], plain.headers.vary], [undefined, 'Accept-Encoding'])
    assert.equal(plain.headers['content-length'], String(plain.bytes.length))
    const cases: [asked: string, coding: string | undefined][] = [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip, deflate', 'gzip'],
      ['br;q=0.5, gzip', 'gzip'],
      ['*', 'br'],
      ['br;q=0, *', 'gzip'],
      ['br;q=0, gzip;q=0', undefined],
      ['identity, gzip;q=0.5', undefined],
      ['deflate', undefined],
    ]
    for (const [asked, coding] of cases) {
      const { headers, bytes } = await get(file, { 'accept-encoding': asked })
      assert.equal(headers['content-encoding'], coding, asked)
      const unpacked = coding === undefined ? bytes : (coding === 'br' ? brotliDecompressSync : gunzipSync)(bytes)
      assert.ok(unpacked.equals(plain.bytes), asked)
    }
  })

  it('answers HEAD without a body, with the length that it would have', async () => {
    const [file] = await filesOfPage()
    const answer = await fetch(server.url + file!, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } })
    const { bytes } = await get(file!, { 'accept-encoding': 'gzip' })
    assert.deepEqual([answer.status, answer.headers.get('content-length')], [200, String(bytes.length)])
    assert.equal(await answer.text(), '')
  })

  it('has no file of another version, nor any other, and lets nobody keep that', async () => {
    for (const name of [
      'ahead-AAAAAAAA.js',
      'index.html',
      'index.html.br',
      'main.tsx',
      '..%2f..%2fpackage.json',
      'toString',
    ]) {
      const answer = await send(server.anonymous, 'GET', `/console/-/${name}`)
      assertRefused(answer, 'NOT_FOUND')
      assert.equal(answer.headers.get('cache-control'), 'no-store')
    }
  })
})

describe('console.start: GET /console', () => {
  it('leads to the console', async () => {
    const { status, headers } = await get('/console')
    assert.deepEqual([status, headers.location, headers['content-length']], [302, '/console/', '0'])
  })
})

describe('console.model: GET /console/model', () => {
  it('leads to the schemas', async () => {
    const { status, headers } = await get('/console/model')
    assert.deepEqual([status, headers.location, headers['content-length']], [302, '/console/schemas', '0'])
  })
})

describe('A server with --no-console', () => {
  it('has none, and sends browsers to the reference', async (t) => {
    const bare = await startServer({ servesConsole: false })
    t.after(() => bare.stop())
    for (const path of [
      '/console',
      '/console/',
      '/console/model',
      '/console/records',
      '/console/records/1',
      ...(await filesOfPage()),
    ])
      assertRefused(await send(bare.anonymous, 'GET', path), 'NOT_FOUND')
    const start = await fetch(bare.url, { headers: { accept: 'text/html,*/*;q=0.8' }, redirect: 'manual' })
    assert.deepEqual([start.status, start.headers.get('location')], [302, '/docs'])
    const { body } = await send<Record<string, string>>(bare.anonymous, 'GET', '/')
    assert.deepEqual(Object.keys(body), ['name', 'version', 'docs', 'openapi', 'health'])
  })
})
