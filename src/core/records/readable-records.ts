// A record as a role may see it: attributes that are hidden from it are absent. Contract 2 §2.
import { canReadAll, readableValues, type Role } from '../accounts/rules/permissions.ts'
import type { Values } from './rules/record.ts'
import type { StoredRecord } from '../../store/record-port.ts'

/** The record without what is hidden from the role; the record itself, unparsed, where nothing is. */
export function readableRecord(role: Role, record: StoredRecord): StoredRecord {
  if (canReadAll(role, record.schemaId)) return record
  return { ...record, valuesJson: JSON.stringify(readableValues(role, record.schemaId, parseValues(record))) }
}

export function parseValues(record: StoredRecord): Values {
  return JSON.parse(record.valuesJson) as Values
}
