// The data of a record's page, and the cache keys of that data. Contract 3 §1.
import type { Call } from '../api/call.ts'
import type { RecordList } from '../state/panel-props.ts'
import type { Endpoints } from '../api/types.ts'
import type { Values } from '../../src/core/records/rules/record.ts'

type ReadRecord = Endpoints['GET /api/v1/records/:id']['reply']

export interface RecordData {
  readonly record: ReadRecord
  /** The values of the parent record; null: the record is no variant. */
  readonly parent: Values | null
}

export async function readRecord(call: Call, id: string, signal: AbortSignal): Promise<RecordData> {
  const include = 'completeness,transitions,variantCount,version,image'
  const { body: record } = await call('GET /api/v1/records/:id', { params: { id }, query: { include }, signal })
  if (record.parentId === null) return { record, parent: null }
  const { body: parent } = await call('GET /api/v1/records/:id', { params: { id: record.parentId }, signal })
  return { record, parent: parent.values }
}

/** Makes a cache key. `about`: form, history and so on; a write renews all of them. */
export function recordKey(id: string, about: string): string {
  return `record ${id} ${about}`
}

/** The name under which the history entry stores the list that the record was opened from. R7. */
export const LIST = 'list'

export function isRecordList(stored: unknown): stored is RecordList {
  const { ids, first, total } = (stored ?? {}) as Partial<RecordList>
  return Array.isArray(ids) && typeof first === 'number' && typeof total === 'number'
}
