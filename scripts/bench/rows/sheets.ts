// Writes and reads all records as xlsx, compared with csv.
import { parse } from 'csv-parse/sync'
import { createJob, openSink, runExport } from '../export-runs.ts'
import { API_KEY } from '../processes.ts'
import { median } from '../statistics.ts'
import { perSecond, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'

const ROUNDS = 3
const BAR = 0.25
const MEMORY_BAR = 150
const FORMATS = ['csv', 'xlsx'] as const
const TYPES = { csv: 'text/csv', xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' }

type Format = (typeof FORMATS)[number]
type Taken = Record<Format, { seconds: number; megabytes: number }>

export async function measureSheets(workspace: Workspace, records: number): Promise<Row[]> {
  const sink = await openSink()
  try {
    const jobs = {
      csv: await createJob(workspace, sink.url, { format: 'csv', compress: false }),
      xlsx: await createJob(workspace, sink.url, { format: 'xlsx', compress: false }),
    }
    const exports: Taken[] = []
    const imports: Taken[] = []
    const files: Partial<Record<Format, Buffer>> = {}
    for (let round = 0; round < ROUNDS; round += 1) {
      exports.push(
        await takeBoth(async (format) => {
          const seconds = await measured(workspace, () => runExport(workspace, jobs[format]))
          files[format] = sink.last()
          return seconds
        }),
      )
      imports.push(
        await takeBoth((format) =>
          measured(workspace, () => sendFile(workspace, files[format]!, TYPES[format], records)),
        ),
      )
      process.stderr.write(`export ${JSON.stringify(exports.at(-1))}, import ${JSON.stringify(imports.at(-1))}\n`)
    }
    const columns = parse(files.csv!, { to: 1 })[0]!.length
    const text = files.csv!.length / 1e6
    return [
      ratioRow(
        `export of all records, ${columns} columns, to xlsx; reference: to csv (${rateOf(text, exports)})`,
        records,
        exports,
      ),
      memoryRow('memory that the server takes more while it writes an xlsx', exports),
      ratioRow(
        `import of that xlsx, where nothing changes; reference: of the csv (${rateOf(text, imports)})`,
        records,
        imports,
      ),
      memoryRow('memory that the server takes more while it reads an xlsx', imports),
    ]
  } finally {
    await sink.close()
  }
}

async function takeBoth(take: (format: Format) => Promise<Taken[Format]>): Promise<Taken> {
  return { csv: await take('csv'), xlsx: await take('xlsx') }
}

async function measured({ server }: Workspace, work: () => Promise<unknown>): Promise<Taken[Format]> {
  const before = server.memory()
  server.forgetPeak()
  const begin = performance.now()
  await work()
  const seconds = (performance.now() - begin) / 1000
  return { seconds, megabytes: Math.max(0, server.peakMemory() - before) / 1024 ** 2 }
}

async function sendFile({ server }: Workspace, file: Buffer, type: string, records: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${server.port}/api/v1/records/import?mode=upsert`, {
    method: 'POST',
    headers: { 'x-service-apikey': API_KEY, 'content-type': type },
    body: file,
  })
  const result = (await response.json()) as { unchanged?: number }
  if (result.unchanged !== records) throw new Error(`The import answered ${JSON.stringify(result).slice(0, 500)}`)
}

function ratioRow(name: string, records: number, rounds: readonly Taken[]): Row {
  const rate = (format: Format): string => perSecond(median(rounds.map((taken) => records / taken[format].seconds)))
  const ratio = median(rounds.map(({ csv, xlsx }) => csv.seconds / xlsx.seconds))
  return { name, pimlet: rate('xlsx'), reference: rate('csv'), ratio, bar: `≥ ${BAR}`, isHeld: ratio >= BAR }
}

function rateOf(megabytes: number, rounds: readonly Taken[]): string {
  return `${median(rounds.map(({ csv }) => megabytes / csv.seconds)).toFixed(0)} MB/s`
}

function memoryRow(name: string, rounds: readonly Taken[]): Row {
  const [xlsx, csv] = [Math.max, Math.max].map((most, at) =>
    most(...rounds.map((taken) => (at === 0 ? taken.xlsx : taken.csv).megabytes)),
  ) as [number, number]
  const isHeld = xlsx <= MEMORY_BAR
  return {
    name,
    pimlet: `${xlsx.toFixed(0)} MB`,
    reference: `csv: ${csv.toFixed(0)} MB`,
    bar: `≤ ${MEMORY_BAR} MB`,
    isHeld,
  }
}
