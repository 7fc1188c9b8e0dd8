// Finds a record with its model, and returns what a role may see: hidden attributes are absent. Contract 2 §2.
import { canReadAll, readableValues, type Role } from '../accounts/rules/permissions.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Model, Schema } from '../model/rules/model.ts'
import { parseValues } from './rules/record.ts'
import type { Reads } from '../../store/port.ts'
import type { RecordReads, StoredRecord } from '../../store/record-port.ts'

/**
 * Returns the record without values that are hidden from the role. If nothing is hidden, it returns the record itself,
 * unparsed.
 */
export function readableRecord(role: Role, record: StoredRecord): StoredRecord {
  if (canReadAll(role, record.schemaId)) return record
  return { ...record, valuesJson: JSON.stringify(readableValues(role, record.schemaId, parseValues(record))) }
}

/** @throws NOT_FOUND */
export async function findRecord(
  reads: { readonly records: Pick<RecordReads, 'get'> },
  id: string,
): Promise<StoredRecord> {
  const record = await reads.records.get(id)
  if (record === undefined) throw notFound('Record', id)
  return record
}

export async function findModelOf(
  reads: Pick<Reads, 'model'>,
  record: StoredRecord,
): Promise<{ model: Model; schema: Schema }> {
  const model = await reads.model()
  // A schema cannot be deleted while it has records.
  return { model, schema: model.schemas.get(record.schemaId)! }
}
