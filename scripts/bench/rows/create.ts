// Creates records, compared with the same bare SQL; this also fills the workspace for all other rows.
import path from 'node:path'
import { type BareWriter, startBareWriter } from '../bare-writer.ts'
import type { MeasuredProcess } from '../processes.ts'
import type { BareResult } from '../references/bare-writer.ts'
import { median } from '../statistics.ts'
import { perSecond, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'

const ROUNDS = 4
const BATCH = 64
const CONNECTIONS = 64
const BAR = 0.6
/** SQLite's default `wal_autocheckpoint`, and one that favours writing. */
const CHECKPOINTS = [1000, 10_000] as const

interface Round {
  readonly acknowledged: number
  readonly indexed: number
  readonly bare: readonly number[]
  /** Processor time per record. */
  readonly pimletMicroseconds: { readonly all: number; readonly main: number }
  readonly bareMicroseconds: number
}

export async function measureCreation(workspace: Workspace, records: number): Promise<Row[]> {
  const writers = CHECKPOINTS.map((checkpointPages) =>
    startBareWriter({
      file: path.join(workspace.directory, `bare-${checkpointPages}.db`),
      durable: true,
      checkpointPages,
    }),
  )
  try {
    const rounds: Round[] = []
    const size = Math.ceil(records / ROUNDS)
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await runRound(workspace, writers, round * size, size))
    return toRows(rounds)
  } finally {
    await Promise.all(writers.map((writer) => writer.stop()))
  }
}

async function runRound(
  workspace: Workspace,
  writers: readonly BareWriter[],
  from: number,
  size: number,
): Promise<Round> {
  const { server, files } = workspace
  server.processorTime()
  const begin = performance.now()
  const { perSecond: acknowledged, seconds } = await workspace.create(size)
  const sent = performance.now()
  await files.whenIndexed()
  // Making the requests took time before the first one was sent.
  const indexedSeconds = seconds + (performance.now() - sent) / 1000
  const used = perRecord(server, size)
  const bare: BareResult[] = []
  for (const writer of writers)
    bare.push(
      await writer.insert({
        from: from + 1,
        count: size,
        batch: BATCH,
        parts: ['document', 'audit', 'values', 'text'],
      }),
    )
  const rates = bare.map((result) => size / result.seconds)
  process.stderr.write(
    `create ${size}: ${Math.round(acknowledged)}/s acknowledged, ${Math.round(size / indexedSeconds)}/s indexed, ` +
      `bare ${rates.map(Math.round).join(' and ')}/s (${Math.round((performance.now() - begin) / 1000)} s)\n`,
  )
  return {
    acknowledged,
    indexed: size / indexedSeconds,
    bare: rates,
    pimletMicroseconds: used,
    bareMicroseconds: bare[0]!.microseconds / size,
  }
}

function perRecord(server: MeasuredProcess, records: number): { all: number; main: number } {
  const { all, main } = server.processorTime()
  return { all: all / records, main: main / records }
}

function toRows(rounds: readonly Round[]): Row[] {
  const of = (value: (round: Round) => number): number => median(rounds.map(value))
  const rows = CHECKPOINTS.map((pages, index): Row => {
    const ratio = of((round) => round.indexed / round.bare[index]!)
    return {
      name: `create at ${CONNECTIONS} connections, acknowledged and indexed; reference: bare SQL in batches of ${BATCH}, \`synchronous=FULL\`, \`wal_autocheckpoint\` ${pages}`,
      pimlet: perSecond(of((round) => round.indexed)),
      reference: perSecond(of((round) => round.bare[index]!)),
      ratio,
      ...(index === 0 ? { bar: `≥ ${BAR}`, isHeld: ratio >= BAR } : {}),
    }
  })
  const used = { all: of((round) => round.pimletMicroseconds.all), main: of((round) => round.pimletMicroseconds.main) }
  return [
    ...rows,
    {
      name: `create at ${CONNECTIONS} connections, acknowledged`,
      pimlet: perSecond(of((round) => round.acknowledged)),
    },
    {
      name: 'create: processor time of all threads (of the main thread)',
      pimlet: `${Math.round(used.all)} µs (${Math.round(used.main)} µs)`,
      reference: `${Math.round(of((round) => round.bareMicroseconds))} µs`,
      ratio: used.all / of((round) => round.bareMicroseconds),
    },
  ]
}
