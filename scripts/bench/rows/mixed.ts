// Reads while other clients write.
import { median } from '../statistics.ts'
import { milliseconds, perSecond, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'
import { readRecords } from './get.ts'

const ROUNDS = 3
const MILLISECONDS = 3000
const WRITERS = 16
const READERS = 16
const P99_BAR = 10
const IDLE_BAR = 3
/** More records than one round creates. */
const CREATIONS = 14_000

export async function measureReadingWhileWriting(workspace: Workspace): Promise<Row[]> {
  const { server, files, writer } = workspace
  const ids = files.listIds()
  const rounds = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const idle = await readRecords(server, ids, MILLISECONDS, { connections: READERS })
    await writer.prepareCreations(workspace.takeNumbers(CREATIONS), CREATIONS)
    const writing = writer.create({ port: server.port, connections: WRITERS, milliseconds: MILLISECONDS })
    const [reads, writes] = await Promise.all([
      readRecords(server, ids, MILLISECONDS, { connections: READERS }),
      writing,
    ])
    await files.whenIndexed()
    rounds.push({ idle, reads, writes })
  }
  const p99 = median(rounds.map(({ reads }) => reads.p99))
  const ratio = median(rounds.map((round) => round.reads.p99 / round.idle.p99))
  const reads = median(rounds.map((round) => round.reads.perSecond))
  const writes = median(rounds.map((round) => round.writes.perSecond))
  return [
    {
      name: `GET one record, p99, at ${READERS} connections while ${WRITERS} others create (${perSecond(reads)} read, ${perSecond(writes)} created)`,
      pimlet: milliseconds(p99),
      bar: `≤ ${P99_BAR} ms`,
      isHeld: p99 <= P99_BAR,
    },
    {
      name: 'the same; reference: idle',
      pimlet: milliseconds(p99),
      reference: milliseconds(median(rounds.map(({ idle }) => idle.p99))),
      ratio,
      bar: `≤ ${IDLE_BAR} ×`,
      isHeld: ratio <= IDLE_BAR,
    },
  ]
}
