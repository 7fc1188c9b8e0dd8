// Reads the records that exported records refer to. Contract 4 §4.
import type { SnapshotRecord } from '../snapshot-port.ts'
import type { Asked, Dialect } from './session.ts'

/** Names of an engine. */
export interface LinkedTexts {
  readonly dialect: Dialect
  /** Columns of a record. */
  readonly columns: string
  /** The column with the values. */
  readonly values: string
}

/** The records that exist, in any order. */
export function readLinked(
  asked: Asked,
  { dialect, columns, values }: LinkedTexts,
  ids: readonly string[],
): Promise<SnapshotRecord[]> {
  const sql = `SELECT ${columns}, parent.${values} AS "parentValuesJson"
    FROM record LEFT JOIN record AS parent ON parent.id = record.parent_id WHERE ${dialect.among('record.id', 1)}`
  return asked.rows<SnapshotRecord>(sql, [ids])
}
