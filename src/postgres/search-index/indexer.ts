// Updates the search index to the committed state, slice by slice. Each slice is a transaction that locks the workspace
// row. So no record changes meanwhile, and nobody waits for long.
import type { Model } from '../../core/model/rules/model.ts'
import type { ReadRecord } from '../../core/search/plan/search-index.ts'
import { toNumbers } from '../../core/search/plan/record-numbers.ts'
import { ModelCache } from '../committed-model.ts'
import type { Connection } from '../connection.ts'
import { assertWritable } from '../migrate.ts'
import { readCategories } from '../search/category-sets.ts'
import { numbered, type Sql } from '../search/print-set.ts'
import { readRows } from '../search/read-rows.ts'
import { lockWorkspace } from '../workspace-row.ts'
import { IndexNumbers } from './index-numbers.ts'
import { continueRenewal } from './renewal.ts'
import { indexStatements, type IndexTask, placesOf, taskOf } from './index-statements.ts'

/** Records of a slice; fewer if they are large. */
const SLICE = 100
const MOST_COUNTED = 100_000

interface PendingRow {
  readonly sequence: number
  readonly record: number | null
  readonly schemaId: string | null
  readonly nextN: number
}

const PENDING = `SELECT sequence, record_n AS record, schema_id AS "schemaId", next_n AS "nextN"
  FROM index_pending ORDER BY record_n IS NULL, sequence LIMIT $1`

export class Indexer {
  readonly #connection: Connection
  readonly #models = new ModelCache()
  readonly #numbers = new IndexNumbers()

  /** @param connection used for nothing else */
  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Counts the noted changes, up to a limit. */
  async countPending(): Promise<number> {
    const sql = `SELECT count(*) AS number
      FROM (SELECT 1 FROM index_pending UNION ALL SELECT 1 FROM index_renewal LIMIT ${MOST_COUNTED}) AS pending`
    return (await this.#connection.rows<{ number: number }>(sql))[0]!.number
  }

  /** Indexes one slice of the noted changes. */
  async step(): Promise<void> {
    const connection = this.#connection
    await connection.begin()
    try {
      const workspace = await lockWorkspace(connection)
      assertWritable(workspace)
      if (!(await continueRenewal(connection))) await this.#indexPending(workspace.model)
      await connection.commit()
    } catch (error) {
      this.#numbers.forget()
      await connection.script('ROLLBACK').catch(() => undefined)
      throw error
    }
  }

  /** @param version of the model */
  async #indexPending(version: number): Promise<void> {
    const { model } = await this.#models.at(version, this.#connection)
    const pending = await this.#connection.rows<PendingRow>(PENDING, [SLICE])
    const [first] = pending
    if (first?.schemaId === null)
      await this.#indexRecords(
        pending.filter(({ record }) => record !== null),
        model,
      )
    else if (first !== undefined) await this.#indexSchema(first, model)
  }

  async #indexRecords(pending: readonly PendingRow[], model: Model): Promise<void> {
    const places = [...new Set(pending.map(({ record }) => record!))]
    const done = new Set(await this.#index(places, model))
    const over = pending.filter(({ record }) => done.has(record!)).map(({ sequence }) => sequence)
    await this.#connection.rows('DELETE FROM index_pending WHERE sequence = ANY ($1::bigint[])', [over])
  }

  async #indexSchema({ sequence, schemaId, nextN }: PendingRow, model: Model): Promise<void> {
    const sql = 'SELECT n FROM record WHERE schema_id = $1 AND n >= $2 ORDER BY n LIMIT $3'
    const rows = await this.#connection.rows<{ n: number }>(sql, [schemaId, nextN, SLICE])
    const places = rows.map(({ n }) => n)
    const done = await this.#index(places, model)
    if (rows.length < SLICE && done.length === places.length)
      await this.#connection.rows('DELETE FROM index_pending WHERE sequence = $1', [sequence])
    else
      await this.#connection.rows('UPDATE index_pending SET next_n = $2 WHERE sequence = $1', [
        sequence,
        done.at(-1)! + 1,
      ])
  }

  /** Indexes the first records that are small enough together. Resolves to their places. */
  async #index(places: readonly number[], model: Model): Promise<number[]> {
    if (places.length === 0) return []
    const connection = this.#connection
    const ask = <Row>({ sql, parameters }: Sql) => connection.rows<Row>(numbered(sql), parameters)
    const ordered = places.toSorted((one, other) => one - other)
    const rows = await readRows(toNumbers(ordered), true, ask)
    const last = await this.#lastOf(ordered, rows)
    const done = ordered.filter((n) => n <= last)
    const known = new Map(
      (
        await connection.rows<{ record: number; cells: string }>(
          'SELECT record, cells FROM record_cells WHERE record = ANY ($1::bigint[])',
          [done],
        )
      ).map(({ record, cells }) => [record, cells]),
    )
    const categories = rows.some(({ categoryIds }) => categoryIds!.length > 0)
      ? await readCategories(connection)
      : undefined
    const read = new Map(rows.map((row) => [row.n, row]))
    const tasks = done.map((n) => taskOf(n, read.get(n), known.get(n) ?? null, model, categories))
    await writeTasks(tasks, this.#numbers, connection)
    return done
  }

  /** Finds the last of the places covered by the rows. Places without a record are deleted, or come after the cut. */
  async #lastOf(places: readonly number[], rows: readonly ReadRecord[]): Promise<number> {
    const sql = 'SELECT n FROM record WHERE n = ANY ($1::bigint[]) ORDER BY n'
    const there = await this.#connection.rows<{ n: number }>(sql, [places])
    return there.length === rows.length ? places.at(-1)! : there[rows.length]!.n - 1
  }
}

async function writeTasks(tasks: readonly IndexTask[], numbers: IndexNumbers, to: Connection): Promise<void> {
  await numbers.learn(tasks.flatMap(placesOf), to)
  for (const { sql, parameters } of indexStatements(tasks, numbers)) await to.rows(sql, parameters)
}
