// Searches, compared with the same bare SQL in this process, one query after another.
import { runLoad } from '../load.ts'
import { makeQueries, type QueryKind, type SlowQuery, slowQueries } from '../queries.ts'
import { median, percentile } from '../statistics.ts'
import { milliseconds, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'

const ROUNDS = 5
const QUERIES_PER_ROUND = 200
const SLOW_QUERIES_PER_ROUND = 3
const BAR = 2
const SLOW_BAR = 500
const GROWTH_BAR = 2
/** Up to this many times the hits count as the same number. */
const SAME_HITS = 1.5

interface Measured {
  readonly name: string
  /** Median milliseconds. */
  readonly pimlet: number
  readonly bare: number
  readonly ratio: number
  /** Median number of matches of a query. */
  readonly hits: number
}

export async function measureSearch(workspace: Workspace, records: number): Promise<Row[]> {
  const rows = (await measureIndexed(workspace, records)).map((measured): Row => ({
    name: `search: ${measured.name} (${measured.hits} hits), p50; reference: the bare SQL`,
    pimlet: milliseconds(measured.pimlet),
    reference: milliseconds(measured.bare),
    ratio: measured.ratio,
    bar: `≤ ${BAR} ×`,
    isHeld: measured.ratio <= BAR,
  }))
  for (const slow of slowQueries()) {
    const time = await measureSlow(workspace, slow)
    rows.push({
      name: `search: ${slow.name}, p50`,
      pimlet: milliseconds(time),
      bar: `≤ ${SLOW_BAR} ms`,
      isHeld: time <= SLOW_BAR,
    })
  }
  return rows
}

/** Fills the workspace up to `records`, and compares the indexed searches with their earlier times. */
export async function measureGrowth(workspace: Workspace, base: number, records: number): Promise<Row[]> {
  const before = await measureIndexed(workspace, base)
  const step = 50_000
  for (let count = base; count < records; count += step) await workspace.create(Math.min(step, records - count))
  await workspace.files.whenIndexed()
  const after = await measureIndexed(workspace, records)
  return after.map((measured, index) => {
    const ratio = measured.pimlet / before[index]!.pimlet
    // A search with ten times the matches must also count ten times as many.
    const isSameHits = measured.hits <= before[index]!.hits * SAME_HITS
    return {
      name: `search: ${measured.name}, p50 with ${records.toLocaleString('en-US')} records (${measured.hits} hits); reference: with ${base.toLocaleString('en-US')} (${before[index]!.hits} hits)`,
      pimlet: milliseconds(measured.pimlet),
      reference: milliseconds(before[index]!.pimlet),
      ratio,
      ...(isSameHits && { bar: `≤ ${GROWTH_BAR} ×`, isHeld: ratio <= GROWTH_BAR }),
    }
  })
}

/** Milliseconds, p50. */
export async function measureSlow({ server }: Workspace, { request }: SlowQuery): Promise<number> {
  const { p50 } = await runLoad({
    port: server.port,
    connections: 1,
    nextRequest: repeat([request], 2 * SLOW_QUERIES_PER_ROUND + 1),
  })
  return p50
}

async function measureIndexed(workspace: Workspace, records: number): Promise<Measured[]> {
  const db = workspace.files.openBoth()
  try {
    const measured: Measured[] = []
    for (const kind of makeQueries(db, workspace.catalogue, records)) measured.push(await measureKind(workspace, kind))
    return measured
  } finally {
    db.close()
  }
}

async function measureKind({ server }: Workspace, { name, queries }: QueryKind): Promise<Measured> {
  if (queries.length === 0) throw new Error(`No query was found for: ${name}`)
  const requests = queries.map((query) => query.request)
  let at = 0
  const load = (count: number) => {
    const end = at + count
    const nextRequest = (): string | undefined => (at < end ? requests[at++ % requests.length] : undefined)
    return runLoad({ port: server.port, connections: 1, nextRequest })
  }
  await load(QUERIES_PER_ROUND)
  const rounds = []
  const hits: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const { p50 } = await load(QUERIES_PER_ROUND)
    const times = Array.from({ length: QUERIES_PER_ROUND }, (_, index) => {
      const begin = performance.now()
      hits.push(queries[index % queries.length]!.runBare())
      return performance.now() - begin
    })
    rounds.push({ pimlet: p50, bare: percentile(times, 0.5) })
  }
  return {
    name,
    pimlet: median(rounds.map((round) => round.pimlet)),
    bare: median(rounds.map((round) => round.bare)),
    ratio: median(rounds.map((round) => round.pimlet / round.bare)),
    hits: median(hits),
  }
}

function repeat(requests: readonly string[], count: number): () => string | undefined {
  let sent = 0
  return () => (sent < count ? requests[sent++ % requests.length] : undefined)
}
