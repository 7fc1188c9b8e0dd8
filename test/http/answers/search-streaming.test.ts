// A search in nobody's way: results stream, a search that nobody waits for ends, one that takes too long is told so.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { assertRefused, send } from '../../helpers/answers.ts'
import { keyClient } from '../../helpers/client.ts'
import { startServer, type TestServer } from '../../helpers/server.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { openTestedStore, withoutSqlite } from '../../helpers/tested-database.ts'
import { insertRecord, recordOf } from '../../store/contract/fixtures.ts'

const RECORDS = 4000
/** With PostgreSQL, each search holds a connection, of which one caller gets four. */
const SEARCHES = withoutSqlite === false ? 20 : 3
const everything = { criteria: [], criteriaOperator: 'and' }
const nothing = { criteria: [{ attributeAlias: 'text', operator: 'contains', value: 'qq' }], criteriaOperator: 'and' }

let filled: Promise<string> | undefined

/** A data directory with many records of 2 KB, for one server at a time. */
function directory(): Promise<string> {
  return (filled ??= fillDirectory())
}

async function fillDirectory(): Promise<string> {
  const dataDir = makeTempDirectory()
  await (await startServer({ dataDir })).stop()
  const store = await openTestedStore(dataDir)
  const attribute = { alias: 'text', dataType: 'text' as const, name: 'Text', description: '', dimensionIds: [] }
  const more = {
    unique: false,
    requiredInStateIds: [],
    guard: null,
    validation: {},
    options: [],
    units: [],
    currencies: [],
  }
  await store.transaction(async (tx) => {
    const definition = {
      id: 'sch-a',
      name: 'A',
      workflowId: 'wf-default',
      combinations: null,
      createdAt: '',
      updatedAt: '',
    }
    await tx.schemas.insert({ ...definition, attributes: [{ ...attribute, ...more }] })
  })
  for (let begin = 0; begin < RECORDS; begin += 500)
    await store.transaction(async (tx) => {
      for (let n = begin; n < begin + 500; n += 1) {
        const valuesJson = JSON.stringify({ text: [{ scope: {}, value: `${n} ${'abc '.repeat(500)}` }] })
        await insertRecord(tx, recordOf(`ent-${n}`, { valuesJson }))
      }
    })
  await store.close()
  return dataDir
}

it('all records come in one streamed array, in order, while other requests are answered', async () => {
  const server = await startServer({ dataDir: await directory() })
  try {
    const response = await fetch(`${server.url}/api/v1/search`, {
      method: 'POST',
      headers: { ...server.admin.headers, 'content-type': 'application/json' },
      body: JSON.stringify(everything),
    })
    assert.equal(response.headers.get('content-length'), null)
    const reader = response.body!.getReader()
    const chunks = [(await reader.read()).value!]
    assert.equal((await send(server.admin, 'GET', '/api/v1/records/ent-1')).status, 200)
    for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value)
    const found = JSON.parse(Buffer.concat(chunks).toString()) as { id: string }[]
    assert.deepEqual(
      found.map((record) => record.id),
      Array.from({ length: RECORDS }, (_, n) => `ent-${n}`),
    )
  } finally {
    await server.stop()
  }
})

it('clients that read nothing, or go away, keep no search from ending and no server from stopping', async () => {
  const server = await startServer({ dataDir: await directory() })
  const clients = Array.from({ length: SEARCHES }, () => new AbortController())
  try {
    await Promise.all(
      clients.map(async ({ signal }) => {
        const response = await fetch(`${server.url}/api/v1/search`, {
          method: 'POST',
          headers: { ...server.admin.headers, 'content-type': 'application/json' },
          body: JSON.stringify(everything),
          signal,
        })
        assert.equal(response.status, 200)
      }),
    )
    const quick = await send<object[]>(server.admin, 'POST', '/api/v1/search', { ...everything, limit: 3 })
    assert.equal(quick.body.length, 3)
    for (const client of clients) client.abort()
    const slow = await send<object[]>(server.admin, 'POST', '/api/v1/search', nothing)
    assert.deepEqual(slow.body, [])
    assert.equal((await send(server.admin, 'HEAD', '/api/v1/search/text?query=abc')).status, 200)
    const metrics = await (await fetch(`${server.url}/metrics`, { headers: server.admin.headers })).text()
    const tasks = /^pimlet_reader_tasks .*$/m.exec(metrics)?.[0]
    assert.equal(tasks, 'pimlet_reader_tasks 0', 'no search is left behind, of HEAD neither')
  } finally {
    await server.stop()
  }
})

it('searches whose results one caller does not take leave three quarters of all to others', async () => {
  const server = await startServer({ dataDir: await directory(), allowFaults: true })
  const sockets: Socket[] = []
  try {
    const made = await send<{ key: string }>(server.admin, 'POST', '/api/v1/api-keys', {
      name: 'lazy',
      roleId: 'role-viewer',
    })
    // Of what runs each server knows its own.
    const lazy = { ...keyClient(server.url, made.body.key), url: server.url }
    const body = JSON.stringify(everything)
    for (let n = 0; n < 60; n += 1) {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      sockets.push(socket)
      socket.on('error', () => undefined)
      const head = `POST /api/v1/search HTTP/1.1\r\nHost: x\r\nX-Service-ApiKey: ${made.body.key}\r\n`
      socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    }
    for (let tries = 0; tries < 500 && (await readerTasks(server)) < 50; tries += 1) await pause(20)
    assertRefused(await send(lazy, 'POST', '/api/v1/search', everything), 'UNAVAILABLE', 'one caller may run 50')
    assert.deepEqual((await send(server.admin, 'POST', '/api/v1/search', nothing)).body, [])
    assert.equal(await readerTasks(server), 50)
    assert.equal((await send(lazy, 'GET', '/api/v1/records/ent-1')).status, 200)
  } finally {
    for (const socket of sockets) socket.destroy()
    await server.stop()
  }
})

it('a search that takes longer than it may is UNAVAILABLE, and says what to narrow', async () => {
  const dataDir = await directory()
  const server = await startServer({ dataDir, queryTimeout: 0.000_001, allowFaults: true })
  try {
    assertRefused(await send(server.admin, 'POST', '/api/v1/search', nothing), 'UNAVAILABLE', 'Narrow', 'schema')
    assert.equal((await send(server.admin, 'GET', '/api/v1/records/ent-1')).status, 200)
  } finally {
    await server.stop()
  }
})

it('a list that skips thousands of records gives the same pages as one that skips none', async () => {
  const server = await startServer({ dataDir: await directory() })
  try {
    const page = await send<{ items: { id: string }[]; total: number }>(
      server.admin,
      'GET',
      '/api/v1/records?offset=3990&limit=50',
    )
    assert.deepEqual(
      page.body.items.map((record) => record.id),
      Array.from({ length: 10 }, (_, n) => `ent-${3990 + n}`),
    )
    assert.equal(page.body.total, RECORDS)
  } finally {
    await server.stop()
  }
})

async function readerTasks(server: TestServer): Promise<number> {
  const metrics = await (await fetch(`${server.url}/metrics`, { headers: server.admin.headers })).text()
  return Number(/^pimlet_reader_tasks (\d+)$/m.exec(metrics)?.[1])
}
