// Imports ndjson, compared with the same bare SQL in batches of 500; reads meanwhile.
import path from 'node:path'
import { type BareWriter, startBareWriter } from '../bare-writer.ts'
import { median } from '../statistics.ts'
import { milliseconds, perSecond, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'
import { readRecords } from './get.ts'

const ROUNDS = 4
const BATCH = 500
const BAR = 0.6
const READERS = 16
const P99_BAR = 10
const READING_ROUNDS = 3
const READING_MILLISECONDS = 3000

export async function measureImport(workspace: Workspace, records: number): Promise<Row[]> {
  const file = path.join(workspace.directory, 'bare-import.db')
  const writer = startBareWriter({ file, durable: true })
  try {
    const size = Math.ceil(records / ROUNDS)
    const rounds: { pimlet: number; bare: number }[] = []
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await runRound(workspace, writer, round * size, size))
    const { p99, perSecond: reads } = await readWhileImporting(workspace, size)
    const ratio = median(rounds.map(({ pimlet, bare }) => pimlet / bare))
    return [
      {
        name: `import of ndjson, written and indexed; reference: bare SQL in batches of ${BATCH}, \`synchronous=FULL\``,
        pimlet: perSecond(median(rounds.map(({ pimlet }) => pimlet))),
        reference: perSecond(median(rounds.map(({ bare }) => bare))),
        ratio,
        bar: `≥ ${BAR}`,
        isHeld: ratio >= BAR,
      },
      {
        name: `GET one record, p99, at ${READERS} connections during an import (${perSecond(reads)} read)`,
        pimlet: milliseconds(p99),
        bar: `≤ ${P99_BAR} ms`,
        isHeld: p99 <= P99_BAR,
      },
    ]
  } finally {
    await writer.stop()
  }
}

async function runRound(workspace: Workspace, writer: BareWriter, from: number, size: number) {
  await prepareImport(workspace, size)
  const begin = performance.now()
  await importPrepared(workspace, size)
  await workspace.files.whenIndexed()
  const pimlet = (size / (performance.now() - begin)) * 1000
  const parts = ['document', 'audit', 'values', 'text'] as const
  const { seconds } = await writer.insert({ from: from + 1, count: size, batch: BATCH, parts })
  process.stderr.write(`import ${size}: ${Math.round(pimlet)}/s, bare ${Math.round(size / seconds)}/s\n`)
  return { pimlet, bare: size / seconds }
}

async function readWhileImporting(workspace: Workspace, size: number) {
  const ids = workspace.files.listIds()
  const rounds = []
  for (let round = 0; round < READING_ROUNDS; round += 1) {
    await prepareImport(workspace, size)
    const importing = importPrepared(workspace, size)
    rounds.push(await readRecords(workspace.server, ids, READING_MILLISECONDS, { connections: READERS }))
    await importing
    await workspace.files.whenIndexed()
  }
  return {
    p99: median(rounds.map(({ p99 }) => p99)),
    perSecond: median(rounds.map((reading) => reading.perSecond)),
  }
}

function prepareImport(workspace: Workspace, count: number): Promise<void> {
  return workspace.writer.prepareImport(workspace.takeNumbers(count), count)
}

async function importPrepared({ writer, server }: Workspace, count: number): Promise<void> {
  const result = await writer.import(server.port)
  if (result.created !== count) throw new Error(`The import answered ${JSON.stringify(result).slice(0, 500)}`)
}
