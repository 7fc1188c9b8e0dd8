// Reads one record, compared with the bare server and tinyhttp, which return the same bytes.
import path from 'node:path'
import { httpRequest, type LoadResult, runLoad } from '../load.ts'
import { API_KEY, type MeasuredProcess, startReference } from '../processes.ts'
import { median, randomNumbers } from '../statistics.ts'
import { microseconds, milliseconds, perSecond, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'

const ROUNDS = 5
const MILLISECONDS = 2000
const WARM_UP_MILLISECONDS = 1500
const CONNECTIONS = 16
const BAR = 0.5
const P99_BAR = 2
const BARE_P99_BAR = 1.5

interface Sample extends LoadResult {
  /** Processor time of the server per request. */
  readonly microseconds: number
  /** Milliseconds, measured with a driver that does not sleep. */
  readonly p99Awake: number
}

export async function measureReading(workspace: Workspace): Promise<Row[]> {
  const file = path.join(workspace.directory, 'documents.db')
  workspace.files.makeDocuments(file)
  const references = [await startReference('tinyhttp-server', file), await startReference('bare-server', file)]
  const servers = [workspace.server, ...references]
  const ids = workspace.files.listIds()
  try {
    await assertSameBytes(servers, ids[0]!)
    for (const server of servers) await readRecords(server, ids, WARM_UP_MILLISECONDS)
    const rounds: Sample[][] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const samples: Sample[] = []
      for (const server of servers) samples.push(await sample(server, ids))
      rounds.push(samples)
      process.stderr.write(
        `get: ${samples.map(({ perSecond: rate, p99, p99Awake }) => `${Math.round(rate)}/s p99 ${p99.toFixed(2)} (${p99Awake.toFixed(2)})`).join(', ')}\n`,
      )
    }
    return toRows(rounds)
  } finally {
    await Promise.all(references.map((server) => server.stop()))
  }
}

/** GET of records in random order. */
export function readRecords(
  server: MeasuredProcess,
  ids: readonly string[],
  duration: number,
  { connections = CONNECTIONS, isAwake = false } = {},
): Promise<LoadResult> {
  const random = randomNumbers(ids.length)
  const nextRequest = (): string =>
    httpRequest('GET', `/api/v1/records/${ids[Math.floor(random() * ids.length)]!}`, API_KEY)
  return runLoad({ port: server.port, connections, nextRequest, milliseconds: duration, isAwake })
}

async function sample(server: MeasuredProcess, ids: readonly string[]): Promise<Sample> {
  server.processorTime()
  const result = await readRecords(server, ids, MILLISECONDS)
  const { all } = server.processorTime()
  const awake = await readRecords(server, ids, MILLISECONDS, { isAwake: true })
  return { ...result, microseconds: all / result.requests, p99Awake: awake.p99 }
}

async function assertSameBytes(servers: readonly MeasuredProcess[], id: string): Promise<void> {
  const answers = await Promise.all(
    servers.map(async ({ port }) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/records/${id}`, {
        headers: { 'x-service-apikey': API_KEY },
      })
      return response.text()
    }),
  )
  if (new Set(answers).size !== 1) throw new Error('The reference servers do not answer the same bytes as pimlet')
}

function toRows(rounds: readonly Sample[][]): Row[] {
  const of = (server: number, value: (sample: Sample) => number): number =>
    median(rounds.map((round) => value(round[server]!)))
  const rate = (result: Sample): number => result.perSecond
  const ratioTo = (server: number): number => median(rounds.map((round) => rate(round[0]!) / rate(round[server]!)))
  const ratio = ratioTo(1)
  return [
    {
      name: `GET one record at ${CONNECTIONS} connections; reference: tinyhttp + better-sqlite3`,
      pimlet: perSecond(of(0, rate)),
      reference: perSecond(of(1, rate)),
      ratio,
      bar: `≥ ${BAR}`,
      isHeld: ratio >= BAR,
    },
    {
      name: 'the same; reference: node:http + better-sqlite3',
      pimlet: perSecond(of(0, rate)),
      reference: perSecond(of(2, rate)),
      ratio: ratioTo(2),
    },
    ...toP99Rows('GET one record, p99', rounds, ({ p99 }) => p99),
    ...toP99Rows('GET one record, p99, where the driver does not sleep', rounds, ({ p99Awake }) => p99Awake),
    ...[1, 2].map((server) => ({
      name: `GET one record, processor time per request; reference: ${server === 1 ? 'tinyhttp' : 'node:http'}`,
      pimlet: microseconds(of(0, (result) => result.microseconds)),
      reference: microseconds(of(server, (result) => result.microseconds)),
      ratio: of(server, (result) => result.microseconds) / of(0, (result) => result.microseconds),
    })),
    {
      name: 'the driver’s own processor time per request: it is not what limits the others',
      pimlet: microseconds(of(0, (result) => result.driverMicroseconds)),
      reference: microseconds(of(2, (result) => result.driverMicroseconds)),
    },
  ]
}

function toP99Rows(name: string, rounds: readonly Sample[][], p99Of: (sample: Sample) => number): Row[] {
  const of = (server: number): number => median(rounds.map((round) => p99Of(round[server]!)))
  const p99 = of(0)
  const ratio = median(rounds.map((round) => p99Of(round[0]!) / p99Of(round[2]!)))
  return [
    {
      name: `${name}; reference: tinyhttp`,
      pimlet: milliseconds(p99),
      reference: milliseconds(of(1)),
      bar: `≤ ${P99_BAR} ms`,
      isHeld: p99 <= P99_BAR,
    },
    {
      name: 'the same; reference: node:http + better-sqlite3',
      pimlet: milliseconds(p99),
      reference: milliseconds(of(2)),
      ratio,
      bar: `≤ ${BARE_P99_BAR} ×`,
      isHeld: ratio <= BARE_P99_BAR,
    },
  ]
}
