// A snapshot of the workspace, for exports: one connection with one transaction, in which a cursor reads in slices.
import type { Model } from '../core/model/rules/model.ts'
import { RowSnapshot } from '../store/rows/row-snapshot.ts'
import type { SnapshotRecord } from '../store/snapshot-port.ts'
import { BEGIN_READING } from './committed.ts'
import { Connection } from './connection.ts'
import { POSTGRES } from './dialect.ts'
import { ModelState } from './model-state.ts'
import { RECORD_COLUMNS, type RecordRow } from './repositories/record-rows.ts'
import { readSliced } from './sliced.ts'

const BATCH = { rows: 100, size: 256 * 1024 }

export const SNAPSHOT_TEXTS = {
  dialect: POSTGRES,
  columns: RECORD_COLUMNS,
  values: 'vals',
  schemaId: 'record.schema_id',
  join: 'JOIN',
}

type Row = RecordRow & Pick<SnapshotRecord, 'parentValuesJson'>

/** @throws UNAVAILABLE, from this function or from later reads */
export async function openRecordSnapshot(url: string): Promise<PostgresRecordSnapshot> {
  const connection = await Connection.open({ url, settings: { plan_cache_mode: 'force_custom_plan' } })
  try {
    await connection.begin(BEGIN_READING)
    const { state } = await ModelState.load(connection)
    return new PostgresRecordSnapshot(connection, state.model)
  } catch (error) {
    await connection.close()
    throw error
  }
}

export class PostgresRecordSnapshot extends RowSnapshot {
  readonly #connection: Connection

  constructor(connection: Connection, model: Model) {
    super(model, connection, SNAPSHOT_TEXTS)
    this.#connection = connection
  }

  /** PostgreSQL knows sizes without reading the texts. */
  protected async *select(where: string, values: readonly unknown[]): AsyncGenerator<SnapshotRecord[], void> {
    const sizes = `octet_length(record.vals) + coalesce(octet_length(parent.vals), 0)`
    const joined = `record LEFT JOIN record AS parent ON parent.id = record.parent_id`
    const sql = `SELECT record.n, ${sizes} AS size FROM ${joined} ${where} ORDER BY record.n`
    const read = `SELECT ${RECORD_COLUMNS}, parent.vals AS "parentValuesJson" FROM ${joined}
      WHERE record.n = ANY ($1::bigint[]) ORDER BY record.n`
    for await (const slice of readSliced<{ n: number; size: number }>(this.#connection, { sql, values }, BATCH)) {
      const records = await this.#connection.rows<Row>(read, [slice.map(({ n }) => n)])
      yield records.map(({ n: _n, ...record }) => record)
    }
  }

  async close(): Promise<void> {
    await this.#connection.close()
  }
}
