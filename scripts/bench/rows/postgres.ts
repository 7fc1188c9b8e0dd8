// Compares a server on PostgreSQL with the same server on SQLite, on the same records, and with the same statements
// alone.
import path from 'node:path'
import { measureFinding } from '../postgres/finding.ts'
import { ratioRow, type Round } from '../postgres/ratio.ts'
import {
  measureExporting,
  measureListing,
  measureReadingOne,
  measureReadingWhileWriting,
  measureTwoServers,
} from '../postgres/reading.ts'
import { openSides, type Sides } from '../postgres/sides.ts'
import { measureCreatingFarAway, measureFilling, measureManyAtOnce, measureUpdating } from '../postgres/writing.ts'
import { pimletBundle, startPimlet } from '../processes.ts'
import { milliseconds, renderTable, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'

const STARTS = 3

type Measure = (sides: Sides, records: number, workspace: Workspace) => Promise<Row[]>

/** Measurements by their name in `--postgres`; the first one fills both sides, and always runs. */
const PARTS: Readonly<Record<string, Measure>> = {
  filling: measureFilling,
  sizes: measureSizes,
  get: measureReadingOne,
  list: measureListing,
  search: measureFinding,
  mixed: measureReadingWhileWriting,
  far: measureCreatingFarAway,
  many: measureManyAtOnce,
  update: measureUpdating,
  export: measureExporting,
  start: measureFirstStart,
  two: measureTwoServers,
}

/** @param parts names, separated by commas; undefined: all */
export async function measurePostgres(workspace: Workspace, records: number, parts?: string): Promise<Row[]> {
  const chosen = parts?.split(',') ?? Object.keys(PARTS)
  const unknown = chosen.find((name) => PARTS[name] === undefined)
  if (unknown !== undefined) throw new Error(`--postgres knows ${Object.keys(PARTS).join(', ')}, not ${unknown}`)
  const sides = await openSides(workspace)
  const rows: Row[] = []
  try {
    for (const name of Object.keys(PARTS).filter((part) => part === 'filling' || chosen.includes(part))) {
      try {
        const found = await PARTS[name]!(sides, records, workspace)
        process.stderr.write(`${renderTable(found)}\n`)
        rows.push(...found)
      } catch (error) {
        // The other parts are still useful without the failed one.
        process.stderr.write(`${name}: ${error instanceof Error ? error.stack : String(error)}\n`)
        process.exitCode = 1
      }
    }
    return rows
  } finally {
    await sides.close()
  }
}

async function measureSizes({ sqlite, postgres }: Sides, records: number): Promise<Row[]> {
  const round = { postgres: (await postgres.bytes()) / records, reference: (await sqlite.bytes()) / records }
  const unit = (bytes: number): string => `${Math.round(bytes)} bytes`
  return [ratioRow({ name: 'tables and indexes per record; reference: SQLite', rounds: [round], unit })]
}

/** Starts on an empty database: tables, the first user and the keys are made. */
async function measureFirstStart({ database }: Sides, _records: number, { directory }: Workspace): Promise<Row[]> {
  const bundle = pimletBundle(path.join(directory, 'bundle'))
  const timed = async (name: string, flags: readonly string[] = []): Promise<number> => {
    const begin = performance.now()
    const server = await startPimlet(bundle, path.join(directory, name), flags)
    const time = performance.now() - begin
    await server.stop()
    return time
  }
  const rounds: Round[] = []
  for (let start = 0; start < STARTS; start += 1) {
    const url = await database.create(`start_${start}`)
    rounds.push({
      reference: await timed(`start-${start}`),
      postgres: await timed(`start-postgres-${start}`, ['--database-url', url]),
    })
  }
  return [ratioRow({ name: 'first start, to the listening line; reference: SQLite', rounds, unit: milliseconds })]
}
