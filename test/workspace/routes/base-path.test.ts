// Contract 3 §12: a path before all paths of the server.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ADMIN_KEY, startServer, type TestServer } from '../../helpers/server.ts'
import { assertRefused, send } from '../../helpers/answers.ts'
import { keyClient } from '../../helpers/client.ts'

const BROWSER = { accept: 'text/html' }

async function redirectOf(url: string, headers: Record<string, string> = {}) {
  const { status, headers: answered } = await fetch(url, { headers: { ...BROWSER, ...headers }, redirect: 'manual' })
  return [status, answered.get('location')]
}

describe('A server with a base path', () => {
  let server: TestServer
  let origin: string
  before(async () => {
    server = await startServer({ basePath: '/pim' })
    origin = server.url.slice(0, -'/pim'.length)
  })
  after(() => server.stop())

  it('answers all of its paths below the base path, and those without /api/v1 too', async () => {
    for (const path of ['/api/v1/schemas', '/export-jobs', '/api/v1/records?limit=5'])
      assert.equal((await send(server.admin, 'GET', path)).status, 200, path)
    assertRefused(await send(server.anonymous, 'GET', '/api/v1/schemas'), 'UNAUTHORIZED')
  })

  it('knows no other path, and says which ones there are', async () => {
    const outside = keyClient(origin, ADMIN_KEY)
    for (const path of ['/', '/api/v1/schemas', '/pimlet/api/v1/schemas', '/p%69m/api/v1/schemas', '/console/']) {
      const answer = await send(outside, 'GET', path)
      assertRefused(answer, 'NOT_FOUND', 'all paths of this server begin with /pim')
    }
  })

  it('tells of its health with and without the base path', async () => {
    for (const url of [`${origin}/healthz`, `${origin}/pim/healthz`]) assert.equal((await fetch(url)).status, 200, url)
  })

  it('sends browsers to addresses below the base path', async () => {
    assert.deepEqual(await redirectOf(`${origin}/pim`), [302, '/pim/console/'])
    assert.deepEqual(await redirectOf(`${origin}/pim/`), [302, '/pim/console/'])
    assert.deepEqual(await redirectOf(`${origin}/pim/console`), [302, '/pim/console/'])
    assert.deepEqual(await redirectOf(`${origin}/pim/docs/`), [302, '/pim/docs'])
  })

  it('tells programs where things are, and each is there', async () => {
    const { body } = await send<Record<string, string>>(server.admin, 'GET', '/')
    const { name: _name, version: _version, ...addresses } = body
    assert.deepEqual(addresses, {
      console: '/pim/console/',
      docs: '/pim/docs',
      openapi: '/pim/api/v1/openapi.json',
      health: '/pim/healthz',
    })
    for (const address of Object.values(addresses))
      assert.equal((await fetch(origin + address, { headers: server.admin.headers })).status, 200, address)
  })

  it('has the base path in the OpenAPI document and in the links of its guides', async () => {
    const { body } = await send<{ servers: { url: string }[] }>(server.admin, 'GET', '/api/v1/openapi.json')
    assert.deepEqual(
      body.servers.map(({ url }) => url),
      ['/pim'],
    )
    for (const path of ['/docs', '/docs/guides/start']) {
      const page = await (await fetch(server.url + path)).text()
      const links = [...page.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, link]) => link!)
      assert.ok(links.length > 5, path)
      for (const link of links) assert.ok(link.startsWith('/pim/docs'), link)
    }
  })

  it('serves the files of the console and of the reference below the base path', async () => {
    for (const path of ['/console/', '/console/records', '/console/records/some-record', '/docs']) {
      const answer = await fetch(server.url + path)
      const links = [...(await answer.text()).matchAll(/<(?:link|script)[^>]*?(?:href|src)="([^"]+)"/g)]
      const ahead = /^<([^>]+)>/.exec(answer.headers.get('link') ?? '')
      assert.ok(links.length > 2, path)
      for (const [, link] of ahead === null ? links : [...links, ahead]) {
        const url = new URL(link!, server.url + path)
        assert.ok(url.pathname.startsWith('/pim/'), url.href)
        assert.equal((await fetch(url)).status, 200, url.href)
      }
    }
  })
})

describe('X-Forwarded-Prefix', () => {
  let behind: TestServer
  let alone: TestServer
  before(async () => {
    behind = await startServer({ trustedProxies: ['127.0.0.1'], basePath: '/inner' })
    alone = await startServer()
  })
  after(() => Promise.all([behind.stop(), alone.stop()]))

  const asked = (server: TestServer, prefix: string) => redirectOf(`${server.url}/`, { 'x-forwarded-prefix': prefix })

  it('of a trusted proxy stands before the base path', async () => {
    assert.deepEqual(await asked(behind, '/pim'), [302, '/pim/inner/console/'])
    assert.deepEqual(await asked(behind, '/pim/'), [302, '/pim/inner/console/'])
    assert.deepEqual(await asked(behind, '/outer, /pim'), [302, '/outer/pim/inner/console/'])
    assert.deepEqual(await asked(behind, ''), [302, '/inner/console/'])
  })

  it('of somebody else is not believed', async () => {
    assert.deepEqual(await asked(alone, '/pim'), [302, '/console/'])
  })

  it('that is no path is left out', async () => {
    for (const prefix of [
      '//elsewhere.example',
      'https://elsewhere.example',
      '/a/../b',
      '/"><b>',
      `/${'a'.repeat(300)}`,
      '/a b',
    ])
      assert.deepEqual(await asked(behind, prefix), [302, '/inner/console/'], prefix)
  })
})
