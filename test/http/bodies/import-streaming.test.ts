// Imports as transfers: memory, stalls, hang-ups, and what other clients notice of them. Contract 2 §7.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertErrorBody, send } from '../../helpers/answers.ts'
import { counts, CSV, importFile, lines, NDJSON, sendImport } from '../../helpers/importing.ts'
import { everywhere, make, readAudit, readRecord, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { ADMIN_KEY } from '../../helpers/server.ts'
import { eventually } from '../../helpers/puppet.ts'
import { killServerProcess, peakMemory, startServerProcess } from '../../helpers/measured-process.ts'
import { collect, parseAnswer, request } from '../../helpers/sockets.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

const BODY_TIMEOUT = 3000

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0, maxBody: 64 * 1024, testing: { bodyTimeout: BODY_TIMEOUT } })
})
after(() => shop.stop())

const line = (id: string, more: object = {}) =>
  lines({ id, schemaId: 'sch-shirt', values: { toString: everywhere('x'.repeat(200)), ...more } })
const total = async () => (await send<{ total: number }>(shop.admin, 'GET', '/api/v1/records?limit=1')).body.total

/** A body that is made while it is sent. */
function streamOf(make: () => Generator<string, void>): ReadableStream<Uint8Array> {
  const parts = make()
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull(controller) {
      const next = parts.next()
      if (next.done === true) controller.close()
      else controller.enqueue(encoder.encode(next.value))
    },
  })
}

/** An import over a bare socket, of which nothing is sent yet but the head. */
function openSocket() {
  const socket = connect(Number(new URL(shop.url).port), '127.0.0.1')
  socket.write(
    `POST /api/v1/records/import HTTP/1.1\r\nHost: x\r\nX-Service-ApiKey: ${ADMIN_KEY}\r\nContent-Type: ${NDJSON}\r\n` +
      'Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n',
  )
  const write = (text: string) => socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
  return { socket, write, end: () => socket.write('0\r\n\r\n') }
}

describe('A large import', () => {
  it('of 20,000 lines needs no more memory than a small one', { timeout: 600_000 }, async (t) => {
    const server = await startServerProcess(makeTempDirectory())
    t.after(() => killServerProcess(server))
    const schema = { id: 'sch-shirt', name: 'S', attributes: [{ alias: 'toString', dataType: 'text' }] }
    await make(server.client, '/api/v1/schemas', schema)
    // Held whole, either large file would show: they are 90 MB larger than the small ones.
    const filling = 'y'.repeat(6000)
    const importBoth = async (name: string, count: number): Promise<void> => {
      const answer = await sendImport(
        server.client,
        streamOf(function* () {
          for (let index = 0; index < count; index += 1)
            yield index % 10 === 0 ? line(`${name}-${index}`) : `{"id":"bad-${index}","filling":"${filling}"}\n`
        }),
      )
      assert.deepEqual(counts(answer.body), [count / 10, 0, 0, (count / 10) * 9])
      const csv = await sendImport(
        server.client,
        streamOf(function* () {
          yield 'id,schemaId,toString\n'
          for (let index = 0; index < count; index += 1) yield `${name}-${index},sch-none,"${filling}\n"\n`
        }),
        { type: CSV },
      )
      assert.deepEqual(counts(csv.body), [0, 0, 0, count])
    }
    // By then a server has all the room that it works in.
    await importBoth('small', 5000)
    const start = peakMemory(server)
    await importBoth('big', 20_000)
    const end = peakMemory(server)
    if (start === undefined || end === undefined) return t.skip('this system does not tell what a process needed')
    t.diagnostic(`memory rose by ${Math.round((end - start) / 1e6)} MB to ${Math.round(end / 1e6)} MB`)
    assert.ok(end - start < 80e6, `memory rose by ${(end - start) / 1e6} MB`)
  })

  it('lets reads and other writers get in between', { timeout: 600_000 }, async () => {
    let isOver = false
    const body = Array.from({ length: 4000 }, (_, index) => line(`between-${index}`)).join('')
    const running = importFile(shop.admin, body).finally(() => (isOver = true))
    let writes = 0
    while (!isOver) {
      const id = `other-${writes}`
      const made = await send(shop.admin, 'POST', '/api/v1/records', { id, schemaId: 'sch-plain', values: {} })
      assert.equal(made.status, 201)
      assert.equal((await send(shop.admin, 'GET', `/api/v1/records/${id}`)).status, 200)
      writes += 1
    }
    assert.equal((await running).created, 4000)
    assert.ok(writes >= 10, `${writes} other writes`)
  })

  it('takes a line in as many parts as it comes', async () => {
    const { socket, write, end } = openSocket()
    const text = Buffer.from(line('parts-1', { name: [{ scope: { language: 'de' }, value: 'Größe 😀' }] }))
    for (let at = 0; at < text.length; at += 7) {
      socket.write('7\r\n'.replace('7', Math.min(7, text.length - at).toString(16)))
      socket.write(text.subarray(at, at + 7))
      socket.write('\r\n')
    }
    write(line('parts-2').trimEnd())
    end()
    const answer = parseAnswer(await collect(socket))
    assert.equal(answer.status, 200)
    assert.match(answer.body, /"created":2/)
    assert.equal((await readRecord(shop.admin, 'parts-1')).values['name']![0]!.value, 'Größe 😀')
  })
})

describe('A sender of an import', () => {
  it('of which no body is announced has no lines', async () => {
    const head = `POST /api/v1/records/import HTTP/1.1\nHost: x\nX-Service-ApiKey: ${ADMIN_KEY}\nContent-Type: ${NDJSON}`
    const answer = await request(Number(new URL(shop.url).port), head)
    assert.equal(answer.status, 200, answer.body)
    assert.partialDeepStrictEqual(JSON.parse(answer.body), { created: 0, updated: 0 })
  })

  it('that stalls is told so, and what it sent before is kept', async () => {
    const { socket, write } = openSocket()
    write(line('stall-1'))
    write('{"id":"sta')
    const answer = parseAnswer(await collect(socket))
    assert.equal(answer.status, 400)
    assertErrorBody(JSON.parse(/\{.*\}/.exec(answer.body)![0]), 'VALIDATION_ERROR', 'stalled')
    assert.equal((await readRecord(shop.admin, 'stall-1')).id, 'stall-1')
  })

  it('may take longer than a JSON body may, as long as it does not stall', async () => {
    const { socket, write, end } = openSocket()
    for (let part = 0; part < 5; part += 1) {
      write(line(`slow-${part}`))
      await sleep(BODY_TIMEOUT / 4)
    }
    end()
    const answer = parseAnswer(await collect(socket))
    assert.equal(answer.status, 200)
    assert.match(answer.body, /"created":5/)
  })

  it('that hangs up leaves whole records, and can send the file again', async () => {
    const before = await total()
    const file = Array.from({ length: 300 }, (_, index) => line(`hang-${index}`))
    const { socket, write } = openSocket()
    write(file.slice(0, 200).join('') + file[200]!.slice(0, 50))
    while ((await total()) < before + 100) await sleep(10)
    socket.destroy()
    // Until what was under way is written.
    let kept = -1
    for (let now = 0; now !== kept; now = (await total()) - before) {
      kept = now
      await sleep(1000)
    }
    assert.ok(kept >= 100 && kept <= 200, `${kept} records are kept`)
    for (const id of ['hang-0', `hang-${kept - 1}`]) {
      const { values } = await readRecord(shop.admin, id)
      assert.deepEqual(values, { toString: everywhere('x'.repeat(200)) })
      assert.equal((await readAudit(shop.admin, id)).length, 1)
    }
    const again = await importFile(shop.admin, file.join(''), 'mode=upsert')
    assert.deepEqual(counts(again), [300 - kept, 0, kept, 0])
  })

  it('gets the answer to a bad request though it is still sending', async () => {
    const answer = await sendImport(
      shop.admin,
      streamOf(function* () {
        for (let index = 0; index < 300; index += 1) yield line(`never-${index}`)
      }),
      { query: 'mode=nonsense' },
    )
    assert.equal(answer.status, 400)
  })
})

describe('A server that is killed', () => {
  it('during an import has whole records only, and takes the file again', { timeout: 600_000 }, async (t) => {
    const dataDir = makeTempDirectory()
    let server = await startServerProcess(dataDir)
    t.after(() => killServerProcess(server))
    const attributes = [{ alias: 'toString', dataType: 'text' }]
    await make(server.client, '/api/v1/schemas', { id: 'sch-shirt', name: 'S', attributes })
    const file = Array.from({ length: 5000 }, (_, index) => line(`kill-${index}`)).join('')
    const running = sendImport(server.client, file).catch(() => undefined)
    const countRecords = async () =>
      (await send<{ total: number }>(server.client, 'GET', '/api/v1/records?limit=1')).body.total
    while ((await countRecords()) < 500) await sleep(5)
    await killServerProcess(server)
    assert.equal(await running, undefined)
    server = await startServerProcess(dataDir)
    const kept = await countRecords()
    assert.ok(kept >= 500 && kept < 5000, `${kept} records are kept`)
    for (const id of ['kill-0', `kill-${kept - 1}`]) {
      assert.deepEqual((await readRecord(server.client, id)).values, { toString: everywhere('x'.repeat(200)) })
      assert.equal((await readAudit(server.client, id)).length, 1)
    }
    const again = await importFile(server.client, file, 'mode=upsert')
    assert.deepEqual(counts(again), [5000 - kept, 0, kept, 0])
  })
})

describe('A server that stops', () => {
  it('ends an import with whole records', async (t) => {
    const server = await startWorkspace({ maxRecords: 0, testing: { stopGrace: 300 } })
    t.after(() => server.stop())
    const totalOf = async ({ admin }: Pick<Workspace, 'admin'>) =>
      (await send<{ total: number }>(admin, 'GET', '/api/v1/records?limit=1')).body.total
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(
      `POST /api/v1/records/import HTTP/1.1\r\nHost: x\r\nX-Service-ApiKey: ${ADMIN_KEY}\r\nContent-Type: ${NDJSON}\r\n` +
        'Content-Length: 10000000\r\n\r\n',
    )
    socket.write(Array.from({ length: 100 }, (_, index) => line(`stop-${index}`)).join(''))
    await eventually(async () => (await totalOf(server)) === 100)
    const anew = await server.restart()
    t.after(() => anew.stop())
    assert.equal(await totalOf(anew), 100)
  })
})
