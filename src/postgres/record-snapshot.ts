// A snapshot of the workspace, for exports: one connection with one transaction, in which a cursor reads in slices.
import type { Model } from '../core/model/rules/model.ts'
import type { RecordSnapshot, SnapshotFilter, SnapshotRecord } from '../store/snapshot-port.ts'
import { BEGIN_READING } from './committed.ts'
import { Connection } from './connection.ts'
import { ModelState } from './model-state.ts'
import { RECORD_COLUMNS, type RecordRow } from './repositories/record-rows.ts'
import { readSliced } from './sliced.ts'
import { readLinked } from '../store/rows/linked-values.ts'
import type { Asked } from '../store/rows/session.ts'
import { POSTGRES } from './dialect.ts'

const BATCH = { rows: 100, bytes: 256 * 1024 }

/** One of this many records is sampled. A prime number also suits a catalogue whose kinds of records alternate. */
const SAMPLED = 17

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

export class PostgresRecordSnapshot implements RecordSnapshot {
  readonly model: Model
  readonly #connection: Connection

  constructor(connection: Connection, model: Model) {
    this.#connection = connection
    this.model = model
  }

  async count(filter: SnapshotFilter): Promise<number> {
    const { where, values } = conditionsOf(filter)
    const sql = `SELECT count(*) AS records FROM record ${where}`
    return (await this.#connection.planned<{ records: number }>(sql, values))[0]!.records
  }

  batches(filter: SnapshotFilter): AsyncGenerator<SnapshotRecord[], void> {
    return this.#select(conditionsOf(filter))
  }

  sample(filter: SnapshotFilter): AsyncGenerator<SnapshotRecord[], void> {
    return this.#select(conditionsOf(filter, [`record.n % ${SAMPLED} = 0`]))
  }

  linked(ids: readonly string[]): Promise<SnapshotRecord[]> {
    return readLinkedRecords(this.#connection, ids)
  }

  /** PostgreSQL knows sizes without reading the texts. */
  async *#select({ where, values }: Conditions): AsyncGenerator<SnapshotRecord[], void> {
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

/** Implements `linked` of `LinkedSnapshot`. */
export function readLinkedRecords(asked: Asked, ids: readonly string[]): Promise<SnapshotRecord[]> {
  return readLinked(asked, { dialect: POSTGRES, columns: RECORD_COLUMNS, values: 'vals' }, ids)
}

interface Conditions {
  readonly where: string
  readonly values: readonly unknown[]
}

function conditionsOf(filter: SnapshotFilter, more: readonly string[] = []): Conditions {
  const { schemaId, catalogId, includeVariants, lifecycleStateIds } = filter
  const values: unknown[] = []
  const place = (value: unknown): string => `$${values.push(value)}`
  const conditions = [
    ...(schemaId === null ? [] : [`record.schema_id = ${place(schemaId)}`]),
    ...(includeVariants ? [] : ['record.parent_id IS NULL']),
    ...(lifecycleStateIds === null ? [] : [`record.state_id = ANY (${place(lifecycleStateIds)}::text[])`]),
    ...(catalogId === null ? [] : [inCatalog(place(catalogId))]),
    ...more,
  ]
  return { where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`, values }
}

/** True if the record, or the parent of the variant, has an assignment in the catalogue. */
function inCatalog(catalog: string): string {
  return `EXISTS (
    SELECT 1 FROM assignment JOIN category ON category.id = assignment.category_id
     WHERE assignment.record_n IN (record.n, (SELECT of_parent.n FROM record AS of_parent WHERE of_parent.id = record.parent_id))
       AND category.catalog_id = ${catalog})`
}
