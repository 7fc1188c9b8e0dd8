// Reads on both sides, and from a minimal server on PostgreSQL.
import { createJob, openSink, runExport } from '../export-runs.ts'
import { API_KEY, startReference } from '../processes.ts'
import { httpRequest, runLoad } from '../load.ts'
import { readRecords } from '../rows/get.ts'
import { randomNumbers } from '../statistics.ts'
import { milliseconds, perSecond, type Row } from '../table.ts'
import { ratioRow, type Round } from './ratio.ts'
import { creations, type Side, type Sides } from './sides.ts'

const ROUNDS = 3
const MILLISECONDS = 2000
const CONNECTIONS = 16
const WRITERS = 16
/** More records than one round creates. */
const CREATIONS = 10_000

export async function measureReadingOne({ sqlite, postgres }: Sides): Promise<Row[]> {
  const reference = await startReference('postgres-server', postgres.url)
  const [ofSqlite, ofPostgres] = [await sqlite.ids(), await postgres.ids()]
  const [toSqlite, toBare]: [Round[], Round[]] = [[], []]
  try {
    for (let round = -1; round < ROUNDS; round += 1) {
      const inSqlite = await readRecords(sqlite.server, ofSqlite, MILLISECONDS)
      const found = await readRecords(postgres.server, ofPostgres, MILLISECONDS)
      const bare = await readRecords(reference, ofPostgres, MILLISECONDS)
      // The first round only warms up.
      if (round < 0) continue
      toSqlite.push({ postgres: found.perSecond, reference: inSqlite.perSecond })
      toBare.push({ postgres: found.perSecond, reference: bare.perSecond })
      process.stderr.write(
        `get: ${Math.round(found.perSecond)}/s, SQLite ${Math.round(inSqlite.perSecond)}/s, bare ${Math.round(bare.perSecond)}/s\n`,
      )
    }
  } finally {
    await reference.stop()
  }
  const name = `GET one record at ${CONNECTIONS} connections; reference:`
  return [
    ratioRow({ name: `${name} SQLite`, rounds: toSqlite, unit: perSecond, atLeast: 0.2 }),
    ratioRow({
      name: `${name} node:http + pg with the same statements, that of the versions in one with the record’s`,
      rounds: toBare,
      unit: perSecond,
      atLeast: 0.6,
    }),
  ]
}

export async function measureListing({ sqlite, postgres }: Sides): Promise<Row[]> {
  const list = async ({ server: { port } }: Side): Promise<number> => {
    const random = randomNumbers(50)
    const nextRequest = (): string =>
      httpRequest('GET', `/api/v1/records?limit=50&offset=${Math.floor(random() * 1000)}`, API_KEY)
    return (await runLoad({ port, connections: CONNECTIONS, nextRequest, milliseconds: MILLISECONDS })).perSecond
  }
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ reference: await list(sqlite), postgres: await list(postgres) })
  return [
    ratioRow({
      name: `list of 50 with total at ${CONNECTIONS} connections; reference: SQLite`,
      rounds,
      unit: perSecond,
    }),
  ]
}

export async function measureReadingWhileWriting({ sqlite, postgres, takeNumbers }: Sides): Promise<Row[]> {
  const rounds: Round[] = []
  const rates: Round[] = []
  const read = async (side: Side) => {
    const ids = await side.ids()
    const { port } = side.server
    await side.writer.prepareCreations(takeNumbers(CREATIONS), CREATIONS)
    const writing = side.writer.create({ port, connections: WRITERS, milliseconds: MILLISECONDS })
    const found = await readRecords(side.server, ids, MILLISECONDS)
    await writing
    await side.files.whenIndexed()
    return found
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const [reference, found] = [await read(sqlite), await read(postgres)]
    rounds.push({ reference: reference.p99, postgres: found.p99 })
    rates.push({ reference: reference.perSecond, postgres: found.perSecond })
  }
  const name = `GET one record at ${CONNECTIONS} connections while ${WRITERS} others create`
  return [
    ratioRow({ name: `${name}, p99; reference: SQLite`, rounds, unit: milliseconds }),
    ratioRow({ name: `${name}; reference: SQLite`, rounds: rates, unit: perSecond }),
  ]
}

export async function measureExporting({ sqlite, postgres }: Sides): Promise<Row[]> {
  const sink = await openSink()
  try {
    const jobOf = (side: Side) => createJob(side, sink.url, { format: 'csv', compress: true })
    const [inSqlite, inPostgres] = [await jobOf(sqlite), await jobOf(postgres)]
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push({ reference: await runExport(sqlite, inSqlite), postgres: await runExport(postgres, inPostgres) })
    const unit = (seconds: number): string => `${seconds.toFixed(1)} s`
    return [ratioRow({ name: 'export of all records to csv and gzip; reference: SQLite', rounds, unit })]
  } finally {
    await sink.close()
  }
}

/** Compares two servers of one workspace with one of them alone. */
export async function measureTwoServers(sides: Sides): Promise<Row[]> {
  const { postgres } = sides
  const another = await sides.startAnother('another')
  const servers = [postgres.server, another]
  const ids = await postgres.ids()
  const [reads, writes]: [Round[], Round[]] = [[], []]
  const createAt = async (ports: readonly number[]): Promise<number> => {
    const requests = creations(postgres, sides.takeNumbers(CREATIONS), CREATIONS)
    const nextRequest = (): string | undefined => requests.pop()
    const loads = ports.map((port) =>
      runLoad({ port, connections: 64 / ports.length, nextRequest, milliseconds: MILLISECONDS, expectedStatus: 201 }),
    )
    return (await Promise.all(loads)).reduce((sum, { perSecond: rate }) => sum + rate, 0)
  }
  const readAt = async (at: typeof servers): Promise<number> => {
    const loads = at.map((server) => readRecords(server, ids, MILLISECONDS, { connections: CONNECTIONS / at.length }))
    return (await Promise.all(loads)).reduce((sum, { perSecond: rate }) => sum + rate, 0)
  }
  try {
    await readAt(servers)
    for (let round = 0; round < ROUNDS; round += 1) {
      reads.push({ reference: await readAt([postgres.server]), postgres: await readAt(servers) })
      writes.push({
        reference: await createAt([postgres.server.port]),
        postgres: await createAt(servers.map(({ port }) => port)),
      })
      await postgres.files.whenIndexed()
    }
  } finally {
    await another.stop()
  }
  return [
    ratioRow({ name: 'GET of two servers together; reference: one', rounds: reads, unit: perSecond, atLeast: 1.6 }),
    ratioRow({ name: 'create of two servers together; reference: one', rounds: writes, unit: perSecond, atLeast: 0.9 }),
  ]
}
