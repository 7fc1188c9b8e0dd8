// A snapshot of the workspace, for exports: one connection with one read transaction.
import { RowSnapshot } from '../rows/row-snapshot.ts'
import { toSlices } from '../slices.ts'
import type { SnapshotFilter, SnapshotRecord } from '../snapshot-port.ts'
import { type Connection, openReader, translateError } from './connection.ts'
import { RECORD_COLUMNS } from './record-lists.ts'
import { SQLITE, SqliteSession } from './session.ts'
import { ModelTables } from './stored-model.ts'

const BATCH = { rows: 100, size: 256 * 1024 }

export const SNAPSHOT_TEXTS = {
  dialect: SQLITE,
  columns: RECORD_COLUMNS,
  values: '"values"',
  // The plus sign prevents an index without the order of creation, with which SQLite would sort whole records.
  schemaId: '+record.schema_id',
  // SQLite reads the few assignments first, not the whole catalogue.
  join: 'CROSS JOIN',
}

export async function openRecordSnapshot(databaseFile: string): Promise<SqliteRecordSnapshot> {
  try {
    return new SqliteRecordSnapshot(openReader(databaseFile))
  } catch (error) {
    throw translateError(error)
  }
}

export class SqliteRecordSnapshot extends RowSnapshot {
  readonly #db: Connection
  readonly #session: SqliteSession

  constructor(db: Connection) {
    db.exec('BEGIN')
    const session = new SqliteSession(db)
    // The first read begins the snapshot.
    super(new ModelTables(db).modelOfSnapshot(), session, SNAPSHOT_TEXTS)
    this.#db = db
    this.#session = session
  }

  override async count(filter: SnapshotFilter): Promise<number> {
    try {
      return await super.count(filter)
    } catch (error) {
      throw translateError(error)
    }
  }

  protected async *select(where: string, values: readonly unknown[]): AsyncGenerator<SnapshotRecord[], void> {
    const sql = `SELECT ${RECORD_COLUMNS}, parent."values" AS parentValuesJson
                   FROM record LEFT JOIN record AS parent ON parent.id = record.parent_id ${where} ORDER BY record.n`
    try {
      const sizeOf = ({ valuesJson, parentValuesJson }: SnapshotRecord): number =>
        valuesJson.length + (parentValuesJson?.length ?? 0)
      yield* toSlices(this.#session.iterate<SnapshotRecord>(sql, values), BATCH, sizeOf)
    } catch (error) {
      throw translateError(error)
    }
  }

  async close(): Promise<void> {
    this.#db.close()
  }
}
