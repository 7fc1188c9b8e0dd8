// Contract 3 §9.13: what is at the address of the server itself.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readVersion } from '../../src/kernel/executable/assets.ts'
import { assertRefused, send } from '../helpers/answers.ts'
import { startServer, type TestServer } from '../helpers/server.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.stop())

describe('service.start: GET /', () => {
  it('sends a browser to the console, without a credential', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(`${server.url}/?from=bookmark`, { method, headers: BROWSER, redirect: 'manual' })
      assert.deepEqual([answer.status, answer.headers.get('location'), await answer.text()], [302, '/console/', ''])
      assert.deepEqual([answer.headers.get('vary'), answer.headers.get('content-length')], ['Accept', '0'])
    }
    assert.match(await (await fetch(server.url, { headers: BROWSER })).text(), /^<!doctype html>/)
  })

  it('tells everybody else where things are, and each is there', async () => {
    const { status, body, headers } = await send<Record<string, string>>(server.anonymous, 'GET', '/')
    assert.equal(status, 200)
    assert.equal(headers.get('vary'), 'Accept')
    const addresses = { console: '/console/', docs: '/docs', openapi: '/api/v1/openapi.json', health: '/healthz' }
    assert.deepEqual(body, { name: 'pimlet', version: readVersion(), ...addresses })
    for (const address of Object.values(addresses))
      assert.equal((await fetch(server.url + address, { headers: server.admin.headers })).status, 200, address)
  })

  it('is the only path that it opens', async () => {
    for (const path of ['//', '/index.html', '/consoles', '/%2f'])
      assertRefused(await send(server.anonymous, 'GET', path), 'UNAUTHORIZED')
    assertRefused(await send(server.anonymous, 'POST', '/'), 'NOT_FOUND')
  })
})
