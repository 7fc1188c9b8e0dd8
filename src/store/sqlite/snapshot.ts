// A snapshot of the workspace, for exports: one connection with one read transaction.
import type { Model } from '../../core/model/rules/model.ts'
import { type Connection, openReader, translateError } from './connection.ts'
import { ModelTables } from './stored-model.ts'
import { RECORD_COLUMNS } from './record-lists.ts'
import { StatementCache } from './statements.ts'
import { SqliteSession } from './session.ts'
import { readLinked } from '../rows/linked-values.ts'
import type { RecordSnapshot, SnapshotFilter, SnapshotRecord } from '../snapshot-port.ts'

/** A batch ends with the record that reaches either. */
const BATCH_RECORDS = 100
const BATCH_CHARACTERS = 256 * 1024

/** One of this many records is sampled. A prime number also suits a catalogue whose kinds of records alternate. */
const SAMPLED = 17

export async function openRecordSnapshot(databaseFile: string): Promise<SqliteRecordSnapshot> {
  try {
    return new SqliteRecordSnapshot(openReader(databaseFile))
  } catch (error) {
    throw translateError(error)
  }
}

export class SqliteRecordSnapshot implements RecordSnapshot {
  readonly model: Model
  readonly #db: Connection
  readonly #sql: StatementCache
  readonly #session: SqliteSession

  constructor(db: Connection) {
    this.#db = db
    this.#sql = new StatementCache(db)
    this.#session = new SqliteSession(db)
    db.exec('BEGIN')
    // The first read begins the snapshot.
    this.model = new ModelTables(db).modelOfSnapshot()
  }

  async count(filter: SnapshotFilter): Promise<number> {
    const { where, values } = conditionsOf(filter)
    try {
      return this.#sql.get<{ records: number }>(`SELECT count(*) AS records FROM record ${where}`, values)!.records
    } catch (error) {
      throw translateError(error)
    }
  }

  batches(filter: SnapshotFilter): AsyncGenerator<SnapshotRecord[], void> {
    return this.#select(conditionsOf(filter))
  }

  sample(filter: SnapshotFilter): AsyncGenerator<SnapshotRecord[], void> {
    return this.#select(conditionsOf(filter, [`record.n % ${SAMPLED} = 0`]))
  }

  linked(ids: readonly string[]): Promise<SnapshotRecord[]> {
    return readLinkedRecords(this.#session, ids)
  }

  async *#select({ where, values }: Conditions): AsyncGenerator<SnapshotRecord[], void> {
    const sql = `SELECT ${RECORD_COLUMNS}, parent."values" AS parentValuesJson
                   FROM record LEFT JOIN record AS parent ON parent.id = record.parent_id ${where} ORDER BY record.n`
    try {
      let batch: SnapshotRecord[] = []
      let characters = 0
      for (const record of this.#sql.iterate<SnapshotRecord>(sql, values)) {
        batch.push(record)
        characters += record.valuesJson.length + (record.parentValuesJson?.length ?? 0)
        if (batch.length < BATCH_RECORDS && characters < BATCH_CHARACTERS) continue
        yield batch
        batch = []
        characters = 0
      }
      if (batch.length > 0) yield batch
    } catch (error) {
      throw translateError(error)
    }
  }

  async close(): Promise<void> {
    this.#db.close()
  }
}

/** Implements `linked` of `LinkedSnapshot`. */
export function readLinkedRecords(session: SqliteSession, ids: readonly string[]): Promise<SnapshotRecord[]> {
  return readLinked(session, { dialect: session.dialect, columns: RECORD_COLUMNS, values: '"values"' }, ids)
}

interface Conditions {
  readonly where: string
  readonly values: Readonly<Record<string, unknown>>
}

/** The plus sign prevents an index without the order of creation, with which SQLite would sort whole records. */
function conditionsOf(filter: SnapshotFilter, more: readonly string[] = []): Conditions {
  const { schemaId, catalogId, includeVariants, lifecycleStateIds } = filter
  const conditions = [
    ...(schemaId === null ? [] : ['+record.schema_id = @schemaId']),
    ...(includeVariants ? [] : ['record.parent_id IS NULL']),
    ...(lifecycleStateIds === null ? [] : ['record.state_id IN (SELECT value FROM json_each(@stateIds))']),
    ...(catalogId === null ? [] : [IN_CATALOG]),
    ...more,
  ]
  return {
    where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`,
    values: {
      ...(schemaId === null ? {} : { schemaId }),
      ...(lifecycleStateIds === null ? {} : { stateIds: JSON.stringify(lifecycleStateIds) }),
      ...(catalogId === null ? {} : { catalogId }),
    },
  }
}

/**
 * True if the record, or the parent of the variant, has an assignment in the catalogue. CROSS: SQLite reads the few
 * assignments first, not the whole catalogue.
 */
const IN_CATALOG = `EXISTS (
  SELECT 1 FROM assignment CROSS JOIN category ON category.id = assignment.category_id
   WHERE assignment.record_n IN (record.n, (SELECT of_parent.n FROM record AS of_parent WHERE of_parent.id = record.parent_id))
     AND category.catalog_id = @catalogId)`
