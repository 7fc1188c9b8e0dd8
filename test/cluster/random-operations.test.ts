// The same requests, one after another, to a server on SQLite and to one on PostgreSQL, with the same clock and the same IDs: the answers are
// the same, status, headers and body. `TEST_OPERATIONS=10000` asks more, `TEST_SEED` something else. What is not compared as it is:
// - cursors of lists and searches, which hold a storage's own row numbers: each server gets its own, and the pages they lead to are compared;
// - the order of members of JSON objects;
// - IDs that servers give, since a transaction that was run again takes new ones: by the order in which they are first told.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { canonicalJson } from '../../src/domain/text.ts'
import { type System, system } from '../../src/machine/system.ts'
import type { Client } from '../helpers/client.ts'
import { makeDatabase, type TestDatabase } from '../helpers/postgres.ts'
import { type Answered, drawOperations, type Operation } from '../helpers/random-operations.ts'
import { language, schemaA } from '../helpers/random-model.ts'
import { startServer, type TestServer } from '../helpers/server.ts'
import { everywhere, make } from '../helpers/shirts.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

const OPERATIONS = Number(process.env['TEST_OPERATIONS'] ?? 500)
const SEED = Number(process.env['TEST_SEED'] ?? 1)
/** Differences that are told; what comes of one may be many more. */
const MOST = 8
const HEADERS = ['etag', 'x-total-count', 'content-type', 'location']
const GIVEN_ID = /\b[a-z]+-0{10}[0-9]{16}\b/g

/** What is told of a server, and what its IDs are called. */
interface Side {
  readonly server: TestServer
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

async function defineModel(admin: Client): Promise<void> {
  await make(admin, '/api/v1/dimensions', language(['en', 'de', 'fr']))
  const markets = ['eu', 'us'].map((id) => ({ id, name: id }))
  await make(admin, '/api/v1/dimensions', { id: 'market', name: 'Market', segments: markets })
  const colors = ['red', 'green', 'blue']
  await make(admin, '/api/v1/schemas', schemaA({ isSlugUnique: true, hasExtra: true, most: 100, colors, tags: 'tags' }))
  await make(admin, '/api/v1/schemas', {
    id: 'sch-b',
    name: 'B',
    attributes: [
      { alias: 'title', dataType: 'text', dimensionIds: ['language'] },
      { alias: 'count', dataType: 'number' },
      { alias: 'code', dataType: 'text', unique: true },
    ],
  })
  for (const id of ['cat-a', 'cat-b']) await make(admin, '/api/v1/catalogs', { id, name: id })
  for (const n of Array(6).keys())
    await make(admin, '/api/v1/catalogs/cat-a/categories', {
      id: `c-${n}`,
      name: 'C',
      parentId: n % 3 === 2 ? 'c-0' : null,
    })
  for (const n of Array(20).keys())
    await make(admin, '/api/v1/records', { id: `r-${n}`, schemaId: 'sch-a', values: { count: everywhere(n) } })
}

async function send(side: Side, operation: Operation): Promise<Told> {
  const { method, path, body, headers = {} } = operation
  const { admin } = side.server
  const url = typeof path === 'string' ? path : path(side.answered)
  const content = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(admin.url + url, {
    method,
    headers: { ...admin.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: content }),
    signal: AbortSignal.timeout(60_000),
  })
  const text = await response.text()
  const cursor = response.headers.get('x-next-cursor')
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  if (cursor !== null) side.answered.next = { cursor, request: { ...operation, path: url } }
  if (operation.isJob === true && response.status === 202)
    await untilEnded(side, (JSON.parse(text) as { id: string }).id)
  const told = HEADERS.map((name) => [name, response.headers.get(name)] as const)
  return {
    status: response.status,
    headers: { ...Object.fromEntries(told), hasCursor: cursor !== null },
    body: named(side, isJson ? sorted(text) : text),
  }
}

async function untilEnded(side: Side, id: string): Promise<void> {
  const { admin } = side.server
  side.answered.jobs.push(id)
  for (;;) {
    const response = await fetch(`${admin.url}/api/v1/bulk-jobs/${id}?wait=5`, { headers: admin.headers })
    if (((await response.json()) as { completedAt: string | null }).completedAt !== null) return
  }
}

function named({ names }: Side, text: string): string {
  return text.replaceAll(GIVEN_ID, (id) => {
    if (!names.has(id)) names.set(id, `${id.split('-')[0]}#${names.size}`)
    return names.get(id)!
  })
}

/** Where they part: bodies may be long. Undefined: nowhere. */
function findDifference(one: Told, other: Told): string | undefined {
  const [here, there] = [JSON.stringify(one), JSON.stringify(other)]
  if (here === there) return undefined
  let at = 0
  while (here[at] === there[at]) at += 1
  const near = (text: string): string => text.slice(Math.max(0, at - 150), at + 150)
  return `SQLite:     ${near(here)}\nPostgreSQL: ${near(there)}`
}

/** So that no answer depends on the order of members, which says nothing. */
function sorted(text: string): string {
  return text === '' ? '' : canonicalJson(JSON.parse(text))
}

describe('The same requests to a server on either storage', { timeout: 3_600_000, skip: withoutPostgres() }, () => {
  const sides: Side[] = []
  let database: TestDatabase
  before(async () => {
    database = await makeDatabase()
    for (const databaseUrl of [undefined, database.url]) {
      const server = await startServer({ databaseUrl, maxRecords: 0, testing: { system: makeSystem() } })
      await defineModel(server.admin)
      sides.push({ server, answered: { next: undefined, jobs: [] }, names: new Map() })
    }
  })
  after(async () => {
    await Promise.all(sides.map(({ server }) => server.stop()))
    await database.release()
  })

  it(`are answered alike, ${OPERATIONS} of them`, async (t) => {
    const statuses = new Map<string, number>()
    const differences: string[] = []
    let done = 0
    for (const operation of drawOperations(SEED)) {
      if ((done += 1) > OPERATIONS) break
      clock.now += 1000
      const [one, other] = await Promise.all(sides.map((side) => send(side, operation)))
      const difference = findDifference(one!, other!)
      const what = `Operation ${done} of seed ${SEED}: ${JSON.stringify(operation).slice(0, 2000)}`
      if (difference !== undefined) differences.push(`${what}\n${difference}`)
      if (differences.length === MOST) break
      const seen = `${operation.kind} ${one!.status}`
      statuses.set(seen, (statuses.get(seen) ?? 0) + 1)
    }
    assert.equal(differences.join('\n\n'), '')
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
