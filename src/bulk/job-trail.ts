// What the audit trail of one record says of a job: what it did to the record, and what others have done since. Contract 3 §10.
import { isCategoriesChange } from '../core/records/rules/changes.ts'
import { scopeKey } from '../core/scopes/scope.ts'
import { describeScope } from '../core/values/values.ts'
import type { StoredAuditEntry } from '../store/audit-port.ts'
import type { LongTransaction } from '../store/port.ts'

/** Entries that are read at once: first as many as a job mostly has written last, and the one before. */
const AT_FIRST = 2
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

/** For messages, too: `'name' {language=de}`, or `'name'` of the value for all. */
export function placeOf({ attributeAlias, scope }: { attributeAlias: string; scope: Record<string, string> }): string {
  const name = `'${attributeAlias}'`
  return Object.keys(scope).length === 0 ? name : `${name} ${describeScope(scopeKey(scope))}`
}

/** Where a later job is undone, what it changed and what its undo changed back is as this job has left it. */
export async function readJobTrail(
  tx: LongTransaction,
  recordId: string,
  { jobId, undoId }: { readonly jobId: string; readonly undoId: string },
): Promise<JobTrail> {
  const own: StoredAuditEntry[] = []
  const touched = new Set<string>()
  const reversed = new Map<string, Set<string>>()
  let isUndone = false
  let before: number | undefined
  do {
    const limit = before === undefined ? AT_FIRST : AT_ONCE
    const { entries, next } = await tx.audit.readTrail(recordId, { before, limit })
    for (const entry of entries) {
      // What older entries changed is erased: there is no more to be read.
      if (entry.action === 'erase') return { own, touched, isUndone }
      if (entry.origin.id === jobId) own.push(entry)
      // A job writes all of a record in one transaction: there is no more of it.
      else if (own.length > 0) return { own, touched, isUndone }
      else if (entry.origin.id === undoId) isUndone = true
      else for (const place of await placesKept(tx, entry, reversed)) touched.add(place)
    }
    before = next
    await tx.pause()
  } while (before !== undefined)
  return { own, touched, isUndone }
}

/**
 * What the entry has changed for good. What the undo of another job has changed back is noted: the entries of that job come
 * after it, since they are older.
 */
async function placesKept(
  tx: LongTransaction,
  entry: StoredAuditEntry,
  reversed: Map<string, Set<string>>,
): Promise<string[]> {
  const { kind, id = '' } = entry.origin
  const places = placesOf(entry)
  const undoes = kind === 'undo' ? (await tx.bulkJobs.get(id))?.undoes : undefined
  if (undoes === undefined || undoes === null) return places.filter((place) => !reversed.get(id)?.has(place))
  reversed.set(undoes, new Set([...(reversed.get(undoes) ?? []), ...places]))
  return []
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
      const isOfJob = entry.action === 'delete' && entry.origin.id === origin.id
      // An erased one does not say whose variant it was, and cannot come back.
      const isErased = isOfJob && entry.erased === true
      const isOne = isOfJob && entry.removed?.parentId === entityId
      if (!isOne && !isErased) return ids.toReversed()
      if (isOne) ids.push(entry.entityId)
      before = entry.sequence
    }
    if (entries.length === 0) return ids.toReversed()
    await tx.pause()
  }
}
