// Reads from the audit trail of a record the changes of a job, and later changes. Contract 3 §10.
import { isCategoriesChange } from '../core/records/rules/changes.ts'
import { scopeKey } from '../core/scopes/scope.ts'
import { describeScope } from '../core/values/values.ts'
import type { StoredAuditEntry } from '../store/audit-port.ts'
import type { LongTransaction } from '../store/port.ts'

/** Entries read at once. The first read covers the usual last write of a job, and the entry before. */
const AT_FIRST = 2
const AT_ONCE = 50

export interface JobTrail {
  /** Entries of the job, newest first. */
  readonly own: readonly StoredAuditEntry[]
  /** Places changed since, as `placeOf` names them. */
  readonly touched: ReadonlySet<string>
  /** Whether the undo itself has already changed the record. */
  readonly isUndone: boolean
}

/** Names of the places of a record that are not values. */
export const STATE = 'the lifecycle state'
export const CATEGORIES = 'the categories'
export const EXISTENCE = 'the record'

/** Also used in messages: `'name' {language=de}`, or `'name'` for the value without a scope. */
export function placeOf({ attributeAlias, scope }: { attributeAlias: string; scope: Record<string, string> }): string {
  const name = `'${attributeAlias}'`
  return Object.keys(scope).length === 0 ? name : `${name} ${describeScope(scopeKey(scope))}`
}

/** If a later job was undone, the changes of both cancel out and do not count as touched. */
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
      // The changes of older entries are erased, so reading ends here.
      if (entry.action === 'erase') return { own, touched, isUndone }
      if (entry.origin.id === jobId) own.push(entry)
      // A job writes a record in one transaction, so the job has no older entries.
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
 * Returns the places that the entry changed permanently. Changes reverted by the undo of another job are remembered,
 * because the entries of that job are older and come later.
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

/**
 * Finds the variants that the job deleted together with a record, in the order of their creation.
 * @param deletion the entry of the record
 */
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
      // An erased variant has lost its parent ID, and cannot be restored.
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
