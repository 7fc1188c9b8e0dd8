// Runs the same searches on both sides.
import { type QueryKind, makeQueries, slowQueries } from '../queries.ts'
import { SCHEMA_ID } from '../catalogue.ts'
import { httpRequest, runLoad } from '../load.ts'
import { API_KEY } from '../processes.ts'
import { chooseValues, combinations } from '../rows/combined.ts'
import { milliseconds, type Row } from '../table.ts'
import { ratioRow, type Round } from './ratio.ts'
import type { Side, Sides } from './sides.ts'

const ROUNDS = 3
const QUERIES_PER_ROUND = 80
const SLOW_QUERIES_PER_ROUND = 3

export async function measureFinding(sides: Sides, records: number): Promise<Row[]> {
  const { sqlite } = sides
  const db = sqlite.data.openBoth()
  const rows: Row[] = []
  try {
    for (const kind of makeQueries(db, sqlite.catalogue, records)) rows.push(await measureKind(sides, kind))
  } finally {
    db.close()
  }
  for (const { name, request } of slowQueries())
    rows.push(await compare(sides, name, (side) => timeOf(side, [request], SLOW_QUERIES_PER_ROUND)))
  for (const { name, criteria } of combinations(chooseValues({ files: sqlite.data }))) {
    const body = { schemaId: SCHEMA_ID, criteria, criteriaOperator: 'and', limit: 50 }
    const request = httpRequest('POST', '/api/v1/search', API_KEY, JSON.stringify(body))
    rows.push(await compare(sides, `by ${name}`, (side) => timeOf(side, [request], QUERIES_PER_ROUND / 4)))
  }
  return rows
}

function measureKind(sides: Sides, { name, queries }: QueryKind): Promise<Row> {
  if (queries.length === 0) throw new Error(`No query was found for: ${name}`)
  const requests = queries.map(({ request }) => request)
  return compare(sides, name, (side) => timeOf(side, requests, QUERIES_PER_ROUND))
}

/** Returns the median milliseconds of requests, one after another. */
async function timeOf({ server: { port } }: Side, requests: readonly string[], count: number): Promise<number> {
  let at = 0
  const nextRequest = (): string | undefined => (at < count ? requests[at++ % requests.length] : undefined)
  return (await runLoad({ port, connections: 1, nextRequest })).p50
}

/** @param time returns milliseconds of a search */
async function compare({ sqlite, postgres }: Sides, name: string, time: (side: Side) => Promise<number>): Promise<Row> {
  const rounds: Round[] = []
  for (let round = -1; round < ROUNDS; round += 1) {
    const found = { reference: await time(sqlite), postgres: await time(postgres) }
    // The first round only warms up.
    if (round >= 0) rounds.push(found)
  }
  return ratioRow({ name: `search: ${name}, p50; reference: SQLite`, rounds, unit: milliseconds })
}
