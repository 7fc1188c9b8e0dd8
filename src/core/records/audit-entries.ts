// How large audit entries are, for pages of them.
import type { StoredAuditEntry } from '../../store/audit-port.ts'

/** About how many characters its values have. */
export function sizeOf({ changes }: StoredAuditEntry): number {
  return changes.reduce((size, { oldValue, newValue }) => size + lengthOf(oldValue) + lengthOf(newValue) + 100, 0)
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8
}
