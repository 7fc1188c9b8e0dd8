// Changes a text and a number of scattered records for a minute, compared with the same bare SQL.
import path from 'node:path'
import { startBareWriter } from '../bare-writer.ts'
import { httpRequest, type LoadResult, runLoad } from '../load.ts'
import { API_KEY } from '../processes.ts'
import { randomNumbers } from '../statistics.ts'
import { milliseconds, perSecond, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'

const CONNECTIONS = 16
const MILLISECONDS = 60_000
const BAR = 0.5
const TAIL_BAR = 10
const STALL_BAR = 250
/** Updates of one bare run, and records in one bare transaction. */
const BARE_UPDATES = 20_000
const BARE_BATCH = 16
const PREPARED = 50

export async function measureUpdates(workspace: Workspace, records: number): Promise<Row[]> {
  const { files, server } = workspace
  await files.whenIndexed()
  const begin = performance.now()
  const load = await runUpdates(workspace)
  await files.whenIndexed()
  const indexed = load.requests / ((performance.now() - begin) / 1000)
  const bare = await measureBare(workspace, records)
  process.stderr.write(`update: ${Math.round(indexed)}/s, bare ${Math.round(bare)}/s, server ${server.pid}\n`)
  const what = `update of a text and a number at ${CONNECTIONS} connections over ${records.toLocaleString('en-US')} records`
  return [
    {
      name: `${what}, acknowledged and indexed; reference: bare SQL in batches of ${BARE_BATCH}, \`synchronous=FULL\``,
      pimlet: perSecond(indexed),
      reference: perSecond(bare),
      ratio: indexed / bare,
      bar: `≥ ${BAR}`,
      isHeld: indexed / bare >= BAR,
    },
    {
      name: `the same, p99 over ${MILLISECONDS / 1000} s; reference: p50`,
      pimlet: milliseconds(load.p99),
      reference: milliseconds(load.p50),
      ratio: load.p99 / load.p50,
      bar: `≤ ${TAIL_BAR} ×`,
      isHeld: load.p99 <= TAIL_BAR * load.p50,
    },
    {
      name: 'the same, the longest wait',
      pimlet: milliseconds(load.max),
      bar: `≤ ${STALL_BAR} ms`,
      isHeld: load.max <= STALL_BAR,
    },
  ]
}

/** Makes requests in small numbers between two responses. */
function runUpdates({ server, files, catalogue }: Workspace): Promise<LoadResult> {
  const ids = files.listIds()
  const random = randomNumbers(11)
  let round = 0
  let prepared: string[] = []
  const nextRequest = (): string => {
    if (prepared.length === 0) {
      round += 1
      prepared = Array.from({ length: PREPARED }, () => {
        const at = Math.floor(random() * ids.length)
        const body = JSON.stringify({ values: catalogue.changesOf(at + 1, round) })
        return httpRequest('PUT', `/api/v1/records/${ids[at]!}`, API_KEY, body)
      })
    }
    return prepared.pop()!
  }
  return runLoad({ port: server.port, connections: CONNECTIONS, nextRequest, milliseconds: MILLISECONDS })
}

/** Resolves to updates per second. */
async function measureBare({ directory }: Workspace, records: number): Promise<number> {
  const writer = startBareWriter({ file: path.join(directory, 'bare-updates.db'), durable: true })
  try {
    const parts = ['document', 'audit', 'values', 'back', 'text'] as const
    await writer.insert({ from: 1, count: records, batch: 1000, parts })
    const random = randomNumbers(12)
    const numbers = new Set(Array.from({ length: BARE_UPDATES }, () => 1 + Math.floor(random() * records)))
    const { seconds } = await writer.update({ numbers: [...numbers], batch: BARE_BATCH, round: 1 })
    return numbers.size / seconds
  } finally {
    await writer.stop()
  }
}
