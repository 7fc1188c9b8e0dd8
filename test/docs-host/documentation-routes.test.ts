// The OpenAPI document over HTTP, and the page that shows it. Contract 2 §1, 2 §8.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readPages } from '../../src/kernel/executable/assets.ts'
import { createDocumentation, makeOpenApi } from '../../src/docs-host/documentation.ts'
import { assertRefused, send } from '../helpers/answers.ts'
import { keyClient } from '../helpers/client.ts'
import { startServer, type TestServer } from '../helpers/server.ts'

const pages = readPages('docs')
let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.stop())

const get = (path: string, init: RequestInit = {}) => fetch(server.url + path, init)

describe('openapi.get: GET /api/v1/openapi.json', () => {
  it('answers the document to whoever has a credential, whatever the role', async () => {
    await send(server.admin, 'POST', '/api/v1/roles', { id: 'role-none', name: 'Nobody', permissions: [] })
    const { body } = await send<{ key: string }>(server.admin, 'POST', '/api/v1/api-keys', {
      name: 'N',
      roleId: 'role-none',
    })
    for (const client of [server.admin, keyClient(server.url, body.key)]) {
      const answer = await send(client, 'GET', '/api/v1/openapi.json')
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.body, JSON.parse(JSON.stringify(await makeOpenApi())))
    }
  })

  it('is refused without one', async () => {
    assertRefused(await send(server.anonymous, 'GET', '/api/v1/openapi.json'), 'UNAUTHORIZED')
  })

  it('is made once', async () => {
    const documentation = createDocumentation()
    const [one, other] = await Promise.all([documentation.openApi(), documentation.openApi()])
    assert.equal(one, other)
    assert.equal(await documentation.openApi(), one)
  })

  it('may be kept by its reader alone, who is told when it is the same', async () => {
    const { headers } = await send(server.admin, 'GET', '/api/v1/openapi.json')
    assert.equal(headers.get('cache-control'), 'private, no-cache')
    const etag = headers.get('etag')!
    const again = await send(server.admin, 'GET', '/api/v1/openapi.json', undefined, { 'if-none-match': etag })
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag])
  })
})

describe('docs.page and docs.file: GET /docs and GET /docs/:file', () => {
  it('answer every file of the page without a credential, each as what it is', async () => {
    const types: Record<string, string> = {
      html: 'text/html; charset=utf-8',
      css: 'text/css; charset=utf-8',
      js: 'text/javascript; charset=utf-8',
      svg: 'image/svg+xml',
    }
    assert.ok(pages.size > 8)
    for (const [name, text] of [...pages, ['', pages.get('index.html')!] as const]) {
      const answer = await get(name === '' ? '/docs' : `/docs/${name}`)
      assert.equal(answer.status, 200, name)
      assert.equal(answer.headers.get('content-type'), types[name.split('.').at(-1) || 'html'], name)
      assert.equal(await answer.text(), text, name)
    }
  })

  it('let the browser load from this server only, run no script within the page, and sit in no frame', async () => {
    const { headers } = await get('/docs')
    const policy = headers.get('content-security-policy')!
    for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
      assert.ok(policy.includes(rule), policy)
    assert.doesNotMatch(policy, /unsafe|https?:|\*|data:/)
    assert.deepEqual(
      ['x-content-type-options', 'referrer-policy'].map((name) => headers.get(name)),
      ['nosniff', 'no-referrer'],
    )
  })

  it('are asked for again each time, and not sent again where they are the same', async () => {
    const { headers } = await get('/docs/page.js')
    assert.equal(headers.get('cache-control'), 'no-cache')
    const again = await get('/docs/page.js', { headers: { 'if-none-match': headers.get('etag')! } })
    assert.deepEqual([again.status, await again.text(), again.headers.get('cache-control')], [304, '', 'no-cache'])
    assert.notEqual((await get('/docs/page.css')).headers.get('etag'), headers.get('etag'))
  })

  it('answer HEAD without a body', async () => {
    const answer = await get('/docs', { method: 'HEAD' })
    assert.deepEqual([answer.status, await answer.text()], [200, ''])
    assert.equal(answer.headers.get('content-length'), String(Buffer.byteLength(pages.get('index.html')!)))
  })

  it('have nothing but those files', async () => {
    for (const path of ['/docs/..%2f..%2fpackage.json', '/docs/schema.sql', '/docs/page.js/more', '/docs/constructor'])
      assertRefused(await send(server.anonymous, 'GET', path), 'NOT_FOUND')
    assertRefused(await send(server.anonymous, 'POST', '/docs'), 'NOT_FOUND')
    assertRefused(await send(server.anonymous, 'GET', '/api/v1/docs'), 'UNAUTHORIZED')
  })
})

describe('docs.guide: GET /docs/guides/:guide', () => {
  it('answers a guide without a credential, as strictly as the reference page', async () => {
    const answer = await get('/docs/guides/search')
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
    assert.match(await answer.text(), /<h1 id="searching">Searching<\/h1>/)
    const policy = 'content-security-policy'
    assert.equal(answer.headers.get(policy), (await get('/docs')).headers.get(policy))
    const again = await get('/docs/guides/search', { headers: { 'if-none-match': answer.headers.get('etag')! } })
    assert.equal(again.status, 304)
  })

  it('answers nothing that is no guide', async () => {
    for (const path of ['/docs/guides/nothing', '/docs/guides', '/docs/guides/search/more', '/docs/guides/..%2fsearch'])
      assertRefused(await send(server.anonymous, 'GET', path), 'NOT_FOUND')
  })
})

describe('The page', () => {
  it('names no other host', () => {
    for (const [name, text] of pages) {
      const addresses = [...text.matchAll(/(?:https?:)?\/\/[\w.-]+\.[a-z]+[^\s'"`)]*/gi)].map(([address]) => address)
      assert.deepEqual(
        addresses.filter((address) => address !== 'http://www.w3.org/2000/svg'),
        [],
        name,
      )
    }
  })

  it('refers to its own files and to the two endpoints that it needs, and to nothing else', () => {
    const html = pages.get('index.html')!
    const asked = [...html.matchAll(/\b(?:src|href|action)="([^"#][^"]*)"/g)].map(([, path]) => path)
    const files = asked.filter((path) => !path!.startsWith('/docs/guides/'))
    assert.deepEqual(files, ['/docs/icon.svg', '/docs/page.css', '/docs/try.css', '/docs/page.js'])
    for (const [name, text] of pages) {
      const modules = [...text.matchAll(/^import .* from '([^']+)'/gm)].map(([, module]) => module!)
      for (const module of modules) assert.ok(pages.has(module.replace('./', '')), `${name} imports ${module}`)
    }
    const paths = [...pages.values()].flatMap((text) => text.match(/['}]\/api\/[^'`]*/g) ?? [])
    assert.deepEqual(paths.sort(), ['}/api/v1/auth/login', '}/api/v1/openapi.json'])
  })

  it('makes no markup or code from text, and keeps credentials beyond the tab nowhere', () => {
    const scripts = [...pages].filter(([name]) => name.endsWith('.js')).map(([, text]) => text)
    const forbidden = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|localStorage|cookie/
    for (const text of scripts) assert.doesNotMatch(text, forbidden)
    assert.doesNotMatch(pages.get('index.html')!, /<script(?![^>]*src=)|<style|\bon\w+=|style=/)
  })

  it('holds no data: it says nothing of the workspace or of the endpoints', async () => {
    const text = [...pages.values()].join('\n')
    assert.ok(!text.includes('/api/v1/records'))
    const document = await makeOpenApi()
    for (const name of Object.keys(document.components.schemas).filter((one) => one.endsWith('Input')))
      assert.ok(!text.includes(name), name)
  })
})

describe('docs.start: GET /docs/', () => {
  it('leads to the reference', async () => {
    const answer = await get('/docs/', { redirect: 'manual' })
    assert.deepEqual([answer.status, answer.headers.get('location')], [302, '/docs'])
  })
})
