// The parts of an audit entry that a role may see. Contract 1 §2.5, 2 §2.
import type { AuditEntry } from './changes.ts'
import { readableChanges, type Role } from '../../accounts/rules/permissions.ts'

/** An audit entry in the form for clients. */
export interface AuditEntryView extends AuditEntry {
  /** The record's version after the change: the number in its ETag at that time. */
  readonly version: number
}

export function readableEntry(role: Role, stored: AuditEntryView & { readonly schemaId: string }): AuditEntryView {
  const { id, entityId, userId, timestamp, action, version, origin } = stored
  // A transition names no attribute, so no role hides the entry.
  const changes = action === 'transition' ? stored.changes : readableChanges(role, stored.schemaId, stored.changes)
  const entry = { id, entityId, userId, timestamp, action, changes, version, origin }
  return stored.erased === true ? { ...entry, erased: true } : entry
}
