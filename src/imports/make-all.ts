// Makes the options and categories that an import needs, before its first line. Contract 3 §4.
import type { Caller } from '../core/accounts/caller.ts'
import { makeCategory } from '../core/model/made-categories.ts'
import type { NewModel } from '../core/model/rules/new-model.ts'
import { makeModel } from '../core/model/new-models.ts'
import { addOptions } from '../core/model/changes/made-options.ts'
import type { MadeByImport } from '../core/jobs/rules/bulk-job.ts'
import type { ChangeOrigin } from '../core/records/rules/changes.ts'
import type { RehearsedReads } from '../core/records/rehearsal.ts'
import { PimletError } from '../kernel/errors.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Store, Transaction } from '../store/port.ts'
import type { Making } from './rules/making.ts'
import { areMade, type Brought, modelFor } from './rules/planned-model.ts'

/** Categories of one transaction. */
const AT_ONCE = 50

interface Maker {
  readonly store: Store
  readonly system: System
  readonly origin: ChangeOrigin
  /**
   * Resolves to the caller who makes them; undefined: the caller is gone.
   * @throws errors for rights that the caller lacks
   */
  readonly callerIn: (tx: Transaction) => Promise<Caller | undefined>
  /** Notes the options and categories that the transaction has made. */
  readonly note: (tx: Transaction, made: MadeByImport) => Promise<void>
}

/** @throws UNAVAILABLE while the schema is being changed, and where a parent is gone meanwhile; LIMIT_EXCEEDED */
export async function makeAll({ store, system, origin, callerIn, note }: Maker, making: Making): Promise<void> {
  const { schemaId, options, categories } = making
  if (options.size > 0)
    await store.transaction(async (tx) => {
      const caller = await callerIn(tx)
      if (caller === undefined) return
      const added = await addOptions(tx, system, caller, { schemaId, origin, options }).catch(asPassing)
      await note(tx, { schemaId, options: Object.fromEntries(added), categories: [] })
    })
  for (let at = 0; at < categories.length; at += AT_ONCE) {
    await store.whenCalm()
    await store.transaction(async (tx) => {
      const caller = await callerIn(tx)
      if (caller === undefined) return
      const some = categories.slice(at, at + AT_ONCE)
      for (const category of some)
        if (!(await makeCategory(tx, { system, caller, origin }, category)))
          throw new PimletError('UNAVAILABLE', 'The categories have changed since the file was read: try again', {
            retryAfter: 5,
          })
      await note(tx, { schemaId, options: {}, categories: some.map(({ id }) => id) })
    })
  }
}

/** Makes the parts of a new model, all or none. @throws VALIDATION_ERROR, CONFLICT for a part that exists */
export async function makeParts({ store, system, origin, callerIn, note }: Maker, parts: NewModel): Promise<void> {
  await store.transaction(async (tx) => {
    const caller = await callerIn(tx)
    if (caller === undefined || areMade(parts, await tx.model())) return
    const model = await makeModel(tx, { system, caller, origin }, parts)
    await note(tx, { schemaId: parts.schemas[0]!.id, options: {}, categories: [], model })
  })
}

/** A change of the schema ends soon. */
function asPassing(error: unknown): never {
  if (error instanceof PimletError && error.code === 'CONFLICT')
    throw new PimletError('UNAVAILABLE', error.message, { retryAfter: 5 })
  throw error
}

/** Storage with the planned model, for lines that are not written. Nothing looks for planned categories there. */
export function over(reads: RehearsedReads, brought: Brought): RehearsedReads {
  if (brought.making === undefined && brought.newModel === undefined) return reads
  const { categories, records, files } = reads
  return { categories, records, files, model: async () => modelFor(brought, await reads.model()) }
}

/** Both together. */
export function mergeMade(before: MadeByImport | undefined, more: MadeByImport): MadeByImport {
  if (before === undefined) return more
  const options = { ...before.options }
  for (const [alias, ids] of Object.entries(more.options))
    options[alias] = [...(Object.hasOwn(options, alias) ? options[alias]! : []), ...ids]
  const categories = [...before.categories, ...more.categories]
  return { ...before, ...more, options, categories }
}
