// The use case of presence: a person says where, and learns who else is there. Contract 5 §8.
import type { Caller } from '../core/accounts/caller.ts'
import { denied, invalid, PimletError, shorten } from '../kernel/errors.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Reads, Store } from '../store/port.ts'
import { LocalPresences, MinuteCounts } from './local-presences.ts'
import { mayReadSubject } from './persons.ts'
import {
  MAX_SHOWN_PEOPLE,
  type Presence,
  PRESENCE_EVERY,
  type PresenceAnswer,
  type PresenceInput,
} from './rules/present-person.ts'

type PersonThere = PresenceAnswer['items'][number]

export function createPresenceService({ store, system }: { store: Store; system: Pick<System, 'now'> }) {
  const now = (): number => system.now().getTime()
  const presences = store.presences ?? new LocalPresences(now)
  const counts = new MinuteCounts(now)
  return {
    /**
     * Nothing is written to the disk.
     * @throws PERMISSION_DENIED for an API key or a hidden attribute, VALIDATION_ERROR, RATE_LIMITED
     */
    put: async (caller: Caller, { recordId = null, attributeAlias = null, recordIds = [] }: PresenceInput) => {
      if (caller.kind !== 'user') throw denied('An API key is nowhere: presence is for people')
      const wait = counts.take(caller.id)
      if (wait !== undefined)
        throw new PimletError('RATE_LIMITED', 'Too many requests of one person', { retryAfter: wait })
      const isThere = await store.snapshot((reads) => isPlace(reads, caller, recordId, attributeAlias))
      if (recordId === null || !isThere) await presences.leave(caller.id)
      else await presences.put({ userId: caller.id, recordId, attributeAlias })
      const asked = [...new Set([...recordIds, ...(recordId === null ? [] : [recordId])])]
      const present = asked.length === 0 ? [] : await presences.among(asked, MAX_SHOWN_PEOPLE + 1)
      const others = present.filter(({ userId }) => userId !== caller.id).slice(0, MAX_SHOWN_PEOPLE)
      const items = others.length === 0 ? [] : await store.snapshot((reads) => showPeople(reads, caller, others))
      return { items, every: PRESENCE_EVERY } satisfies PresenceAnswer
    },
  }
}

/** Whether the record exists: another person may just have deleted it. @throws VALIDATION_ERROR, PERMISSION_DENIED */
async function isPlace(
  reads: Pick<Reads, 'records' | 'model'>,
  { role }: Caller,
  recordId: string | null,
  attributeAlias: string | null,
): Promise<boolean> {
  const schemaId = recordId === null ? undefined : (await reads.records.get(recordId))?.schemaId
  if (schemaId === undefined) return false
  if (attributeAlias === null) return true
  const model = await reads.model()
  const alias = shorten(attributeAlias, 64)
  if (!mayReadSubject(role, model, { schemaId, attributeAlias }))
    throw denied(`attributeAlias: your role may not read the attribute '${alias}'`)
  if (model.schemas.get(schemaId)?.attribute(attributeAlias) === undefined)
    throw invalid(`attributeAlias names '${alias}', which the schema '${schemaId}' does not define`)
  return true
}

/** People and records that are gone, and disabled people, are left out. */
async function showPeople(
  reads: Pick<Reads, 'records' | 'model' | 'users'>,
  { role }: Caller,
  present: readonly Presence[],
): Promise<PersonThere[]> {
  const model = await reads.model()
  const schemas = await reads.records.existing([...new Set(present.map(({ recordId }) => recordId))])
  const users = await Promise.all(present.map(({ userId }) => reads.users.get(userId)))
  return present.flatMap(({ recordId, attributeAlias }, at): PersonThere[] => {
    const [schemaId, user] = [schemas.get(recordId), users[at]]
    if (schemaId === undefined || user === undefined || user.disabled) return []
    const isSeen = mayReadSubject(role, model, { schemaId, attributeAlias })
    return [{ recordId, attributeAlias: isSeen ? attributeAlias : null, person: { id: user.id, name: user.name } }]
  })
}
