// Changes many records by a bulk job, its undo and batches, compared with an import of the same number; reads
// meanwhile.
import { SCHEMA_ID } from '../catalogue.ts'
import { httpRequest, runLoad } from '../load.ts'
import { API_KEY } from '../processes.ts'
import { median } from '../statistics.ts'
import { milliseconds, perSecond, type Row } from '../table.ts'
import type { Served, Workspace } from '../workspace.ts'
import { readRecords } from './get.ts'

const ROUNDS = 3
/** Most records that one selection may name. */
const MOST_RECORDS = 10_000
const PER_BATCH = 100
const BATCH_CONNECTIONS = 4
const BULK_BAR = 0.5
const BATCH_BAR = 0.8
const P99_BAR = 3
const READERS = 16
const READING_MILLISECONDS = 3000

interface Job {
  readonly id: string
  readonly status: string
  readonly failed: number
}

export async function measureBulk(workspace: Workspace): Promise<Row[]> {
  const ids = workspace.files.listIds()
  const chosen = ids.slice(0, Math.min(MOST_RECORDS, Math.floor(ids.length / 2)))
  const rounds: Awaited<ReturnType<typeof measureRound>>[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const rates = await measureRound(workspace, chosen, round)
    const told = Object.entries(rates).map(([name, rate]) => `${name} ${Math.round(rate)}/s`)
    process.stderr.write(`${told.join(', ')}\n`)
    rounds.push(rates)
  }
  const ratioRow = (name: string, key: keyof (typeof rounds)[number], bar?: number): Row => {
    const ratio = median(rounds.map((rates) => rates[key] / rates.import))
    return {
      name: `${name}, written and indexed; reference: import of as many`,
      pimlet: perSecond(median(rounds.map((rates) => rates[key]))),
      reference: perSecond(median(rounds.map((rates) => rates.import))),
      ratio,
      bar: bar === undefined ? '' : `≥ ${bar}`,
      isHeld: bar === undefined ? undefined : ratio >= bar,
    }
  }
  return [
    ratioRow(`bulk job that sets one value of ${chosen.length} records`, 'bulk', BULK_BAR),
    ratioRow('its undo', 'undo'),
    ratioRow(`batches of ${PER_BATCH} creates at ${BATCH_CONNECTIONS} connections`, 'batch', BATCH_BAR),
    await readWhileChanging(workspace, chosen),
  ]
}

export async function measureRound(workspace: Served, chosen: readonly string[], round: number) {
  const count = chosen.length
  await workspace.writer.prepareImport(workspace.takeNumbers(count), count)
  const rateOf = async (work: () => Promise<unknown>): Promise<number> => {
    const begin = performance.now()
    await work()
    await workspace.files.whenIndexed()
    return (count / (performance.now() - begin)) * 1000
  }
  const imported = await rateOf(() => workspace.writer.import(workspace.server.port))
  let job: Job
  const bulk = await rateOf(async () => (job = await runJob(workspace, '/api/v1/bulk-jobs', changeOf(chosen, round))))
  const undo = await rateOf(() => runJob(workspace, `/api/v1/bulk-jobs/${job.id}/undo`, {}))
  const requests = batchesOf(workspace, count)
  const batch = await rateOf(() =>
    runLoad({ port: workspace.server.port, connections: BATCH_CONNECTIONS, nextRequest: () => requests.pop() }),
  )
  return { import: imported, bulk, undo, batch }
}

function changeOf(ids: readonly string[], round: number): object {
  const stock = [{ scope: {}, value: 200_000 + round }]
  return { selection: { ids }, actions: [{ patchValues: { stock } }] }
}

function batchesOf(workspace: Served, count: number): string[] {
  return Array.from({ length: count / PER_BATCH }, () => {
    const from = workspace.takeNumbers(PER_BATCH)
    const operations = Array.from({ length: PER_BATCH }, (_, index) => ({
      op: 'create',
      schemaId: SCHEMA_ID,
      values: workspace.catalogue.valuesOf(from + index),
    }))
    return httpRequest('POST', '/api/v1/records/batch', API_KEY, JSON.stringify({ operations }))
  })
}

/** Resolves to the ended job. @throws where a record was not changed */
async function runJob(workspace: Pick<Served, 'server'>, path: string, body: object): Promise<Job> {
  const url = `http://127.0.0.1:${workspace.server.port}`
  const headers = { 'x-service-apikey': API_KEY, 'content-type': 'application/json' }
  const posted = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (posted.status !== 202) throw new Error(`${path}: ${await posted.text()}`)
  let job = (await posted.json()) as Job
  while (job.status === 'queued' || job.status === 'running')
    job = (await (await fetch(`${url}/api/v1/bulk-jobs/${job.id}?wait=25`, { headers })).json()) as Job
  if (job.status !== 'succeeded' || job.failed > 0) {
    const errors = await (await fetch(`${url}/api/v1/bulk-jobs/${job.id}/errors?limit=1`, { headers })).text()
    throw new Error(`The job is ${JSON.stringify(job)}: ${errors}`)
  }
  return job
}

async function readWhileChanging(workspace: Workspace, chosen: readonly string[]): Promise<Row> {
  const ids = workspace.files.listIds()
  const read = () => readRecords(workspace.server, ids, READING_MILLISECONDS, { connections: READERS })
  const rounds = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const idle = await read()
    let isDone = false
    const changing = (async (): Promise<void> => {
      for (let value = 0; !isDone; value += 1)
        await runJob(workspace, '/api/v1/bulk-jobs', changeOf(chosen, ROUNDS * (1 + round) + value))
    })()
    const busy = await read()
    isDone = true
    await changing
    await workspace.files.whenIndexed()
    rounds.push({ idle: idle.p99, busy: busy.p99 })
  }
  const ratio = median(rounds.map(({ idle, busy }) => busy / idle))
  return {
    name: `GET one record, p99, at ${READERS} connections during a bulk job; reference: without`,
    pimlet: milliseconds(median(rounds.map(({ busy }) => busy))),
    reference: milliseconds(median(rounds.map(({ idle }) => idle))),
    ratio,
    bar: `≤ ${P99_BAR} ×`,
    isHeld: ratio <= P99_BAR,
  }
}
