// What the audit trail of one record says of a job: what it did to the record, and what others have done since. Contract 3 §10.
import { isCategoriesChange } from '../../domain/records/changes.ts'
import { scopeKey } from '../../domain/scopes/scope.ts'
import { describeScope } from '../../domain/values/values.ts'
import type { StoredAuditEntry } from '../../storage/audit-port.ts'
import type { LongTransaction } from '../../storage/port.ts'

/** Entries that are read at once. */
const AT_ONCE = 50

export interface JobTrail {
  /** Of the job, the newest first. */
  readonly own: readonly StoredAuditEntry[]
  /** What has been changed since, as `placeOf` names it. */
  readonly touched: ReadonlySet<string>
  /** Whether the undo itself is what came since. */
  readonly isUndone: boolean
}

/** What the places of a record are called that are no values. */
export const STATE = 'the lifecycle state'
export const CATEGORIES = 'the categories'
export const EXISTENCE = 'the record'

/** For messages, too: `'name' {language=de}`. */
export function placeOf({ attributeAlias, scope }: { attributeAlias: string; scope: Record<string, string> }): string {
  return `'${attributeAlias}' ${describeScope(scopeKey(scope))}`
}

export async function readJobTrail(
  tx: LongTransaction,
  recordId: string,
  { jobId, undoId }: { readonly jobId: string; readonly undoId: string },
): Promise<JobTrail> {
  const own: StoredAuditEntry[] = []
  const touched = new Set<string>()
  let isUndone = false
  let before: number | undefined
  do {
    const { entries, next } = await tx.audit.readTrail(recordId, { before, limit: AT_ONCE })
    for (const entry of entries) {
      if (entry.origin.id === jobId) own.push(entry)
      // A job writes all of a record in one transaction: there is no more of it.
      else if (own.length > 0) return { own, touched, isUndone }
      else if (entry.origin.id === undoId) isUndone = true
      else for (const place of placesOf(entry)) touched.add(place)
    }
    before = next
    await tx.pause()
  } while (before !== undefined)
  return { own, touched, isUndone }
}

function placesOf({ action, changes }: StoredAuditEntry): string[] {
  if (action === 'create' || action === 'delete') return [EXISTENCE]
  if (action === 'transition') return [STATE]
  return changes.map((change) => (isCategoriesChange(change) ? CATEGORIES : placeOf(change)))
}

/** The variants that the job deleted together with a record, in the order of their creation. `deletion`: the entry of the record. */
export async function findVariantsDeletedWith(
  tx: LongTransaction,
  { entityId, sequence, origin }: StoredAuditEntry,
): Promise<string[]> {
  const ids: string[] = []
  let before = sequence
  for (;;) {
    const entries = await tx.audit.listBefore(before, AT_ONCE)
    for (const entry of entries) {
      const isOne = entry.action === 'delete' && entry.origin.id === origin.id && entry.removed?.parentId === entityId
      if (!isOne) return ids.toReversed()
      ids.push(entry.entityId)
      before = entry.sequence
    }
    if (entries.length === 0) return ids.toReversed()
    await tx.pause()
  }
}
