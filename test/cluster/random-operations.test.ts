// The same requests, one after another, to a server on SQLite, to one on PostgreSQL, and to two servers on one PostgreSQL in turn, with the
// same clock and the same IDs: the answers are the same, status, headers and body. `TEST_OPERATIONS=10000` asks more, `TEST_SEED` something else. What is not compared as it is:
// - cursors of lists and searches, which hold a storage's own row numbers: each server gets its own, and the pages they lead to are compared;
// - the order of members of JSON objects;
// - IDs that servers give, since a transaction that was run again takes new ones: by the order in which they are first told.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { KEY_FILES } from '../../src/kernel/machine/data-directory.ts'
import { canonicalJson } from '../../src/kernel/text.ts'
import { type System, system } from '../../src/kernel/machine/system.ts'
import { type Client, keyClient, serveInTurn } from '../helpers/client.ts'
import { makeDatabase, type TestDatabase } from '../helpers/postgres.ts'
import { eventually, installPuppet } from '../helpers/puppet.ts'
import { drawOperations } from '../helpers/random-operations.ts'
import { type Answered, type Operation, pathOf, remember, rememberNothing } from '../helpers/random-requests.ts'
import { defineExports, defineModel } from '../helpers/random-workspace.ts'
import { ADMIN_KEY, startServer, type TestServer } from '../helpers/server.ts'
import { assertSoundAt } from '../helpers/soundness.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

const OPERATIONS = Number(process.env['TEST_OPERATIONS'] ?? 300)
const SEED = Number(process.env['TEST_SEED'] ?? 1)
/** Differences that are told; what comes of one may be many more. */
const MOST = 8
const HEADERS = ['etag', 'x-total-count', 'content-type', 'location']
const GIVEN_ID = /\b[a-z]+-0{10}[0-9]{16}\b/g

/** What the servers of one workspace tell, and what their IDs are called. */
interface Side {
  readonly name: string
  readonly databaseUrl: string | undefined
  readonly servers: readonly TestServer[]
  /** Asks the servers in turn. */
  readonly admin: Client
  readonly answered: Answered
  readonly names: Map<string, string>
}

interface Told {
  readonly status: number
  readonly headers: object
  readonly body: string
}

const clock = { now: Date.parse('2026-01-01T00:00:00.000Z') }

function makeSystem(): System {
  let ids = 0
  return {
    ...system,
    now: () => new Date(clock.now),
    newId: (prefix) => `${prefix}-${String((ids += 1)).padStart(26, '0')}`,
  }
}

async function send(side: Side, operation: Operation): Promise<Told> {
  const { method, headers = {} } = operation
  const address = side.admin.url
  const url = pathOf(operation, side.answered)
  const body = operation.bodyOf === undefined ? operation.body : operation.bodyOf(side.answered)
  const content = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(address + url, {
    method,
    headers: {
      ...side.admin.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: content }),
    signal: AbortSignal.timeout(60_000),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  const json: unknown = isJson && text !== '' ? JSON.parse(text) : undefined
  const cursor = response.headers.get('x-next-cursor')
  if (cursor !== null) side.answered.next = { cursor, request: { ...operation, path: url, body } }
  remember(side.answered, url, response, json)
  if (operation.isJob === true && response.status === 202) {
    const { id } = json as { id: string }
    side.answered.jobs.push(id)
    await untilEnded(side, `bulk-jobs/${id}`)
  }
  if (operation.isRun === true && response.status === 202) {
    const { id, jobId } = json as { id: string; jobId: string }
    await untilEnded(side, `export-jobs/${jobId}/runs/${id}`)
  }
  const told = HEADERS.map((name) => [name, response.headers.get(name)] as const)
  return {
    status: response.status,
    headers: { ...Object.fromEntries(told), hasCursor: cursor !== null },
    body: named(side, json === undefined ? text : canonicalJson(json)),
  }
}

function untilEnded({ admin }: Side, path: string): Promise<unknown> {
  return eventually(async () => {
    const response = await fetch(`${admin.url}/api/v1/${path}`, { headers: admin.headers })
    return ((await response.json()) as { completedAt: string | null }).completedAt !== null
  })
}

function named({ names }: Side, text: string): string {
  return text.replaceAll(GIVEN_ID, (id) => {
    if (!names.has(id)) names.set(id, `${id.split('-')[0]}#${names.size}`)
    return names.get(id)!
  })
}

/** Where they part: bodies may be long. Undefined: nowhere. */
function findDifference(one: Told, other: Told, name: string): string | undefined {
  const [here, there] = [JSON.stringify(one), JSON.stringify(other)]
  if (here === there) return undefined
  let at = 0
  while (here[at] === there[at]) at += 1
  const near = (text: string): string => text.slice(Math.max(0, at - 150), at + 150)
  return `SQLite: ${near(here)}\n${name}: ${near(there)}`
}

function describeOperation(operation: Operation, side: Side): string {
  const body = operation.bodyOf?.(side.answered) ?? operation.body
  return JSON.stringify({ ...operation, path: pathOf(operation, side.answered), body }).slice(0, 2000)
}

/** Exports of all sides go to one place, which answers name. */
const pluginsDir = makeTempDirectory()
const { directory } = installPuppet(pluginsDir)

/** The servers of all sides, also of one that could not be filled. */
const running: TestServer[] = []

async function startSide(name: string, count: number, databaseUrl: string | undefined): Promise<Side> {
  const files = path.join(makeTempDirectory(), 'files')
  const testing = { system: makeSystem() }
  const servers: TestServer[] = []
  for (const _ of Array(count)) {
    const dataDir = makeTempDirectory()
    if (servers[0] !== undefined)
      for (const key of KEY_FILES) cpSync(path.join(servers[0].dataDir, key), path.join(dataDir, key))
    servers.push(await startServer({ databaseUrl, dataDir, files, pluginsDir, maxRecords: 0, testing }))
    running.push(servers.at(-1)!)
  }
  serveInTurn(servers.map(({ url }) => url))
  const admin = keyClient(servers[0]!.url, ADMIN_KEY)
  await defineModel(admin)
  await defineExports(admin, directory)
  return { name, databaseUrl, servers, admin, answered: rememberNothing(), names: new Map() }
}

describe('The same requests to servers on either storage', { timeout: 3_600_000, skip: withoutPostgres() }, () => {
  const sides: Side[] = []
  const databases: TestDatabase[] = []
  before(async () => {
    sides.push(await startSide('SQLite', 1, undefined))
    for (const [name, count] of Object.entries({ 'One on PostgreSQL': 1, 'Two on PostgreSQL': 2 })) {
      const database = await makeDatabase()
      databases.push(database)
      sides.push(await startSide(name, count, database.url))
    }
  })
  after(async () => {
    await Promise.all(running.map((server) => server.stop()))
    for (const database of databases) await database.release()
  })

  it(`are answered alike, ${OPERATIONS} of them`, async (t) => {
    const statuses = new Map<string, number>()
    const differences: string[] = []
    let done = 0
    for (const operation of drawOperations(SEED)) {
      if ((done += 1) > OPERATIONS) break
      clock.now += 1000
      const what = `Operation ${done} of seed ${SEED}: ${describeOperation(operation, sides[0]!)}`
      const [one, ...others] = await Promise.all(sides.map((side) => send(side, operation)))
      for (const [at, other] of others.entries()) {
        const difference = findDifference(one!, other, sides[at + 1]!.name)
        if (difference !== undefined) differences.push(`${what}\n${difference}`)
      }
      if (differences.length >= MOST) break
      const seen = `${operation.kind} ${one!.status}`
      statuses.set(seen, (statuses.get(seen) ?? 0) + 1)
    }
    assert.equal(differences.join('\n\n'), '')
    for (const { servers, databaseUrl } of sides) await assertSoundAt({ dataDir: servers[0]!.dataDir, databaseUrl })
    t.diagnostic(
      [...statuses]
        .map(([seen, times]) => `${seen}: ${times}`)
        .sort()
        .join(', '),
    )
    const kinds = [...statuses.keys()].filter((seen) => / 20\d$/.test(seen))
    assert.ok(kinds.length >= (OPERATIONS >= 500 ? 25 : 0), `only these succeeded: ${kinds.join(', ')}`)
  })
})
