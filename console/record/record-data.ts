// One record as its page needs it, and the keys under which what is read of it is kept. Contract 3 §1.
import type { Call } from '../api/call.ts'
import type { RecordList } from '../state/panels.ts'
import type { Endpoints } from '../api/types.ts'
import type { Values } from '../../src/core/records/rules/record.ts'

type ReadRecord = Endpoints['GET /api/v1/records/:id']['reply']

export interface RecordData {
  readonly record: ReadRecord
  /** The values of the record that it is a variant of; null: it is none. */
  readonly parent: Values | null
}

export async function readRecord(call: Call, id: string, signal: AbortSignal): Promise<RecordData> {
  const include = 'completeness,transitions,variantCount,version'
  const { body: record } = await call('GET /api/v1/records/:id', { params: { id }, query: { include }, signal })
  if (record.parentId === null) return { record, parent: null }
  const { body: parent } = await call('GET /api/v1/records/:id', { params: { id: record.parentId }, signal })
  return { record, parent: parent.values }
}

/** `about`: form, history and so on; all of them are read anew after a write. */
export function recordKey(id: string, about: string): string {
  return `record ${id} ${about}`
}

/** Under which name the list that a record was opened from, as it was then, is kept beside the address. R7. */
export const LIST = 'list'

export function isRecordList(stored: unknown): stored is RecordList {
  const { ids, first, total } = (stored ?? {}) as Partial<RecordList>
  return Array.isArray(ids) && typeof first === 'number' && typeof total === 'number'
}
