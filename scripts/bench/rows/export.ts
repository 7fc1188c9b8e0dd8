// Exports all records to csv and gzip by a webhook on the same machine, compared with packing the same text alone;
// reads meanwhile.
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gunzipSync } from 'node:zlib'
import { createJob, openSink, runExport } from '../export-runs.ts'
import type { LoadResult } from '../load.ts'
import { median } from '../statistics.ts'
import { milliseconds, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'
import { readRecords } from './get.ts'

const ROUNDS = 3
const BAR = 3
const MEMORY_BAR = 100
const READING_BAR = 3
/** MB of csv per second that a general-purpose headless CMS on SQLite writes on this class of machine, without packing. */
const PEER_RATE = 28
const READERS = 16
const IDLE_MILLISECONDS = 3000
const WARM_UP_MILLISECONDS = 1500
const POLL_MILLISECONDS = 20
const CHUNK_BYTES = 64 * 1024

export async function measureExport(workspace: Workspace): Promise<Row[]> {
  const sink = await openSink()
  try {
    const jobId = await createJob(workspace, sink.url, { format: 'csv', compress: true })
    const before = workspace.server.memory()
    const rounds: { export: number; gzip: number; text: number }[] = []
    let grown = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const watch = setInterval(() => (grown = Math.max(grown, workspace.server.memory() - before)), POLL_MILLISECONDS)
      const seconds = await runExport(workspace, jobId).finally(() => clearInterval(watch))
      const text = gunzipSync(sink.last())
      rounds.push({ export: seconds, gzip: await packAlone(text), text: text.length })
      process.stderr.write(`export: ${seconds.toFixed(1)} s, gzip alone ${rounds.at(-1)!.gzip.toFixed(1)} s\n`)
    }
    return toRows(rounds, grown, await readWhileExporting(workspace, jobId))
  } finally {
    await sink.close()
  }
}

function toRows(
  rounds: readonly { export: number; gzip: number; text: number }[],
  grown: number,
  reading: readonly { idle: number; busy: number }[],
): Row[] {
  const ratio = median(rounds.map((round) => round.export / round.gzip))
  const rate = median(rounds.map((round) => round.text / round.export)) / 1e6
  const seconds = (of: 'export' | 'gzip'): string => `${median(rounds.map((round) => round[of])).toFixed(1)} s`
  const megabytes = grown / 1024 ** 2
  const slower = median(reading.map(({ idle, busy }) => busy / idle))
  return [
    {
      name: 'export of all records to csv and gzip, from the trigger to its stored success; reference: gzip of the rendered text alone',
      pimlet: seconds('export'),
      reference: seconds('gzip'),
      ratio,
      bar: `≤ ${BAR} ×`,
      isHeld: ratio <= BAR,
    },
    {
      name: 'the same, csv before it is packed; reference: a headless CMS on SQLite that does not pack it (measured elsewhere)',
      pimlet: `${rate.toFixed(0)} MB/s`,
      reference: `${PEER_RATE} MB/s`,
      ratio: rate / PEER_RATE,
    },
    {
      name: 'memory that the server takes more during exports',
      pimlet: `${megabytes.toFixed(0)} MB`,
      bar: `< ${MEMORY_BAR} MB`,
      isHeld: megabytes < MEMORY_BAR,
    },
    {
      name: `GET one record, p99, at ${READERS} connections during an export; reference: idle`,
      pimlet: milliseconds(median(reading.map(({ busy }) => busy))),
      reference: milliseconds(median(reading.map(({ idle }) => idle))),
      ratio: slower,
      bar: `≤ ${READING_BAR} ×`,
      isHeld: slower <= READING_BAR,
    },
  ]
}

/** Resolves to milliseconds: the p99 of GET, round by round. */
async function readWhileExporting(workspace: Workspace, jobId: string): Promise<{ idle: number; busy: number }[]> {
  const ids = workspace.files.listIds()
  const read = (milliseconds: number): Promise<LoadResult> =>
    readRecords(workspace.server, ids, milliseconds, { connections: READERS })
  const rounds: { idle: number; busy: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    // After a pause, V8 may have dropped the compiled code.
    await read(WARM_UP_MILLISECONDS)
    const idle = await read(IDLE_MILLISECONDS)
    const exporting = runExport(workspace, jobId)
    const busy = await read(IDLE_MILLISECONDS)
    await exporting
    rounds.push({ idle: idle.p99, busy: busy.p99 })
  }
  return rounds
}

async function packAlone(text: Buffer): Promise<number> {
  const chunks = Array.from({ length: Math.ceil(text.length / CHUNK_BYTES) }, (_, index) =>
    text.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
  )
  const begin = performance.now()
  await pipeline(
    Readable.from(chunks),
    createGzip({ chunkSize: CHUNK_BYTES }),
    new Writable({ write: (_packed, _encoding, done) => done() }),
  )
  return (performance.now() - begin) / 1000
}
