// Removes segments of a dimension, if no stored value uses them. Contract 2 §3.
import { type Dimension, removedSegments } from '../rules/dimension.ts'
import { conflict } from '../../../kernel/errors.ts'
import { changeId, type DimensionChange } from '../rules/model-change.ts'
import { segmentOf } from '../../scopes/scope.ts'
import { isScopedBy } from '../rules/usage.ts'
import { canRead, type Role } from '../../accounts/rules/permissions.ts'
import type { Store, Transaction } from '../../../store/port.ts'
import type { StoredRecord } from '../../../store/record-port.ts'
import type { Caller } from '../../accounts/caller.ts'
import { assertDimensionRests } from './interference.ts'
import type { ChangingDeps, Closed } from './model-changes.ts'
import type { Walk } from './schema-walk.ts'
import { parseValues } from '../../records/rules/record.ts'

/**
 * Replaces a dimension. `decide` selects the dimension and `replace` replaces it, each in one transaction. Both may
 * throw, because not only values can prevent the change.
 * @throws CONFLICT for a removed segment that stored values use, and while the dimension is already being changed
 */
export function replaceSegments(
  { store, modelChanges }: ChangingDeps,
  caller: Caller,
  after: Dimension,
  { decide, replace }: { decide: (tx: Transaction) => Promise<Dimension>; replace: (tx: Transaction) => Promise<void> },
): Promise<Dimension> {
  const id = changeId('dimension', after.id)
  return modelChanges.make(
    id,
    async (tx): Promise<Closed<DimensionChange, Dimension>> => {
      const before = await decide(tx)
      await assertDimensionRests(tx, after.id)
      if (removedSegments(before, after).length > 0 && (await findScopedSchemas(tx, after.id)).length > 0) {
        const who = { callerId: caller.id, roleId: caller.role.id }
        return { result: after, change: { id, kind: 'dimension', stage: 'look', before, after, ...who } }
      }
      await replace(tx)
      return { result: after, change: undefined }
    },
    async (change, walk) => {
      await assertUnused(store, caller.role, change, walk)
      await store.transaction(async (tx) => {
        await replace(tx)
        await tx.modelChanges.delete(id)
      })
    },
  )
}

/** Finds schemas with records whose values may use a segment of the dimension. */
async function findScopedSchemas(
  reads: Pick<Transaction, 'model'> & { readonly records: Pick<Transaction['records'], 'count'> },
  dimensionId: string,
): Promise<string[]> {
  const found: string[] = []
  for (const schema of (await reads.model()).schemas.values())
    if (isScopedBy(schema, dimensionId) && (await reads.records.count({ schemaId: schema.id })) > 0)
      found.push(schema.id)
  return found
}

/**
 * Checks that no value uses a removed segment. Writes since the change was stored do not use the segments, so each
 * record is read once.
 */
async function assertUnused(store: Store, role: Role, { before, after }: DimensionChange, walk: Walk): Promise<void> {
  const removed = new Set(removedSegments(before, after))
  for (const schemaId of await findScopedSchemas(store.read, after.id)) {
    await walk.look(schemaId, (record) => {
      const use = findSegment(record, after.id, removed)
      if (use === undefined) return
      const first = canRead(role, schemaId, use.alias) ? ` (first in '${record.id}')` : ''
      throw conflict(
        `The segment '${use.segmentId}' of the dimension '${after.id}' is used by the values of records${first}`,
      )
    })
  }
}

function findSegment(
  record: StoredRecord,
  dimensionId: string,
  removed: ReadonlySet<string>,
): { readonly segmentId: string; readonly alias: string } | undefined {
  // JSON.stringify stores values without spaces. Text that looks like a scope may be a value of data type json.
  if (!record.valuesJson.includes(`"${dimensionId}":"`)) return undefined
  for (const [alias, values] of Object.entries(parseValues(record)))
    for (const { scope } of values) {
      const segmentId = segmentOf(scope, dimensionId)
      if (segmentId !== undefined && removed.has(segmentId)) return { segmentId, alias }
    }
  return undefined
}
