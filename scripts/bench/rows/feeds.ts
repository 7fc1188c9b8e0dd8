// Exports a delta of one record in a hundred, compared with the full file of the same job.
import { SCHEMA_ID } from '../catalogue.ts'
import { call, createJob, openSink, runExport } from '../export-runs.ts'
import { median } from '../statistics.ts'
import { milliseconds, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'

const ROUNDS = 5
const SHARE = 100
const BAR = 0.1
/** Records that one request changes. */
const PER_BATCH = 1000

export async function measureFeeds(workspace: Workspace): Promise<Row[]> {
  const sink = await openSink()
  try {
    const ids = workspace.files.listIds()
    const changed = ids.filter((_id, index) => index % SHARE === 0)
    const rounds: { full: number; delta: number }[] = []
    const job = { format: 'csv', compress: false, delta: {}, schemaId: SCHEMA_ID }
    for (let round = 0; round < ROUNDS; round += 1) {
      const jobId = await createJob(workspace, sink.url, job)
      const full = await runExport(workspace, jobId)
      await change(workspace, changed, round)
      await workspace.files.whenIndexed()
      const delta = await runExport(workspace, jobId)
      const lines = sink.last().toString('latin1').split('\r\n').length - 2
      if (lines !== changed.length) throw new Error(`The delta has ${lines} lines`)
      rounds.push({ full, delta })
      process.stderr.write(`full ${full.toFixed(2)} s, delta ${delta.toFixed(3)} s\n`)
    }
    const ratio = median(rounds.map(({ full, delta }) => delta / full))
    return [
      {
        name: `delta of ${changed.length} records that changed, from the trigger to its stored success; reference: the full file`,
        pimlet: milliseconds(1000 * median(rounds.map(({ delta }) => delta))),
        reference: milliseconds(1000 * median(rounds.map(({ full }) => full))),
        ratio,
        bar: `≤ ${BAR} ×`,
        isHeld: ratio <= BAR,
      },
    ]
  } finally {
    await sink.close()
  }
}

async function change(workspace: Workspace, ids: readonly string[], round: number): Promise<void> {
  for (let from = 0; from < ids.length; from += PER_BATCH) {
    const values = { stock: [{ scope: {}, value: 300_000 + round }] }
    const operations = ids.slice(from, from + PER_BATCH).map((id) => ({ op: 'patch', id, values }))
    await call(workspace, 'POST', '/api/v1/records/batch', { operations })
  }
}
