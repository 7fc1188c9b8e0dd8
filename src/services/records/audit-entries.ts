// An audit entry as a role may see it. Contract 1 §2.5, 2 §2.
import type { AuditEntry } from '../../domain/records/changes.ts'
import { readableChanges, type Role } from '../../domain/accounts/permissions.ts'
import type { StoredAuditEntry } from '../../storage/audit-port.ts'

/** As clients see it. */
export interface AuditEntryView extends AuditEntry {
  /** The record's after the change: what its ETag said then. */
  readonly version: number
}

export function readableEntry(role: Role, stored: StoredAuditEntry): AuditEntryView {
  const { id, entityId, userId, timestamp, action, version, origin } = stored
  // A transition names no attribute, whatever attributes are called: nobody's role hides it.
  const changes = action === 'transition' ? stored.changes : readableChanges(role, stored.schemaId, stored.changes)
  return { id, entityId, userId, timestamp, action, changes, version, origin }
}

/** About how many characters its values have. */
export function sizeOf({ changes }: StoredAuditEntry): number {
  return changes.reduce((size, { oldValue, newValue }) => size + lengthOf(oldValue) + lengthOf(newValue) + 100, 0)
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8
}
