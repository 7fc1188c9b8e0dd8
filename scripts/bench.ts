// `npm run bench [-- --records N] [--only rows] [--attack NAME] [--pictures N] [--picture-bytes N] [--postgres PARTS] [--write FILE]`:
// measures the built server from another process, beside its references, and prints a table. docs/performance.md explains the rows.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { describeRun, withReport } from './bench/report.ts'
import { measureAttacks } from './bench/rows/attacks.ts'
import { measureBackup } from './bench/rows/backup.ts'
import { measureBulk } from './bench/rows/bulk.ts'
import { measureCombined } from './bench/rows/combined.ts'
import { measureCreation } from './bench/rows/create.ts'
import { measureConsole } from './bench/rows/console.ts'
import { measureCosts } from './bench/rows/costs.ts'
import { measureEvents } from './bench/rows/events.ts'
import { measureFeeds } from './bench/rows/feeds.ts'
import { measureFinding } from './bench/rows/finding.ts'
import { measureFiles } from './bench/rows/files.ts'
import { measureDeliveries, measureZip } from './bench/rows/pictures.ts'
import { measureExport } from './bench/rows/export.ts'
import { measureImport } from './bench/rows/import.ts'
import { measureReading } from './bench/rows/get.ts'
import { measureListing } from './bench/rows/list.ts'
import { measureReadingWhileWriting } from './bench/rows/mixed.ts'
import { measurePostgres } from './bench/rows/postgres.ts'
import { measureGrowth, measureSearch } from './bench/rows/search.ts'
import { measureReadingWhileSearching } from './bench/rows/searching.ts'
import { measureSheets } from './bench/rows/sheets.ts'
import { measureStarting } from './bench/rows/start.ts'
import { measureUpdates } from './bench/rows/update.ts'
import { renderTable, type Row } from './bench/table.ts'
import { openWorkspace, type Workspace } from './bench/workspace.ts'

const BASE_RECORDS = 100_000
const MEMORY_BAR = 300
/** A limit far above the time of a run, so that every run ends. */
const MILLISECONDS_PER_RECORD = 4
const MILLISECONDS_PER_PICTURE = 200
const MILLISECONDS_PER_BYTE = 0.001
const MILLISECONDS_AT_LEAST = 600_000

const SECTIONS: Record<string, (workspace: Workspace, records: number) => Promise<Row[]>> = {
  create: measureCreation,
  get: measureReading,
  list: measureListing,
  search: measureSearch,
  combined: measureCombined,
  finding: measureFinding,
  searching: measureReadingWhileSearching,
  mixed: measureReadingWhileWriting,
  update: measureUpdates,
  export: measureExport,
  import: measureImport,
  bulk: measureBulk,
  sheets: measureSheets,
  feeds: measureFeeds,
  events: measureEvents,
  backup: measureBackup,
  files: measureFiles,
  zip: (workspace) => measureZip(workspace, Number(values.pictures)),
  deliveries: (workspace) =>
    measureDeliveries(workspace, { count: Number(values.pictures), size: Number(values['picture-bytes']) }),
  console: measureConsole,
  costs: measureCosts,
  start: measureStarting,
  attacks: (workspace) => measureAttacks(workspace, values.attack),
  postgres: (workspace) => measurePostgres(workspace, records, values.postgres),
}

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '100000' },
    only: { type: 'string' },
    attack: { type: 'string' },
    pictures: { type: 'string', default: '1000' },
    'picture-bytes': { type: 'string', default: '200000' },
    postgres: { type: 'string' },
    write: { type: 'string' },
  },
})
const records = Number(values.records)
const only = values.only?.split(',') ?? Object.keys(SECTIONS)
const unknown = only.find((name) => SECTIONS[name] === undefined)
if (!Number.isSafeInteger(records) || records < 1000) throw new Error('--records must be a whole number from 1000')
if (unknown !== undefined) throw new Error(`--only knows ${Object.keys(SECTIONS).join(', ')}, not ${unknown}`)

if (!(Number(values.pictures) >= 1)) throw new Error('--pictures must be a whole number from 1')

const millisecondsPerPicture = MILLISECONDS_PER_PICTURE + Number(values['picture-bytes']) * MILLISECONDS_PER_BYTE
const watchdog = setTimeout(
  () => {
    process.stderr.write('The run takes too long and is given up\n')
    process.exit(1)
  },
  MILLISECONDS_AT_LEAST + records * MILLISECONDS_PER_RECORD + Number(values.pictures) * millisecondsPerPicture,
)

const workspace = await openWorkspace()
try {
  const base = Math.min(records, BASE_RECORDS)
  // The row `postgres` makes its own workspaces.
  const isAlone = only.every((name) => name === 'postgres')
  if (!only.includes('create') && !isAlone) await workspace.create(base)
  await workspace.files.whenIndexed()
  const rows: Row[] = []
  for (const name of Object.keys(SECTIONS).filter((section) => only.includes(section))) {
    const begin = performance.now()
    const found = await SECTIONS[name]!(workspace, base)
    rows.push(...found)
    const [seconds, memory] = [(performance.now() - begin) / 1000, workspace.server.peakMemory() / 1024 ** 2]
    process.stderr.write(`${name}: ${seconds.toFixed(1)} s, ${Math.round(memory)} MB\n${renderTable(found)}\n`)
  }
  if (!isAlone) rows.push(toMemoryRow(workspace))
  if (records > base && !isAlone) {
    rows.push(...(await measureGrowth(workspace, base, records)))
    if (only.includes('combined'))
      rows.push(...(await measureCombined(workspace)).map((row) => withCount(row, records)))
  }
  const report = describeRun({ rows, records, source: workspace.catalogue.source })
  console.log(report)
  if (values.write !== undefined) writeFileSync(values.write, withReport(values.write, report))
} finally {
  await workspace.close()
  clearTimeout(watchdog)
}

function withCount(row: Row, count: number): Row {
  return { ...row, name: `with ${count.toLocaleString('en-US')} records: ${row.name}` }
}

function toMemoryRow({ server }: Workspace): Row {
  const memory = server.peakMemory() / 1024 ** 2
  return {
    name: 'memory of the server, the most at any moment (RSS)',
    pimlet: `${Math.round(memory)} MB`,
    bar: `< ${MEMORY_BAR} MB`,
    isHeld: memory < MEMORY_BAR,
  }
}
