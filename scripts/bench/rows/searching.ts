// Reads while two clients run the slowest search over and over: no search may delay other clients.
import { runLoad } from '../load.ts'
import { type SlowQuery, slowQueries } from '../queries.ts'
import { median } from '../statistics.ts'
import { milliseconds, perSecond, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'
import { readRecords } from './get.ts'
import { measureSlow } from './search.ts'

const ROUNDS = 5
const MILLISECONDS = 2500
const SEARCHERS = 2
const BAR = 3

export async function measureReadingWhileSearching(workspace: Workspace): Promise<Row[]> {
  const { server, files } = workspace
  const ids = files.listIds()
  const slowest = await findSlowest(workspace)
  const rounds = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const idle = await readRecords(server, ids, MILLISECONDS)
    const searching = runLoad({
      port: server.port,
      connections: SEARCHERS,
      nextRequest: () => slowest.request,
      milliseconds: MILLISECONDS,
    })
    const [busy] = await Promise.all([readRecords(server, ids, MILLISECONDS), searching])
    rounds.push({ idle, busy })
  }
  const ratio = median(rounds.map(({ idle, busy }) => busy.p99 / idle.p99))
  const rate = median(rounds.map(({ busy }) => busy.perSecond))
  return [
    {
      name: `GET one record at 16 connections, p99, while ${SEARCHERS} clients search (${slowest.name}; ${perSecond(rate)} read); reference: idle`,
      pimlet: milliseconds(median(rounds.map(({ busy }) => busy.p99))),
      reference: milliseconds(median(rounds.map(({ idle }) => idle.p99))),
      ratio,
      bar: `≤ ${BAR} ×`,
      isHeld: ratio <= BAR,
    },
  ]
}

async function findSlowest(workspace: Workspace): Promise<SlowQuery> {
  const timed = []
  for (const query of slowQueries()) timed.push({ query, time: await measureSlow(workspace, query) })
  return timed.sort((one, other) => other.time - one.time)[0]!.query
}
