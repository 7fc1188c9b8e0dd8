// How many files of the main thread a frequent request runs through: a reader of the code has to know these files.
import assert from 'node:assert/strict'
import { Session } from 'node:inspector/promises'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Store } from '../src/store/port.ts'
import { send } from './helpers/answers.ts'
import { importFile, lines } from './helpers/importing.ts'
import { startServer, type TestServer } from './helpers/server.ts'

const SOURCES = `${pathToFileURL(path.resolve(import.meta.dirname, '../src')).href}/`
/** Timers of the server run through further files now and then, so the smallest of some counts is taken. */
const ROUNDS = 8

const session = new Session()
let server: TestServer
let requests = 0

/** @returns the files with a function that ran since the last call */
async function takeFiles(): Promise<string[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url, functions }) => url.startsWith(SOURCES) && functions.some(hasRun))
    .map(({ url }) => url.slice(SOURCES.length))
}

/** The function at the begin of a file is the file's own body. */
function hasRun({ functionName, ranges }: { functionName: string; ranges: { startOffset: number; count: number }[] }) {
  return ranges[0]!.count > 0 && (functionName !== '' || ranges[0]!.startOffset > 0)
}

async function filesOf(request: () => Promise<unknown>): Promise<string[]> {
  let least: string[] | undefined
  for (let round = 0; round < ROUNDS; round += 1) {
    await takeFiles()
    await request()
    // The answer comes before the request is logged and counted.
    await new Promise((resolve) => setTimeout(resolve, 50))
    const files = await takeFiles()
    if (least === undefined || files.length < least.length) least = files
  }
  return least!.toSorted()
}

const newValues = () => ({ sku: [{ scope: {}, value: `S${(requests += 1)}` }] })

const create = () =>
  send<{ id: string }>(server.admin, 'POST', '/api/v1/records', { schemaId: 'sch-way', values: newValues() })

function assertBetween(least: number, most: number, files: readonly string[]): void {
  assert.ok(files.length > least && files.length <= most, `${files.length} files:\n${files.join('\n')}`)
}

describe('The way of a request through the files of the main thread', () => {
  before(async () => {
    // Checks of tests and further servers are no part of the way.
    const testing = { checkResponses: false, wrapStore: (store: Store) => store }
    server = await startServer({ databaseUrl: undefined, testing })
    const attributes = [{ alias: 'sku', dataType: 'text', unique: true }]
    await send(server.admin, 'POST', '/api/v1/schemas', { id: 'sch-way', name: 'Way', attributes })
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  })
  after(async () => {
    session.disconnect()
    await server.stop()
  })

  it('has 25 files at most where a record is read', async () => {
    const { body } = await create()
    assertBetween(10, 25, await filesOf(() => send(server.admin, 'GET', `/api/v1/records/${body.id}`)))
  })

  it('has 60 files at most where a record is created', async () => {
    assertBetween(30, 60, await filesOf(create))
  })

  it('has 75 files at most where a record is imported', async () => {
    const query = 'schemaId=sch-way&mode=create'
    const importOne = () => importFile(server.admin, lines({ values: newValues() }), query)
    assertBetween(30, 75, await filesOf(importOne))
  })
})
