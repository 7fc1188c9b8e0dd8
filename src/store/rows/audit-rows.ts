// Rows of the audit trail of every engine, and how many are read at once: few, so that other requests do not wait.
import {
  type AuditAction,
  type Change,
  type ChangeOrigin,
  isCategoriesChange,
} from '../../core/records/rules/changes.ts'
import type { RemovedRecord } from '../../core/records/rules/past-record.ts'
import type { StoredAuditEntry } from '../audit-port.ts'

export interface AuditRow {
  readonly sequence: number
  readonly id: string
  readonly record_id: string
  readonly schema_id: string
  readonly user_id: string
  readonly timestamp: string
  readonly action: AuditAction
  readonly origin: ChangeOrigin['kind']
  readonly origin_id: string | null
  readonly changes: string
  readonly removed: string | null
}

/** Entries that a piece looks at, and the bytes of their changes together; one entry is looked at whatever its size. */
export const MOST_ENTRIES = 500
const MOST_BYTES = 256 * 1024
/** Entries whose IDs are compared at once: nothing else of them is read. */
export const MOST_IDS = 2000

/** How many of the first ones are small enough together: one at least. */
export function countWhileSmall(sizes: readonly (readonly [number, number])[]): number {
  let bytes = 0
  const end = sizes.findIndex(([, size], index) => (bytes += size) > MOST_BYTES && index > 0)
  return end === -1 ? sizes.length : end
}

/** A part of the JSON of changes that contains one of this attribute, as JSON.stringify writes it. */
export function textOfAlias(alias: string): string {
  return `"attributeAlias":${JSON.stringify(alias)}`
}

export function hasChangeOf({ changes }: StoredAuditEntry, alias: string | undefined): boolean {
  if (alias === undefined) return true
  return changes.some((change) => !isCategoriesChange(change) && change.attributeAlias === alias)
}

/** In the place of changes that are erased. */
export const ERASED = 'null'

export function toEntry(row: AuditRow): StoredAuditEntry {
  return {
    sequence: row.sequence,
    version: row.sequence,
    schemaId: row.schema_id,
    id: row.id,
    entityId: row.record_id,
    userId: row.user_id,
    timestamp: row.timestamp,
    action: row.action,
    changes: toChanges(row.changes),
    origin: row.origin_id === null ? { kind: row.origin } : { kind: row.origin, id: row.origin_id },
    ...(row.removed === null ? {} : { removed: JSON.parse(row.removed) as RemovedRecord }),
    ...(row.changes === ERASED ? { erased: true } : {}),
  }
}

export function toChanges(text: string): Change[] {
  return text === ERASED ? [] : (JSON.parse(text) as Change[])
}
