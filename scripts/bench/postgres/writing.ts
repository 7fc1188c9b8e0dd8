// Writes on both sides, and runs the same statements alone in PostgreSQL.
import { API_KEY } from '../processes.ts'
import { httpRequest, type LoadResult, runLoad } from '../load.ts'
import { measureRound } from '../rows/bulk.ts'
import { randomNumbers } from '../statistics.ts'
import { perSecond, type Row } from '../table.ts'
import { openBareFlush } from './bare-flush.ts'
import { openDelay } from './delay.ts'
import { ratioRow, type Round } from './ratio.ts'
import { creations, type Side, type Sides } from './sides.ts'
import { runCreations } from '../workspace.ts'

const FILLING_ROUNDS = 4
const ROUNDS = 3
const MANY = 64
const SOME = 16
/** Most records that rows after the first write in a round. */
const MOST = 10_000
const UPDATE_MILLISECONDS = 5000

/** Fills both sides. */
export async function measureFilling(sides: Sides, records: number): Promise<Row[]> {
  const [toSqlite, toBare]: [Round[], Round[]] = [[], []]
  const size = Math.ceil(records / FILLING_ROUNDS)
  const bare = await openBareFlush(sides, 'bare_64')
  try {
    for (let round = 0; round < FILLING_ROUNDS; round += 1) {
      const from = sides.takeNumbers(size)
      const reference = await createIndexed(sides.sqlite, from, size, MANY)
      const postgres = await createIndexed(sides.postgres, from, size, MANY)
      toSqlite.push({ postgres, reference })
      toBare.push({ postgres, reference: await bare.insert(from, size, MANY) })
      process.stderr.write(
        `create ${size}: ${Math.round(postgres)}/s, SQLite ${Math.round(reference)}/s, bare ${Math.round(toBare.at(-1)!.reference)}/s\n`,
      )
    }
  } finally {
    await bare.close()
  }
  const name = `create at ${MANY} connections, acknowledged and indexed; reference:`
  return [
    ratioRow({ name: `${name} SQLite`, rounds: toSqlite, unit: perSecond }),
    ratioRow({ name: `${name} the same statements alone, ${MANY} records in each`, rounds: toBare, unit: perSecond }),
  ]
}

export async function measureCreatingFarAway(sides: Sides, records: number): Promise<Row[]> {
  const size = Math.ceil(Math.min(records, MOST) / 4)
  const bare = await openBareFlush(sides, 'bare_16')
  const delay = await openDelay(sides.database.directory)
  const far = await sides.startAnother('far', sides.database.urlOf('pimlet', delay.directory))
  const [toBare, toNear]: [Round[], Round[]] = [[], []]
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const from = sides.takeNumbers(size)
      const near = await createIndexed(sides.postgres, from, size, SOME)
      toBare.push({ postgres: near, reference: await bare.insert(from, size, SOME) })
      const again = creations(sides.sqlite, sides.takeNumbers(size), size)
      toNear.push({ postgres: (await runCreations(far.port, again, SOME)).perSecond, reference: near })
    }
  } finally {
    await Promise.all([bare.close(), far.stop()])
    await delay.close()
  }
  return [
    ratioRow({
      name: `create at ${SOME} connections; reference: the same statements alone, ${SOME} records in each`,
      rounds: toBare,
      unit: perSecond,
      atLeast: 0.6,
    }),
    ratioRow({
      name: `create at ${SOME} connections, 1 ms away from its database; reference: without`,
      rounds: toNear,
      unit: perSecond,
      atLeast: 0.4,
    }),
  ]
}

type Rates = Awaited<ReturnType<typeof measureRound>>

/** Measures imports, jobs and batches. */
export async function measureManyAtOnce(sides: Sides, records: number): Promise<Row[]> {
  const count = Math.floor(Math.min(records / 2, MOST) / 100) * 100
  const rounds: { readonly reference: Rates; readonly postgres: Rates }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const [reference, postgres] = [
      await changeMany(sides.sqlite, count, round),
      await changeMany(sides.postgres, count, round),
    ]
    process.stderr.write(`${JSON.stringify({ reference, postgres })}\n`)
    rounds.push({ reference, postgres })
  }
  const row = (name: string, key: 'import' | 'bulk' | 'undo' | 'batch', atLeast?: number): Row =>
    ratioRow({
      name: `${name}, written and indexed; reference: SQLite`,
      rounds: rounds.map(({ postgres, reference }) => ({ postgres: postgres[key], reference: reference[key] })),
      unit: perSecond,
      ...(atLeast === undefined ? {} : { atLeast }),
    })
  return [
    row(`import of ${count} records as ndjson`, 'import', 0.4),
    row(`bulk job that sets one value of ${count} records`, 'bulk'),
    row('its undo', 'undo'),
    row('batches of 100 creates at 4 connections', 'batch'),
  ]
}

async function changeMany(side: Side, count: number, round: number) {
  return measureRound(side, (await side.ids()).slice(0, count), round)
}

export async function measureUpdating(sides: Sides): Promise<Row[]> {
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ reference: await update(sides.sqlite, round), postgres: await update(sides.postgres, round) })
  return [
    ratioRow({
      name: `update of a text and a number at ${SOME} connections, written and indexed; reference: SQLite`,
      rounds,
      unit: perSecond,
    }),
  ]
}

async function update(side: Side, round: number): Promise<number> {
  const ids = await side.ids()
  const random = randomNumbers(11 + round)
  const nextRequest = (): string => {
    const at = Math.floor(random() * ids.length)
    const body = JSON.stringify({ values: side.catalogue.changesOf(at + 1, round + 1) })
    return httpRequest('PUT', `/api/v1/records/${ids[at]!}`, API_KEY, body)
  }
  const { port } = side.server
  return timed(side, () => runLoad({ port, connections: SOME, nextRequest, milliseconds: UPDATE_MILLISECONDS }))
}

/** Resolves to records per second. */
export function createIndexed(side: Side, from: number, count: number, connections: number): Promise<number> {
  return timed(side, () => side.create(from, count, connections))
}

/** Making the requests takes time before the first one is sent. */
async function timed(side: Side, work: () => Promise<LoadResult>): Promise<number> {
  const { requests, seconds } = await work()
  const sent = performance.now()
  await side.files.whenIndexed()
  return requests / (seconds + (performance.now() - sent) / 1000)
}
