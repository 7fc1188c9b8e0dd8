// Files: uploads, and who may read them. Contract 4 §1.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { assertErrorBody, send } from '../../helpers/answers.ts'
import { atOneServer, type Client } from '../../helpers/client.ts'
import { ask, hashOf, sendFile, uploaded } from '../../helpers/files.ts'
import { makeUser, sessionOf } from '../../helpers/people.ts'
import { everywhere, make, readAudit, type RecordBody, startWorkspace, type Workspace } from '../../helpers/shirts.ts'

let shop: Workspace
let server: string
before(async () => {
  shop = await startWorkspace({ maxRecords: 0, allowDestinations: ['127.0.0.1'] })
  server = shop.admin.url
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-picture',
    name: 'Picture',
    attributes: [
      { alias: 'content', dataType: 'file', dimensionIds: ['language'] },
      { alias: 'secret', dataType: 'file' },
    ],
  })
  for (const [id, permissions] of [
    ['role-watcher', ['records.read']],
    ['role-sender', ['files.write']],
    ['role-writer', ['records.read', 'records.create']],
  ] as const)
    await make(shop.admin, '/api/v1/roles', {
      id,
      name: id,
      permissions,
      defaultAttributePermission: 'write',
      attributePermissions: { 'sch-picture': { secret: 'none' } },
    })
})
after(() => shop.stop())

async function userWith(roleId: string): Promise<Client> {
  return sessionOf(shop, (await makeUser(shop, { roleId })).username)
}

const stored = (): string[] => readdirSync(path.join(shop.dataDir, 'files', 'arriving'))

describe('POST /api/v1/files', () => {
  it('answers 201 with the hash and the facts of the bytes, then 200 for the same bytes', async () => {
    const bytes = randomBytes(100_000)
    const first = await sendFile(shop.admin, bytes, '../Hemd\n.bin')
    assert.equal(first.status, 201)
    assert.deepEqual(first.body, {
      sha256: hashOf(bytes),
      fileName: 'Hemd.bin',
      mediaType: 'application/octet-stream',
      size: 100_000,
      width: null,
      height: null,
      pages: null,
      thumbhash: null,
    })
    const second = await sendFile(shop.admin, bytes, 'other.bin', { 'content-type': 'image/png' })
    assert.equal(second.status, 200)
    assert.deepEqual(second.body, { ...first.body, fileName: 'other.bin' })
    assert.deepEqual(stored(), [])
  })

  it('takes an empty file, and a name is not needed', async () => {
    const { body } = await sendFile(shop.admin, '')
    assert.deepEqual([body.size, body.fileName, body.sha256], [0, 'file', hashOf('')])
  })

  it('takes the one file of a form', async () => {
    const form = new FormData()
    form.set('file', new Blob(['from a form']), 'form.txt')
    const { status, bytes } = await ask(shop.admin, '/api/v1/files', { method: 'POST', body: form })
    assert.equal(status, 201, bytes.toString())
    const body = JSON.parse(bytes.toString()) as { sha256: string; fileName: string }
    assert.deepEqual([body.sha256, body.fileName], [hashOf('from a form'), 'form.txt'])
  })

  it('refuses forms without a file, with two, with another name, and that break off', async () => {
    const none = new FormData()
    none.set('text', 'a')
    const late = new FormData()
    late.set('file', new Blob(['told too early']), 'a')
    late.append('more', new Blob(['b']), 'b')
    const two = new FormData()
    two.append('file', new Blob(['a']), 'a')
    two.append('file', new Blob(['b']), 'b')
    const other = new FormData()
    other.set('picture', new Blob(['a']), 'a')
    for (const body of [none, two, other, late]) {
      const { status, bytes } = await ask(shop.admin, '/api/v1/files', { method: 'POST', body })
      assert.equal(status, 400)
      assertErrorBody(JSON.parse(bytes.toString()), 'VALIDATION_ERROR', 'file')
    }
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const broken = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc'
    const notChosen = `${broken.replace('"a"', '""')}\r\n--x--\r\n`
    for (const body of [broken, notChosen])
      assert.equal((await ask(shop.admin, '/api/v1/files', { method: 'POST', body, headers })).status, 400, body)
    const noBoundary = { 'content-type': 'multipart/form-data' }
    assert.equal(
      (await ask(shop.admin, '/api/v1/files', { method: 'POST', body: 'a', headers: noBoundary })).status,
      400,
    )
    assert.equal((await ask(shop.admin, `/api/v1/files/${hashOf('told too early')}`)).status, 404)
    assert.deepEqual(stored(), [])
  })

  it('refuses a file beyond --max-file, and leaves nothing', async () => {
    const { status, body } = await sendFile(shop.admin, Buffer.alloc(8 * 1024 ** 2 + 1))
    assert.equal(status, 413)
    assertErrorBody(body, 'PAYLOAD_TOO_LARGE', '--max-file')
    assert.deepEqual(stored(), [])
  })

  it('leaves nothing of an upload that breaks off', async () => {
    const bytes = randomBytes(500_000)
    const { hostname, port } = new URL(server)
    const headers = { ...shop.admin.headers, 'content-length': String(bytes.length) }
    const sending = request({ hostname, port, method: 'POST', path: '/api/v1/files', headers })
    sending.on('error', () => undefined)
    sending.write(bytes.subarray(0, 200_000))
    while (stored().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    sending.destroy()
    while (stored().length > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.equal((await ask(shop.admin, `/api/v1/files/${hashOf(bytes)}`)).status, 404)
  })

  it('needs files.write, which creating or updating records includes', async () => {
    const watcher = await userWith('role-watcher')
    const refused = await sendFile(watcher, 'a')
    assert.equal(refused.status, 403)
    assertErrorBody(refused.body, 'PERMISSION_DENIED', 'files.write')
    for (const role of ['role-sender', 'role-writer'])
      assert.equal((await sendFile(await userWith(role), role)).status, 201)
  })

  it('with an Idempotency-Key is done once', async () => {
    const bytes = randomBytes(1000)
    const key = { 'idempotency-key': 'file-1' }
    const first = await sendFile(shop.admin, bytes, 'a', key)
    const again = await sendFile(shop.admin, bytes, 'a', key)
    assert.deepEqual([first.status, again.status], [201, 201])
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(again.body, first.body)
    assert.equal((await sendFile(shop.admin, randomBytes(1000), 'a', key)).status, 409)
  })

  it('keeps the same bytes once where many send them at once', async () => {
    const bytes = randomBytes(200_000)
    const answers = await Promise.all(Array.from({ length: 12 }, () => sendFile(shop.admin, bytes)))
    assert.deepEqual(new Set(answers.map(({ body }) => body.sha256)), new Set([hashOf(bytes)]))
    assert.ok(answers.every(({ status }) => status === 200 || status === 201))
    assert.deepEqual(stored(), [])
  })
})

describe('GET /api/v1/files/:sha256, and HEAD', () => {
  it('answer the bytes of an own upload, whole or in part, and 304 to who has them', async () => {
    const bytes = randomBytes(3000)
    const { sha256 } = await uploaded(shop.admin, bytes)
    const at = `/api/v1/files/${sha256}`
    const whole = await ask(shop.admin, at)
    assert.equal(whole.status, 200)
    assert.deepEqual(whole.bytes, bytes)
    assert.equal(whole.headers.get('etag'), `"${sha256}"`)
    assert.equal(whole.headers.get('content-length'), '3000')
    assert.equal(whole.headers.get('accept-ranges'), 'bytes')
    const part = await ask(shop.admin, at, { headers: { range: 'bytes=10-19' } })
    assert.equal(part.status, 206)
    assert.deepEqual(part.bytes, bytes.subarray(10, 20))
    assert.equal(part.headers.get('content-range'), 'bytes 10-19/3000')
    const stale = await ask(shop.admin, at, { headers: { range: 'bytes=10-19', 'if-range': '"other"' } })
    assert.deepEqual([stale.status, stale.bytes.length], [200, 3000])
    const beyond = await ask(shop.admin, at, { headers: { range: 'bytes=3000-' } })
    assert.equal(beyond.status, 416)
    assert.equal(beyond.headers.get('content-range'), 'bytes */3000')
    assertErrorBody(JSON.parse(beyond.bytes.toString()), 'RANGE_NOT_SATISFIABLE')
    const known = await ask(shop.admin, at, { headers: { 'if-none-match': `"${sha256}"` } })
    assert.deepEqual([known.status, known.bytes.length], [304, 0])
    const both = { 'if-none-match': `"${sha256}"`, range: 'bytes=9000-' }
    assert.equal((await ask(shop.admin, at, { headers: both })).status, 304)
    const head = await ask(shop.admin, at, { method: 'HEAD', headers: { range: 'bytes=1-2' } })
    assert.deepEqual([head.status, head.bytes.length, head.headers.get('content-length')], [200, 0, '3000'])
  })

  it('never let a browser run or guess what the bytes are', async () => {
    const { sha256 } = await uploaded(shop.admin, '<script>alert(1)</script>', 'evil.html')
    const { headers } = await ask(shop.admin, `/api/v1/files/${sha256}`)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
    assert.match(headers.get('content-disposition')!, /^attachment;/)
  })

  it('answer 404 for hashes that the caller may not know of, and for no hashes at all', async () => {
    const { sha256 } = await uploaded(shop.admin, randomBytes(100))
    const writer = await userWith('role-writer')
    for (const hash of [sha256, 'ab'.repeat(32), 'abc', `${sha256}0`])
      for (const method of ['GET', 'HEAD'])
        assert.equal((await ask(writer, `/api/v1/files/${hash}`, { method })).status, 404, `${method} ${hash}`)
  })

  it('tell a reader of a value by HEAD that the bytes are there, but no one else', async () => {
    const [open, hidden] = [await uploaded(shop.admin, randomBytes(64)), await uploaded(shop.admin, randomBytes(64))]
    const values = { content: everywhere(open), secret: everywhere(hidden) }
    await make(shop.admin, '/api/v1/records', { schemaId: 'sch-picture', values })
    const [watcher, sender] = [await userWith('role-watcher'), await userWith('role-sender')]
    const statuses = async (client: Client, sha256: string, method: string) =>
      (await ask(client, `/api/v1/files/${sha256}`, { method })).status
    assert.equal(await statuses(watcher, open.sha256, 'HEAD'), 200)
    assert.equal(await statuses(watcher, open.sha256, 'GET'), 404)
    assert.equal(await statuses(watcher, hidden.sha256, 'HEAD'), 404)
    assert.equal(await statuses(sender, open.sha256, 'HEAD'), 404)
  })
})

describe('GET /api/v1/records/:id/files/:sha256', () => {
  it('answers the bytes to readers of the value, also of an inherited one, and to no one else', async () => {
    const [open, hidden] = [await uploaded(shop.admin, 'open'), await uploaded(shop.admin, 'hidden')]
    const values = { content: everywhere(open), secret: everywhere(hidden) }
    const parent = await make<RecordBody>(shop.admin, '/api/v1/records', { schemaId: 'sch-picture', values })
    const variant = await make<RecordBody>(shop.admin, '/api/v1/records', {
      schemaId: 'sch-picture',
      parentId: parent.id,
      values: {},
    })
    const watcher = await userWith('role-watcher')
    const read = (id: string, sha256: string) => ask(watcher, `/api/v1/records/${id}/files/${sha256}`)
    assert.equal((await read(parent.id, open.sha256)).bytes.toString(), 'open')
    assert.equal((await read(variant.id, open.sha256)).bytes.toString(), 'open')
    assert.equal((await read(parent.id, hidden.sha256)).status, 404)
    assert.equal((await read('no-such', open.sha256)).status, 404)
    assert.equal((await read(parent.id, hashOf('other'))).status, 404)
    const sender = await userWith('role-sender')
    assert.equal((await ask(sender, `/api/v1/records/${parent.id}/files/${open.sha256}`)).status, 403)
  })

  it('gives the name of the value, in any letters, to who saves it', async () => {
    const file = await uploaded(shop.admin, 'named', 'größe "1".bin')
    const { id } = await make<RecordBody>(shop.admin, '/api/v1/records', {
      schemaId: 'sch-picture',
      values: { content: everywhere(file) },
    })
    const { headers } = await ask(shop.admin, `/api/v1/records/${id}/files/${file.sha256}?download=`)
    assert.equal(
      headers.get('content-disposition'),
      `attachment; filename="gr__e _1_.bin"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%221%22.bin`.replace('gr__e', 'gr__e'),
    )
  })
})

describe('POST /api/v1/files/from-url', () => {
  it('fetches a file, follows redirects, and names it by its address', async () => {
    const site = createServer((asked, response) => {
      if (asked.url === '/go') response.writeHead(302, { location: '/pictures/hemd%20rot.jpg' }).end()
      else if (asked.url === '/loop') response.writeHead(302, { location: '/loop' }).end()
      else if (asked.url === '/away') response.writeHead(302, { location: 'http://[::1]:1/' }).end()
      else if (asked.url === '/gone') response.writeHead(404).end()
      else if (asked.url === '/short')
        response.writeHead(200, { 'content-length': '100' }).write('abc', () => response.destroy())
      else if (asked.url === '/large') response.writeHead(200).end(Buffer.alloc(9 * 1024 ** 2))
      else response.end(`bytes of ${asked.url}`)
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    const base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    const fetchFrom = (url: string) =>
      send<{ sha256: string; fileName: string }>(shop.admin, 'POST', '/api/v1/files/from-url', { url })
    const { status, body } = await fetchFrom(`${base}/go`)
    assert.equal(status, 201)
    assert.deepEqual([body.fileName, body.sha256], ['hemd rot.jpg', hashOf('bytes of /pictures/hemd%20rot.jpg')])
    for (const [place, words] of [
      ['/loop', ['redirects']],
      ['/away', ['url', '::1']],
      ['/gone', ['404']],
      ['/short', ['url']],
    ] as const) {
      const refused = await fetchFrom(base + place)
      assert.equal(refused.status, 400, place)
      assertErrorBody(refused.body, 'VALIDATION_ERROR', ...words)
    }
    assert.equal((await fetchFrom(`${base}/large`)).status, 413)
    assert.deepEqual(stored(), [])
    site.closeAllConnections()
    site.close()
  })

  it('asks once more where the site has ended the connection of an earlier fetch', async () => {
    const asked: string[] = []
    const used = new Set<unknown>()
    const site = createServer((request, response) => {
      asked.push(request.url!)
      if (used.has(request.socket)) return void request.socket.destroy()
      used.add(request.socket)
      response.end(`bytes of ${request.url}`)
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    const base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    const admin = atOneServer(shop.admin)
    for (const name of ['/first.jpg', '/second.jpg'])
      assert.equal((await send(admin, 'POST', '/api/v1/files/from-url', { url: base + name })).status, 201)
    assert.deepEqual(asked, ['/first.jpg', '/second.jpg', '/second.jpg'])
    site.closeAllConnections()
    site.close()
  })

  it('refuses addresses that destinations may not reach, and what is no address', async () => {
    for (const url of [
      'http://169.254.169.254/latest',
      'http://localhost:1/',
      'ftp://example.org/a',
      'file:///etc/passwd',
      'http://u:p@example.org/',
      'x',
    ]) {
      const { status, body } = await send(shop.admin, 'POST', '/api/v1/files/from-url', { url })
      assert.equal(status, 400, url)
      assertErrorBody(body, 'VALIDATION_ERROR', 'url')
    }
  })
})

describe('A picture', () => {
  it('is described by its content, as its value and its audit entry are', async () => {
    const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { body } = await sendFile(shop.admin, picture, 'rot.png', { 'content-type': 'text/plain' })
    const { sha256, fileName, thumbhash, ...facts } = body
    assert.deepEqual(facts, { mediaType: 'image/jpeg', size: picture.length, width: 40, height: 60, pages: null })
    assert.ok(thumbhash!.length > 10)
    const made = await make<RecordBody>(shop.admin, '/api/v1/records', {
      schemaId: 'sch-picture',
      values: { content: everywhere({ sha256, fileName, mediaType: 'text/html', width: 1 }) },
    })
    const value = { sha256, fileName, mediaType: 'image/jpeg', size: picture.length, width: 40, height: 60, thumbhash }
    assert.deepEqual(made.values, { content: everywhere(value) })
    const [entry] = await readAudit(shop.admin, made.id)
    assert.deepEqual(entry!.changes, [{ attributeAlias: 'content', scope: {}, oldValue: null, newValue: value }])
    const back = await send<RecordBody>(shop.admin, 'PUT', `/api/v1/records/${made.id}`, { values: made.values })
    assert.deepEqual(back.body.values, made.values)
    const { headers } = await ask(shop.admin, `/api/v1/records/${made.id}/files/${sha256}`)
    assert.match(headers.get('content-disposition')!, /^inline;/)
    assert.equal(headers.get('content-type'), 'image/jpeg')
  })
})
