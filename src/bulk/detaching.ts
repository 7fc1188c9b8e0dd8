// Removes a record, and its variants, from all lists of references, then deletes it: a job over the records with such lists, whose
// last one is the record itself. Contract 2 §3, 3 §2.
import type { BulkAction } from './rules/bulk-actions.ts'
import type { ChooseActions } from './acting.ts'
import { assertPermission, attributeAccess, type Permission, type Role } from '../core/accounts/rules/permissions.ts'
import type { BulkJob } from '../core/jobs/rules/bulk-job.ts'
import { defineJob, enqueue } from '../core/jobs/queueing.ts'
import { referringAttributes } from '../core/model/rules/referring-attributes.ts'
import { assertMatches, type IfMatch } from '../core/records/precondition.ts'
import { findModelOf, findRecord } from '../core/records/readable-records.ts'
import { assertNotListed, findReferring } from '../core/records/referrers.ts'
import { recordReferences } from '../core/values/values.ts'
import { denied } from '../kernel/errors.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Store, Transaction } from '../store/port.ts'
import type { Referrer } from '../core/records/rules/referrer.ts'
import type { RecordReads } from '../store/record-port.ts'
import type { Caller } from '../core/accounts/caller.ts'
import { parseValues } from '../core/records/rules/record.ts'

/** Values that are read together. */
const AT_ONCE = 500
/** Targets that are looked for together. */
const TARGETS = 10
/** Records that are remembered, so that none is selected twice. Beyond, the second time changes nothing. */
const MAX_REMEMBERED = 200_000

/** The permissions that detaching needs. */
export const DETACHING: readonly Permission[] = ['records.delete', 'records.update']

/** @throws PERMISSION_DENIED */
export function assertMayDetach(role: Role): void {
  for (const permission of DETACHING) assertPermission(role, permission)
}

/**
 * Queues the job.
 * @throws NOT_FOUND, PRECONDITION_FAILED, RATE_LIMITED
 * @throws PERMISSION_DENIED for a list that the caller may not write
 * @throws CONFLICT for a list that the caller may not read
 */
export async function beginDetaching(
  tx: Transaction,
  system: System,
  caller: Caller,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: IfMatch },
): Promise<BulkJob> {
  const { role } = caller
  assertMayDetach(role)
  const record = await findRecord(tx, id)
  assertMatches(ifMatch, record.version)
  const locked = referringAttributes(await tx.model()).lists.filter(
    ({ schemaId, alias }) => attributeAccess(role, schemaId, alias) !== 'write',
  )
  const family = await familyOf(tx, id)
  const found = await findReferring(tx, { targetIds: [id], attributes: locked, limit: 1 }, family)
  // Without this distinction, the answer would name an attribute that is hidden from the caller.
  for (const { schemaId, alias } of found) {
    if (attributeAccess(role, schemaId, alias) === 'none') await assertNotListed(tx, caller, [id], family)
    throw denied(`Your role may not write the attribute '${alias}'`)
  }
  return enqueue(tx, defineJob(system, caller, { name: id, kind: 'bulk', dryRun: false }), {
    kind: 'detach',
    recordId: id,
  })
}

/** The records with lists to change, and behind them the record. */
export async function* selectDetached(
  store: Pick<Store, 'read'>,
  recordId: string,
): AsyncGenerator<{ recordId: string; arrangement: null }[]> {
  const { records } = store.read
  const { lists: attributes } = referringAttributes(await store.read.model())
  const family = await familyOf(store.read, recordId)
  const seen = new Set<string>()
  const targets = [...family]
  for (let at = 0; at < targets.length; at += TARGETS) {
    const asked = { targetIds: targets.slice(at, at + TARGETS), attributes, limit: AT_ONCE }
    let page: readonly Referrer[] = []
    do {
      page = await records.referrers({ ...asked, after: page.at(-1) })
      const fresh = new Set(page.map((referrer) => referrer.recordId).filter((id) => !family.has(id) && !seen.has(id)))
      for (const id of fresh) if (seen.size < MAX_REMEMBERED) seen.add(id)
      yield [...fresh].map(toItem)
    } while (page.length === AT_ONCE)
  }
  yield [toItem(recordId)]
}

function toItem(recordId: string): { recordId: string; arrangement: null } {
  return { recordId, arrangement: null }
}

/**
 * The last item deletes the record. The items before it remove its ID from each list that the caller may write. Where a list stays, the
 * deletion is refused and names the list.
 */
export function detaching(targetId: string): ChooseActions {
  /** By transaction. */
  const families = new WeakMap<object, ReadonlySet<string>>()
  return async ({ tx, caller }, record) => {
    if (record.id === targetId) return [{ delete: true }]
    const family = families.get(tx) ?? (await familyOf(tx, targetId))
    families.set(tx, family)
    const { schema } = await findModelOf(tx, record)
    const listed = recordReferences(parseValues(record), schema).filter(({ recordId }) => family.has(recordId))
    const actions: BulkAction[] = []
    for (const [attributeAlias, references] of Map.groupBy(listed, ({ alias }) => alias)) {
      const isOpen = attributeAccess(caller.role, schema.id, attributeAlias) === 'write'
      if (!isOpen || schema.attribute(attributeAlias)!.dataType !== 'references') continue
      actions.push({ removeReferences: { attributeAlias, ids: references.map(({ recordId }) => recordId) } })
    }
    return actions
  }
}

async function familyOf(
  { records }: { readonly records: Pick<RecordReads, 'variantIdsOf'> },
  id: string,
): Promise<ReadonlySet<string>> {
  return new Set([id, ...(await records.variantIdsOf(id))])
}
