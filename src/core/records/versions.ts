// Finds a version of a record: the entries of its trail are undone, piece by piece, from the present or deleted record.
// Contract 3 §3, 3 §10.
import { notFound, PimletError, shorten } from '../../kernel/errors.ts'
import { type PastRecord, Rewind } from './rules/past-record.ts'
import type { Store } from '../../store/port.ts'
import type { StoredRecord } from '../../store/record-port.ts'
import { walkTrail } from './trail.ts'
import type { StoredAuditEntry } from '../../store/audit-port.ts'
import { parseValues } from './rules/record.ts'

export interface RecordVersion {
  readonly version: number
  readonly updatedAt: string
  readonly updatedBy: string
  readonly record: PastRecord
}

/** The reason why a version is unknown, for a message. */
interface UnknownVersion {
  /** True: the version existed, or may have existed, but is not kept. */
  readonly isLost: boolean
  readonly reason: string
}

/** The state from which entries are undone. */
interface Start {
  readonly stored: StoredRecord | undefined
  readonly present: PastRecord | undefined
  /** The sequence of the newest entry to undo. */
  readonly newest: number
}

/** @throws NOT_FOUND for a record that never existed, or without a kept version */
export async function findVersion(
  store: Store,
  recordId: string,
  version: number,
  signal: AbortSignal,
): Promise<RecordVersion | UnknownVersion> {
  const { stored, present, newest } = await findStart(store, recordId)
  const id = shorten(recordId, 128)
  const never = { isLost: false, reason: `Record '${id}' never had a version ${version}` }
  if (version > newest) return never
  // The entry of this version may be too old to be kept.
  if (stored !== undefined && version === stored.version) return versionOf(stored, present!)
  const rewind = new Rewind(present)
  let oldest: StoredAuditEntry | undefined
  let isErasing = false
  for await (const entry of walkTrail(store.read.audit, recordId, { before: newest + 1 }, signal)) {
    if (entry.version < version && !isErasing) return never
    // An erasure changes no value: an older entry names the last change.
    if (entry.action === 'erase' && entry.version <= version) isErasing = true
    else if (entry.version <= version) return toVersion(id, { ...entry, version }, rewind)
    else if (entry.action === 'erase') return erasedBefore(id, entry)
    else rewind.undo(entry)
    oldest = entry
  }
  if (isErasing && rewind.record !== undefined) {
    const { createdAt: updatedAt, createdBy: updatedBy } = rewind.record
    return { version, updatedAt, updatedBy, record: rewind.record }
  }
  return oldest?.action === 'create' ? never : notKept(id, oldest)
}

export function isKnown(found: RecordVersion | UnknownVersion): found is RecordVersion {
  return 'record' in found
}

/** @throws NOT_FOUND if the version is not known */
export function assertKnown(found: RecordVersion | UnknownVersion): RecordVersion {
  if (!isKnown(found)) throw new PimletError('NOT_FOUND', found.reason)
  return found
}

function findStart(store: Store, recordId: string): Promise<Start> {
  return store.snapshot(async ({ records, categories, audit }) => {
    const stored = await records.get(recordId)
    if (stored !== undefined) {
      const places = await categories.assignmentsOf(recordId)
      const present = {
        ...stored,
        values: parseValues(stored),
        categories: places.map(({ categoryId, sortOrder }) => ({ categoryId, sortOrder })),
      }
      return { stored, present, newest: stored.version }
    }
    const { entries } = await audit.readTrail(recordId, { limit: 1 })
    if (entries.length === 0) throw notFound('Record', recordId)
    return { stored, present: undefined, newest: entries[0]!.sequence }
  })
}

/** @param oldest the oldest entry that is kept */
function notKept(id: string, oldest: StoredAuditEntry | undefined): UnknownVersion {
  const kept =
    oldest === undefined ? 'nothing older than its present version' : `nothing before version ${oldest.version}`
  return { isLost: true, reason: `Record '${id}': ${kept} is kept of its history (--keep-audit-days)` }
}

function erasedBefore(id: string, { version }: StoredAuditEntry): UnknownVersion {
  return { isLost: true, reason: `Record '${id}': its history before version ${version} was erased` }
}

function versionOf({ version, updatedAt, updatedBy }: StoredRecord, record: PastRecord): RecordVersion {
  return { version, updatedAt, updatedBy, record }
}

function toVersion(id: string, entry: StoredAuditEntry, rewind: Rewind): RecordVersion | UnknownVersion {
  const { version, timestamp, userId, action } = entry
  if (action === 'delete') return { isLost: false, reason: `Record '${id}' was deleted by version ${version}` }
  const { record } = rewind
  if (record !== undefined) return { version, updatedAt: timestamp, updatedBy: userId, record }
  const reason = `Record '${id}' was deleted by an earlier pimlet, which did not note all that it was in version ${version}`
  return { isLost: true, reason }
}
