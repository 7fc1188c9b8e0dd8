// The values that refer to a record: a list for clients, and the lists of references that prevent a deletion. Contract
// 2 §3.
import { canRead, hasPermission, type Role } from '../accounts/rules/permissions.ts'
import { conflict, notFound, shorten } from '../../kernel/errors.ts'
import { referringAttributes } from '../model/rules/referring-attributes.ts'
import type { Reads, Store } from '../../store/port.ts'
import {
  type AttributeOfSchema,
  type Referrer,
  type ReferrersPage,
  readReferrerCursor,
  writeReferrerCursor,
} from './rules/referrer.ts'
import type { RecordReads, ReferrersAsked } from '../../store/record-port.ts'
import type { Caller } from '../accounts/caller.ts'

/** The most records that an error names. */
const NAMED = 20
/** The number of values that are read together. */
const AT_ONCE = 100

interface ReferrerReads extends Pick<Reads, 'model'> {
  readonly records: Pick<RecordReads, 'referrers'>
}

export function createReferrerService({ store }: { store: Store }) {
  return {
    /**
     * Lists the values that name the record and that the caller may read. `next`: the cursor of the next page.
     * @throws NOT_FOUND, VALIDATION_ERROR for an invalid cursor
     */
    list: (caller: Caller, recordId: string, { attributeAlias, limit, after }: ReferrersPage) =>
      store.snapshot(async (reads) => {
        const place = after === undefined ? undefined : readReferrerCursor(after, recordId)
        if (!(await reads.records.existing([recordId])).has(recordId)) throw notFound('Record', recordId)
        const attributes = referringAttributes(await reads.model()).all.filter(
          ({ schemaId, alias }) =>
            (attributeAlias === undefined || alias === attributeAlias) && canRead(caller.role, schemaId, alias),
        )
        const asked = { targetIds: [recordId], attributes, after: place, limit: limit + 1 }
        const found = await reads.records.referrers(asked)
        const items = found.slice(0, limit)
        return { items, next: found.length > limit ? writeReferrerCursor(items.at(-1)!) : null }
      }),
  }
}

/**
 * @param going records that are also deleted: their lists do not count
 * @throws CONFLICT naming records whose lists name a target, if the caller may know these records
 */
export async function assertNotListed(
  reads: ReferrerReads,
  { role }: Pick<Caller, 'role'>,
  targetIds: readonly string[],
  going: ReadonlySet<string>,
): Promise<void> {
  const { lists } = referringAttributes(await reads.model())
  if (lists.length === 0) return
  const known = lists.filter((attribute) => mayKnow(role, attribute))
  const found = await findReferring(reads, { targetIds, attributes: known, limit: NAMED + 1 }, going)
  const unknown = lists.filter((attribute) => !known.includes(attribute))
  const isHidden =
    found.length <= NAMED &&
    (await findReferring(reads, { targetIds, attributes: unknown, limit: 1 }, going)).length > 0
  if (found.length > 0 || isHidden) throw conflict(describeListed(targetIds, found, isHidden))
}

function mayKnow(role: Role, { schemaId, alias }: AttributeOfSchema): boolean {
  return hasPermission(role, 'records.read') && canRead(role, schemaId, alias)
}

/** Returns one value of each of the first `limit` records outside of `going`. */
export async function findReferring(
  { records }: Pick<ReferrerReads, 'records'>,
  { limit, ...asked }: ReferrersAsked,
  going: ReadonlySet<string>,
): Promise<readonly Referrer[]> {
  const found = new Map<string, Referrer>()
  let { after } = asked
  for (;;) {
    const page = await records.referrers({ ...asked, after, limit: AT_ONCE })
    for (const referrer of page) {
      if (going.has(referrer.recordId) || found.has(referrer.recordId)) continue
      found.set(referrer.recordId, referrer)
      if (found.size === limit) return [...found.values()]
    }
    if (page.length < AT_ONCE) return [...found.values()]
    after = page.at(-1)
  }
}

function describeListed(targetIds: readonly string[], found: readonly Referrer[], isHidden: boolean): string {
  const target = found[0]?.targetId ?? targetIds[0]!
  const named = found.slice(0, NAMED).map(({ recordId, alias }) => `'${recordId}' (${alias})`)
  const others =
    isHidden || found.length > NAMED ? [named.length === 0 ? 'records that you may not read' : 'others'] : []
  // Detaching changes all lists, so it would be refused by this message again.
  const advice = isHidden
    ? 'Somebody who may write all these lists can delete it with detach=true'
    : 'DELETE with detach=true removes it from them first'
  return `The record '${shorten(target, 128)}' cannot be deleted: it is in lists of references of ${[...named, ...others].join(', ')}. ${advice}`
}
