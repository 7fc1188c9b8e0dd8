// A page of 50 records with the total.
import { httpRequest, runLoad } from '../load.ts'
import { API_KEY } from '../processes.ts'
import { median, randomNumbers } from '../statistics.ts'
import { milliseconds, perSecond, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'

const ROUNDS = 3
const MILLISECONDS = 2000
const CONNECTIONS = 16
const MAX_OFFSET = 1000
const BAR = 2000

export async function measureListing({ server }: Workspace): Promise<Row[]> {
  const random = randomNumbers(50)
  const nextRequest = (): string =>
    httpRequest('GET', `/api/v1/records?limit=50&offset=${Math.floor(random() * MAX_OFFSET)}`, API_KEY)
  const results = []
  for (let round = 0; round < ROUNDS; round += 1)
    results.push(
      await runLoad({ port: server.port, connections: CONNECTIONS, nextRequest, milliseconds: MILLISECONDS }),
    )
  const rate = median(results.map((result) => result.perSecond))
  const p99 = median(results.map((result) => result.p99))
  return [
    {
      name: `list of 50 with total at ${CONNECTIONS} connections (p99 ${milliseconds(p99)})`,
      pimlet: perSecond(rate),
      bar: `≥ ${BAR.toLocaleString('en-US')}/s`,
      isHeld: rate >= BAR,
    },
  ]
}
