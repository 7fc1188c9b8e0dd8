// A PostgreSQL that is killed, and one whose disk is full, under servers that write: what was answered holds, and all goes on without
// anybody having to start a server anew. TEST_KILL_ROUNDS says how often.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { assertRefused, send } from '../helpers/answers.ts'
import type { Client } from '../helpers/client.ts'
import { startPgbouncer, withoutPgbouncer } from '../helpers/pgbouncer.ts'
import { type OwnPostgres, startOwnPostgres } from '../helpers/own-postgres.ts'
import { eventually } from '../helpers/puppet.ts'
import type { ServerProcess } from '../helpers/server-process.ts'
import {
  assertKept,
  type Ledger,
  makeModel,
  makeShared,
  SCHEMA,
  severalOn,
  Writers,
} from '../helpers/several-servers.ts'
import { everywhere } from '../helpers/shirts.ts'
import { mountSmallDisk, NOT_PERMITTED } from '../helpers/small-disk.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

const ROUNDS = Number(process.env['TEST_KILL_ROUNDS'] ?? 2)
const MOST_MILLISECONDS = 30_000

describe('Two servers whose database', { timeout: 600_000 + ROUNDS * 60_000, skip: withoutPostgres() }, () => {
  async function startTwo({ url }: { readonly url: string }, t: TestContext): Promise<[ServerProcess, ServerProcess]> {
    const several = severalOn(url, { after: (work) => t.after(work) })
    const one = await several.start('one')
    const other = await several.start('other')
    await makeModel(one.admin)
    await makeShared(one.admin)
    return [one, other]
  }

  it('is killed lose nothing that they have acknowledged, and write again when it is there again', async (t) => {
    const database = await startOwnPostgres({ after: (work) => t.after(work) })
    const servers = await startTwo(database, t)
    const ledger: Ledger = new Map()
    let longest = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const busy = servers.map((server, n) => new Writers(server, `w-${round}-${n}`))
      await Promise.all(busy.map((writers) => writers.more(5 + Math.floor(Math.random() * 40))))
      if (round % 2 === 0) {
        await database.kill()
        await database.start()
      } else await database.killWriter()
      const began = performance.now()
      await Promise.all(busy.map((writers) => writers.more(20)))
      for (const { moments } of busy) longest = Math.max(longest, moments.find((moment) => moment > began)! - began)
      await Promise.all(busy.map((writers) => writers.stop()))
      for (const writers of busy) for (const [id, became] of writers.ledger) ledger.set(id, became)
      await assertKept(database.url, ledger, { isKnown: false })
    }
    t.diagnostic(`${ROUNDS} deaths, written again after ${Math.round(longest)} ms at most`)
    assert.ok(longest < MOST_MILLISECONDS)
    assert.ok(servers.every((server) => server.isRunning()))
  })

  it('says nothing any more let nobody wait who comes when that is known, and write again when it goes on', async (t) => {
    const lifetime = { after: (work: () => unknown) => t.after(work) }
    const ways = [
      async ({ url }: OwnPostgres) => url,
      async ({ url }: OwnPostgres) => (await startPgbouncer(url, lifetime)).url,
    ]
    const surviving = ways.slice(0, withoutPgbouncer === false ? 2 : 1).map(async (wayTo) => {
      const database = await startOwnPostgres(lifetime)
      await surviveSilence(database, await startTwo({ url: await wayTo(database) }, t), t)
    })
    await Promise.all(surviving)
  })

  async function surviveSilence(database: OwnPostgres, servers: ServerProcess[], t: TestContext): Promise<void> {
    const requests: [string, string, object?][] = [
      ['GET', '/api/v1/me'],
      ['POST', '/api/v1/records', { id: 'refused', schemaId: SCHEMA, values: {} }],
      ['POST', '/api/v1/search', { criteria: [], criteriaOperator: 'and' }],
    ]
    database.halt()
    // Those who come first find it out.
    await Promise.all(
      servers.map(async ({ admin }) => assertRefused(await send(admin, ...requests[1]!), 'UNAVAILABLE')),
    )
    const known = performance.now()
    for (let round = 0; round < 5; round += 1)
      for (const { admin } of servers) {
        for (const request of requests) assertRefused(await send(admin, ...request), 'UNAVAILABLE')
        assert.equal((await send(admin, 'GET', '/healthz')).status, 503)
      }
    assert.ok(performance.now() - known < MOST_MILLISECONDS, 'somebody has waited')
    database.goOn()
    const there = performance.now()
    for (const { admin } of servers) {
      const change = { values: { text: everywhere('again') } }
      await eventually(async () => (await send(admin, 'PUT', '/api/v1/records/shared-0', change)).status === 200)
      assert.equal((await send(admin, 'GET', '/healthz')).status, 200)
      assertRefused(await send(admin, 'GET', '/api/v1/records/refused'), 'NOT_FOUND')
    }
    const waited = performance.now() - there
    t.diagnostic(`written again after ${Math.round(waited)} ms`)
    assert.ok(waited < MOST_MILLISECONDS)
  }

  it('has a full disk refuse every change and keep nothing of it, read on, and write when there is room', async (t) => {
    const disk = mountSmallDisk('size=64m')
    if (disk === undefined) return t.skip(NOT_PERMITTED)
    t.after(() => disk.unmount())
    // The log of PostgreSQL has room: without it, all of PostgreSQL ends, which is the case above.
    const database = await startOwnPostgres({ after: (work) => t.after(work) }, { small: disk.directory })
    const [one, other] = await startTwo(database, t)
    disk.fill()
    const before = await lookAround(one.admin)
    const refused = await writeUntilFull([one.admin, other.admin])
    const changes: [string, string, object?][] = [
      ['POST', 'records/batch', { operations: [largeRecord('batch-1'), largeRecord('batch-2')].map(asOperation) }],
      ['POST', 'schemas', { id: 'sch-never', name: 'N'.repeat(100), attributes: manyAttributes() }],
    ]
    for (const [method, name, body] of changes)
      assertRefused(await send(one.admin, method, `/api/v1/${name}`, body), 'UNAVAILABLE')
    const total = before + refused.kept
    for (const { admin } of [one, other]) {
      assert.equal(await lookAround(admin), total)
      for (const id of refused.ids) assertRefused(await send(admin, 'GET', `/api/v1/records/${id}`), 'NOT_FOUND')
    }
    disk.free()
    for (const [{ admin }, id] of [
      [one, refused.ids[0]!],
      [other, refused.ids[1]!],
    ] as const)
      await eventually(async () => (await send(admin, 'POST', '/api/v1/records', largeRecord(id))).status === 201)
    assert.equal(await lookAround(one.admin), total + 2)
  })
})

const largeRecord = (id: string) => ({ id, schemaId: SCHEMA, values: { text: everywhere(randomText(id)) } })
const asOperation = (record: object) => ({ op: 'create', ...record })
const manyAttributes = () =>
  Array.from({ length: 300 }, (_, n) => ({
    alias: `attribute${n}`,
    dataType: 'text',
    name: randomText(`${n}`).slice(0, 90),
  }))

/** Of some thousand characters that no compression makes shorter. */
function randomText(seed: string): string {
  return `${seed} ${Array.from({ length: 400 }, () => Math.random().toString(36).slice(2)).join(' ')}`
}

/** How many records there are; reading takes no room. */
async function lookAround(client: Client): Promise<number> {
  for (const name of ['schemas', 'users', 'changes?limit=10', 'me'])
    assert.equal((await send(client, 'GET', `/api/v1/${name}`)).status, 200, name)
  return (await send<{ total: number }>(client, 'GET', '/api/v1/records?limit=1')).body.total
}

/** Creates records at all until they are refused time and again. @returns some that were refused, and how many were not */
async function writeUntilFull(clients: readonly Client[]): Promise<{ kept: number; ids: string[] }> {
  const ids: string[] = []
  let kept = 0
  for (let n = 0, refusals = 0; refusals < 8; n += 1) {
    const id = `full-${n}`
    const answer = await send(clients[n % clients.length]!, 'POST', '/api/v1/records', largeRecord(id))
    if (answer.status === 201) {
      kept += 1
      refusals = 0
      continue
    }
    assertRefused(answer, 'UNAVAILABLE')
    refusals += 1
    ids.push(id)
  }
  return { kept, ids }
}
