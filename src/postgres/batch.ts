// Transactions in one commit. They run at the same time while none needs the writes of another. Then the batch takes as
// many round trips as its longest chain of reads. From the first transaction that needs such writes, they run again,
// one after another. The loaded values are used again. All writes are sent with the COMMIT.
import { allOf, type BatchState, sendAll } from './batch-state.ts'
import type { ModelCache } from './committed-model.ts'
import type { Connection } from './connection.ts'
import { translateError } from './postgres-errors.ts'
import { GatheredLoads } from './gathered-loads.ts'
import { keyOf, Layer } from './layer.ts'
import { assertWritable } from './migrate.ts'
import type { ModelState } from './model-state.ts'
import type { FlushIndex } from './search-index/flush-index.ts'
import type { Job } from '../store/transactions.ts'
import type { Load } from '../store/rows/session.ts'
import { Transacting } from './transacting.ts'
import { lockWorkspace, UPDATE_WORKSPACE } from './workspace-row.ts'
import { WriterNumbers } from './writer-numbers.ts'

/** Identifies a committed batch. */
export interface CommitMark {
  /** Names the server among all servers that write to the database. */
  readonly server: string
  /** Numbers the batches of the server. */
  readonly batch: number
}

const MARK = `INSERT INTO commit_mark (server, batch, at) VALUES ($1, $2, clock_timestamp())
  ON CONFLICT (server) DO UPDATE SET batch = excluded.batch, at = excluded.at`

interface Outcome {
  readonly run: Transacting
  /** Settles the promise of the job. */
  readonly tell: () => void
  readonly isSuccess: boolean
}

const MOST_JOBS = 64
/** Milliseconds after which a batch begins no further transaction, because transactions of other servers wait. */
const MILLISECONDS = 20

export class Batch implements BatchState {
  readonly connection: Connection
  readonly index: FlushIndex
  readonly layer = new Layer()
  readonly together = new Set<Transacting>()
  numbers!: WriterNumbers
  model!: ModelState
  readonly #models: ModelCache
  readonly #most: number
  readonly #jobs: Job<Transacting>[] = []
  readonly #tell: (() => void)[] = []
  /** Values that were looked up, by key; undefined: the value does not exist. */
  readonly #known = new Map<string, Promise<unknown>>()
  readonly #loads: GatheredLoads
  /** Names the transaction, so that other servers recognise its commit. */
  transaction!: string
  readonly #mark: CommitMark

  /** @param most the most jobs of the batch */
  constructor(
    connection: Connection,
    { models, index, mark }: { readonly models: ModelCache; readonly index: FlushIndex; readonly mark: CommitMark },
    most = MOST_JOBS,
  ) {
    this.connection = connection
    this.#mark = mark
    this.#loads = new GatheredLoads(connection)
    this.index = index
    this.#models = models
    this.#most = most
  }

  get size(): number {
    return this.#jobs.length
  }

  /**
   * Takes jobs from `queue`, which has at least one job, and runs them.
   * @throws a fault that fails all jobs
   */
  async run(queue: Job<Transacting>[]): Promise<void> {
    const began = this.connection.begin()
    const locked = lockWorkspace(this.connection)
    await allOf([began, locked])
    const { transaction, ...row } = await locked
    this.transaction = transaction
    assertWritable(row)
    this.numbers = new WriterNumbers(row)
    this.model = await this.#models.at(row.model, this.connection)
    const end = performance.now() + MILLISECONDS
    const long = queue.findIndex(({ isLong }) => isLong)
    const first = queue.slice(0, Math.min(this.#most, long === -1 ? this.#most : long))
    const done = await this.#runTogether(first)
    this.#jobs.push(...queue.splice(0, done))
    do {
      const next = queue[0]
      if (next === undefined || (next.isLong && this.size > 0) || this.size >= this.#most) return
      this.#jobs.push(queue.shift()!)
      await this.#runAlone(next)
      if (next.isLong) return
    } while (performance.now() < end)
  }

  async commit(): Promise<void> {
    const { numbers, layer } = this
    const { row, version, n, exportFeeds } = numbers
    const { records, keptAnswerBytes, model, credentials, jobs } = layer.added
    const answers: Promise<unknown>[] = sendAll(this, layer, layer.model === undefined ? this.model.model : undefined)
    const counted = [row.records + records, row.keptAnswerBytes + keptAnswerBytes, exportFeeds]
    const changed = [row.model + model, row.credentials + credentials, row.jobs + jobs]
    answers.push(this.connection.run(MARK, [this.#mark.server, this.#mark.batch]))
    answers.push(this.connection.run(UPDATE_WORKSPACE, [version, n, ...counted, ...changed]))
    answers.push(this.connection.commit())
    await allOf(answers)
  }

  /** The batch is durable: settles the promise of each job. */
  settle(): void {
    if (this.layer.model !== undefined)
      this.#models.put(this.layer.model, this.numbers.row.model + this.layer.added.model)
    for (const tell of this.#tell) tell()
  }

  /** Nothing was written, or the outcome is unknown: rejects every job. */
  fail(error: unknown): void {
    for (const { reject } of this.#jobs) reject(error)
  }

  /** Nothing of the batch was written: its jobs wait again. */
  giveBack(queue: Job<Transacting>[]): void {
    queue.unshift(...this.#jobs.splice(0))
  }

  async load<Value>(kind: string, ids: readonly string[], load: Load<Value>): Promise<ReadonlyMap<string, Value>> {
    for (const id of ids) {
      const key = keyOf(kind, id)
      if (this.#known.has(key)) continue
      const loading = this.#loads.load(kind, id, load)
      loading.catch(() => undefined)
      this.#known.set(key, loading)
    }
    const found = new Map<string, Value>()
    for (const id of ids) {
      const value = (await this.#known.get(keyOf(kind, id))) as Value | undefined
      if (value !== undefined) found.set(id, value)
    }
    return found
  }

  know(kind: string, id: string, value: unknown): void {
    this.#known.set(keyOf(kind, id), Promise.resolve(value))
  }

  forget(): void {
    this.#known.clear()
  }

  /** Runs jobs at the same time. @returns the number of first jobs whose results count */
  async #runTogether(jobs: readonly Job<Transacting>[]): Promise<number> {
    const runs = jobs.map(() => new Transacting(this, false))
    for (const run of runs) this.together.add(run)
    const outcomes = await Promise.all(jobs.map((job, index) => outcomeOf(job, runs[index]!)))
    this.together.clear()
    const { version } = this.numbers.row
    const fitting = outcomes.slice(0, countFitting(outcomes, version))
    placeInOrder(fitting.flatMap(({ run, isSuccess }) => (isSuccess ? run.layer : [])))
    for (const { run, isSuccess, tell } of fitting) {
      this.#tell.push(tell)
      if (isSuccess) await run.succeed()
    }
    this.numbers.version = version + fitting.flatMap(({ run, isSuccess }) => (isSuccess ? run.versions : [])).length
    return fitting.length
  }

  async #runAlone(job: Job<Transacting>): Promise<void> {
    const undo = this.numbers.mark()
    const { run, isSuccess, tell } = await outcomeOf(job, new Transacting(this, true))
    this.#tell.push(tell)
    if (isSuccess) return
    undo()
    await run.fail()
  }
}

async function outcomeOf(job: Job<Transacting>, run: Transacting): Promise<Outcome> {
  try {
    const result = await run.perform(() => job.run(run))
    // If other transactions run at the same time, nobody knows yet whether this run counts.
    if (run.isAlone) await run.succeed()
    return { run, isSuccess: true, tell: () => job.resolve(result) }
  } catch (error) {
    return { run, isSuccess: false, tell: () => job.reject(translateError(error)) }
  }
}

/**
 * Gives new records the order in which their transactions were requested, not the order in which they became ready. So
 * the records of an import follow the lines of the file.
 */
function placeInOrder(layers: readonly Layer[]): void {
  const added = layers.flatMap((layer) => [...layer.addedRecords()].map(([id, { n }]) => ({ layer, id, n })))
  const places = added.map(({ n }) => n).sort((a, b) => a - b)
  for (const [index, { layer, id, n }] of added.entries()) if (n !== places[index]) layer.moveRecord(id, places[index]!)
}

/**
 * Counts the first transactions that agree: none has read the writes of an earlier one, and their versions are in
 * order.
 */
function countFitting(outcomes: readonly Outcome[], version: number): number {
  const written = new Set<string>()
  let last = version
  for (const [index, { run, isSuccess }] of outcomes.entries()) {
    if (run.needsToBeAlone || !written.isDisjointFrom(run.read) || !written.isDisjointFrom(run.written)) return index
    if (!isSuccess) continue
    if (run.versions.some((given) => given !== (last += 1))) return index
    for (const key of run.written) written.add(key)
  }
  return outcomes.length
}

/**
 * Resolves to whether a batch whose COMMIT got no answer is committed. @throws UNAVAILABLE if the database cannot be
 * asked
 */
export async function wasCommitted(connection: Connection, { server, batch }: CommitMark): Promise<boolean> {
  await connection.begin()
  // The COMMIT may still be under way: then its transaction holds the lock.
  await lockWorkspace(connection)
  const sql = 'SELECT batch FROM commit_mark WHERE server = $1'
  const [row] = await connection.rows<{ batch: number }>(sql, [server])
  await connection.commit()
  return row?.batch === batch
}
