// A disk without room: what changes something is UNAVAILABLE and changes nothing, what reads goes on, and with room again
// all goes on without a restart. Contract 2 §1 (503), 2 §8.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { assertRefused, send } from './helpers/answers.ts'
import type { Client } from './helpers/client.ts'
import { assertEnds, runCommand } from './helpers/command.ts'
import { jobFor, listRuns, makeJob, trigger, whenEnded } from './helpers/export-jobs.ts'
import { counts, importFile, lines, sendImport } from './helpers/importing.ts'
import { untilIndexed } from './helpers/indexed.ts'
import { eventually, installPuppet, type Puppet } from './helpers/puppet.ts'
import { ADMIN_PASSWORD, startServer, type TestServer } from './helpers/server.ts'
import { startServerProcess } from './helpers/server-process.ts'
import { everywhere, make, readRecord } from './helpers/shirts.ts'
import { mountSmallDisk, NOT_PERMITTED, type SmallDisk } from './helpers/small-disk.ts'
import { makeTempDirectory } from './helpers/temp-directory.ts'

const API = '/api/v1'
const SCHEMA = { id: 'sch-w', name: 'Words', attributes: [{ alias: 'word', dataType: 'text' }] }

/** A record with a text of `size` characters. */
const bodyOf = (id: string, size = 200) => ({
  id,
  schemaId: SCHEMA.id,
  values: { word: everywhere(`${id} `.padEnd(size, `word of ${id} `)) },
})
const bodiesOf = (prefix: string, count: number, size?: number) =>
  Array.from({ length: count }, (_, n) => bodyOf(`${prefix}-${n}`, size))

async function countOf(client: Client): Promise<number> {
  return (await send<{ total: number }>(client, 'GET', `${API}/records?limit=1`)).body.total
}

/** IDs of the records that a search finds. */
async function find(client: Client, text: string): Promise<string[]> {
  const answer = await send<{ id: string }[]>(client, 'GET', `${API}/search/text?query=${encodeURIComponent(text)}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.map(({ id }) => id)
}

/**
 * Creates records until the disk takes none any more, and then something smaller.
 * @returns those that were acknowledged, in order, and one that was refused
 */
async function writeUntilFull(client: Client, prefix: string): Promise<{ kept: string[]; refused: string }> {
  const kept: string[] = []
  let refused = ''
  // Room that the wals give back makes a few more possible.
  for (let refusals = 0, n = 0; refusals < 5; n += 1) {
    const id = `${prefix}-${n}`
    const answer = await send(client, 'POST', `${API}/records`, bodyOf(id, 3000))
    refusals = answer.status === 201 ? 0 : refusals + 1
    if (answer.status === 201) {
      kept.push(id)
    } else {
      assertRefused(answer, 'UNAVAILABLE')
      refused = id
    }
  }
  const small = { name: 'S', criteria: [], criteriaOperator: 'and' }
  while ((await send(client, 'POST', `${API}/saved-queries`, small)).status === 201);
  return { kept, refused }
}

/** What clients can see of all that is stored. */
async function lookAround(client: Client): Promise<unknown> {
  const all = ['changes?limit=1000', 'records?limit=1000', 'schemas', 'roles', 'users', 'api-keys', 'export-jobs']
  const seen = await Promise.all(all.map((name) => send<object>(client, 'GET', `${API}/${name}`)))
  assert.deepEqual([...new Set(seen.map(({ status }) => status))], [200])
  return seen.map(({ text }) => text.replaceAll(/"lastUsedAt":[^,}]*/g, ''))
}

interface Shop extends TestServer {
  readonly disk: SmallDisk
  readonly puppet: Puppet
}

/** A server with some indexed records on a disk of its own; undefined where there can be none. */
async function serveOnSmallDisk(t: TestContext): Promise<Shop | undefined> {
  const disk = mountSmallDisk('size=10m')
  if (disk === undefined) {
    t.skip(NOT_PERMITTED)
    return undefined
  }
  t.after(() => disk.unmount())
  const pluginsDir = makeTempDirectory()
  const puppet = installPuppet(pluginsDir)
  const dataDir = path.join(disk.directory, 'data')
  const server = await startServer({ dataDir, pluginsDir, maxRecords: 0, allowFaults: true })
  t.after(() => server.stop())
  await make(server.admin, `${API}/schemas`, SCHEMA)
  assert.equal((await importFile(server.admin, lines(...bodiesOf('apple', 100)))).created, 100)
  await untilIndexed(server.admin)
  return { ...server, disk, puppet }
}

describe('A full disk', { timeout: 600_000 }, () => {
  it('refuses every change with 503, and nothing of it is there', async (t) => {
    const shop = await serveOnSmallDisk(t)
    if (shop === undefined) return
    const { admin, disk, puppet } = shop
    disk.fill()
    const { refused } = await writeUntilFull(admin, 'never')
    const before = await lookAround(admin)
    const changes: [string, string, object?][] = [
      ['PUT', 'records/apple-1', { values: { word: everywhere('unheard of') } }],
      ['PATCH', 'records/apple-1/values/word', { scopedValues: everywhere('unheard of') }],
      ['DELETE', 'records/apple-1'],
      ['POST', 'records/apple-1/transition', { transitionId: 'tr-submit' }],
      ['POST', 'schemas', { id: 'sch-never', name: 'Never', attributes: [] }],
      ['PUT', 'schemas/sch-w', { ...SCHEMA, attributes: [...SCHEMA.attributes, { alias: 'more', dataType: 'text' }] }],
      ['POST', 'roles', { id: 'role-never', name: 'N', permissions: [] }],
      ['POST', 'users', { username: 'never', roleId: 'role-viewer', password: 'long enough' }],
      ['POST', 'api-keys', { name: 'never', roleId: 'role-viewer' }],
      ['POST', 'export-jobs', jobFor(puppet, 'deliver')],
    ]
    for (const [method, name, body] of changes)
      assertRefused(await send(admin, method, `${API}/${name}`, body), 'UNAVAILABLE')
    assertRefused(await sendImport(admin, lines(...bodiesOf('never', 50))), 'UNAVAILABLE')
    assert.deepEqual(await lookAround(admin), before)
    assertRefused(await send(admin, 'GET', `${API}/records/${refused}`), 'NOT_FOUND')
    assert.deepEqual(await find(admin, `word of ${refused}`), [])
    assert.deepEqual(await find(admin, 'unheard of'), [])
  })

  it('lets everybody read, search and log in', async (t) => {
    const shop = await serveOnSmallDisk(t)
    if (shop === undefined) return
    const { admin, anonymous, disk } = shop
    disk.fill()
    await writeUntilFull(admin, 'reading')
    const reads = ['records/apple-7', 'records/apple-7/audit', 'records/apple-7/completeness', 'schemas', 'me']
    for (const name of reads) assert.equal((await send(admin, 'GET', `${API}/${name}`)).status, 200, name)
    assert.deepEqual((await send<{ status: string }>(anonymous, 'GET', '/healthz')).body.status, 'ok')
    assert.equal((await find(admin, 'apple-7 word')).length, 1)
    const criteria = [{ attributeAlias: 'word', operator: 'contains', value: 'APPLE-9' }]
    const found = await send<object[]>(admin, 'POST', `${API}/search`, { criteria, criteriaOperator: 'and' })
    assert.equal(found.body.length, 11)
    const login = { username: 'admin', password: ADMIN_PASSWORD }
    assert.equal((await send(anonymous, 'POST', `${API}/auth/login`, login)).status, 200)
    const wrong = { ...login, password: 'not this one' }
    assertRefused(await send(anonymous, 'POST', `${API}/auth/login`, wrong), 'UNAUTHORIZED')
  })

  it('takes what it has acknowledged into searches at once, and into the index when there is room', async (t) => {
    const shop = await serveOnSmallDisk(t)
    if (shop === undefined) return
    const { admin, dataDir, logged, disk } = shop
    const index = statSync(path.join(dataDir, 'search-index.db')).ino
    const faults = (text: string) => logged.filter(({ msg }) => msg?.includes(text) === true).length
    const stalls = faults('cannot be written')
    disk.fill(1_000_000)
    const { kept, refused } = await writeUntilFull(admin, 'pear')
    assert.ok(kept.length > 5, `${kept.length} were acknowledged`)
    const total = await countOf(admin)
    assert.deepEqual(await find(admin, 'word of pear'), kept)
    // Long enough for some tries.
    await new Promise((resolve) => setTimeout(resolve, 1200))
    assert.deepEqual(await find(admin, 'word of pear'), kept)
    assert.ok(faults('cannot be written') - stalls <= 1, 'it is told once, not at each try')

    disk.free()
    const answer = await send(admin, 'POST', `${API}/records`, bodyOf(refused, 3000))
    assert.equal(answer.status, 201, answer.text)
    assert.equal((await send(admin, 'DELETE', `${API}/records/${kept[0]!}`)).status, 204)
    await untilIndexed(admin)
    assert.deepEqual(await find(admin, 'word of pear'), [...kept.slice(1), refused])
    assert.equal(await countOf(admin), total)
    assert.equal((await readRecord(admin, kept[1]!)).id, kept[1])
    assert.equal(statSync(path.join(dataDir, 'search-index.db')).ino, index, 'it was not rebuilt')
    assert.equal(faults('will be started again'), 0)
  })

  it('takes changes again as soon as the wals have given back what they hold twice', async (t) => {
    const shop = await serveOnSmallDisk(t)
    if (shop === undefined) return
    // Changes of it leave no entry in a feed: nothing grows but the wal.
    const queryOf = (n: number) => ({ name: `Query ${1000 + n}`, criteria: [], criteriaOperator: 'and' })
    const { id } = await make<{ id: string }>(shop.admin, `${API}/saved-queries`, queryOf(0))
    // After a stop every page has its place in the database.
    const again = await shop.restart()
    t.after(() => again.stop())
    const { admin } = again
    await untilIndexed(admin)
    shop.disk.fill(300_000)
    const change = async (n: number): Promise<boolean> => {
      const answer = await send(admin, 'PUT', `${API}/saved-queries/${id}`, queryOf(n))
      if (answer.status !== 200) assertRefused(answer, 'UNAVAILABLE')
      return answer.status === 200
    }
    let n = 0
    while (await change(n)) n += 1
    await eventually(() => change(n))
  })

  it('at the start leaves an index that cannot be opened as it is: searches get 503 until there is room', async (t) => {
    const shop = await serveOnSmallDisk(t)
    if (shop === undefined) return
    await shop.stop()
    const index = statSync(path.join(shop.dataDir, 'search-index.db')).ino
    // For the log of the records, not for that of the index as well.
    shop.disk.fill(60_000)
    const again = await startServer({ dataDir: shop.dataDir, maxRecords: 0, allowFaults: true })
    t.after(() => again.stop())
    const search = () => send(again.admin, 'GET', `${API}/search/text?query=apple-7`)
    assertRefused(await search(), 'UNAVAILABLE', 'search index')
    assert.equal((await readRecord(again.admin, 'apple-7')).id, 'apple-7')
    shop.disk.free()
    await eventually(async () => (await search()).status === 200)
    assert.equal((await find(again.admin, 'apple-7 word')).length, 1)
    assert.equal(statSync(path.join(shop.dataDir, 'search-index.db')).ino, index)
  })

  it('ends an import, of which whole lines are there; with room it can be run again', async (t) => {
    const shop = await serveOnSmallDisk(t)
    if (shop === undefined) return
    const { admin, disk } = shop
    // Long enough for a client to be sending still when it is answered.
    const file = lines(...bodiesOf('plum', 300, 400)) + '\n'.repeat(3_000_000)
    disk.fill(250_000)
    assertRefused(await sendImport(admin, file), 'UNAVAILABLE')
    const kept = await find(admin, 'word of plum')
    assert.ok(kept.length > 0 && kept.length < 300, `${kept.length} lines`)
    for (const id of kept) assert.deepEqual((await readRecord(admin, id)).values, bodyOf(id, 400).values)
    disk.free()
    const again = counts(await importFile(admin, file, 'mode=upsert'))
    assert.deepEqual(again, [300 - kept.length, 0, kept.length, 0])
    await untilIndexed(admin)
    assert.equal((await find(admin, 'word of plum')).length, 300)
  })

  it('ends an export that finds no room with an error that says so, and without its file', async (t) => {
    const shop = await serveOnSmallDisk(t)
    if (shop === undefined) return
    const { dataDir, disk, puppet } = shop
    await importFile(shop.admin, lines(...bodiesOf('large', 100, 4000)))
    await untilIndexed(shop.admin)
    // After a stop every page has its place in the database: what makes room by moving a log there takes none for ever.
    const again = await shop.restart()
    t.after(() => again.stop())
    const { admin } = again
    await untilIndexed(admin)
    const job = await makeJob(admin, jobFor(puppet, 'deliver', { format: 'jsonl' }))
    // Not enough for the file, and enough for the log.
    disk.fill(250_000)
    const run = await whenEnded(admin, await trigger(admin, job.id))
    assert.equal(run.status, 'failed')
    assert.match(run.error!, /storage is full/)
    assert.deepEqual(readdirSync(path.join(dataDir, 'spool')), [])
    assert.deepEqual(puppet.files(), [])

    const ended = [run]
    for (let tries = 1; ; tries += 1) {
      disk.fill()
      await writeUntilFull(admin, `exporting-${tries}`)
      const answer = await send<typeof run>(admin, 'POST', `${API}/export-jobs/${job.id}/trigger`)
      if (answer.status !== 202 || tries === 10) {
        assertRefused(answer, 'UNAVAILABLE')
        break
      }
      // The index made room in between, by moving its log.
      disk.free()
      ended.unshift(await whenEnded(admin, answer.body))
    }
    assert.deepEqual(await listRuns(admin, job.id), ended)
    disk.free()
    const later = await whenEnded(admin, await trigger(admin, job.id))
    assert.deepEqual([later.status, later.recordCount], ['success', await countOf(admin)])
  })
})

describe('A server process on a full disk', { timeout: 600_000 }, () => {
  /** Name and content of each file that a server has written for good. */
  const filesOf = (dataDir: string) =>
    ['pimlet.db', 'pimlet.db-wal', 'search-index.db', 'signing.key', 'encryption.key'].map((name) => {
      const file = path.join(dataDir, name)
      return [
        name,
        (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0
          ? createHash('sha256').update(readFileSync(file)).digest('hex')
          : '',
      ]
    })

  it('stops in order, or is killed, does not start without room, and has lost nothing then', async (t) => {
    const disk = mountSmallDisk('size=10m')
    if (disk === undefined) return t.skip(NOT_PERMITTED)
    t.after(() => disk.unmount())
    const dataDir = path.join(disk.directory, 'data')
    const first = await startServerProcess(dataDir)
    t.after(() => first.kill())
    await make(first.admin, `${API}/schemas`, SCHEMA)
    disk.fill(600_000)
    const stopped = await writeUntilFull(first.admin, 'apple')
    assert.equal(await first.kill('SIGTERM'), 0, first.errors())
    assert.doesNotMatch(first.errors(), /Unexpected|uncaught/)

    const before = filesOf(dataDir)
    disk.fill()
    assertEnds(await runCommand(['--data-dir', dataDir, '--port', '0']), 1, dataDir, 'the disk is full')
    assert.deepEqual(filesOf(dataDir), before)

    disk.free()
    const second = await startServerProcess(dataDir)
    t.after(() => second.kill())
    assert.deepEqual(await find(second.admin, 'word of apple'), stopped.kept)
    disk.fill(600_000)
    const killed = await writeUntilFull(second.admin, 'pear')
    await second.kill('SIGKILL')
    disk.free()
    const third = await startServerProcess(dataDir)
    t.after(() => third.kill())
    assert.deepEqual(await find(third.admin, 'word of apple'), stopped.kept)
    assert.deepEqual(await find(third.admin, 'word of pear'), killed.kept)
    assert.equal(await countOf(third.admin), stopped.kept.length + killed.kept.length)
    await third.kill('SIGTERM')
    const files = filesOf(dataDir)
    disk.fill(8192)
    assertEnds(await runCommand(['--data-dir', dataDir, '--port', '0']), 1, dataDir, 'the disk is full')
    assert.deepEqual(filesOf(dataDir), files)
    disk.free()
    const { stdout } = await runCommand(['doctor', '--data-dir', dataDir])
    assert.doesNotMatch(stdout, /^problem/m)
  })
})
