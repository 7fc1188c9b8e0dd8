// Makes the parts of a new model in one transaction, and takes back those that nobody used or changed since. Contract 5 §1.
import { PimletError } from '../../kernel/errors.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Reads, Store, Transaction } from '../../store/port.ts'
import type { Caller } from '../accounts/caller.ts'
import { hasPermission } from '../accounts/rules/permissions.ts'
import { diffMembers } from '../feed/rules/model-entry.ts'
import type { ChangeOrigin } from '../records/rules/changes.ts'
import type { SavedQuery } from '../search/rules/saved-query.ts'
import { removeSavedQuery } from '../search/saved-queries.ts'
import { removeCatalog } from './catalogs.ts'
import type { ModelChanges } from './changes/model-changes.ts'
import { growDimension, removeDimension, replaceDimension } from './dimensions.ts'
import { removeEmptyCategory } from './made-categories.ts'
import { noteModelChange } from './model-entries.ts'
import type { Dimension } from './rules/dimension.ts'
import { type MadeModel, type NewModel, planModel, referredFirst } from './rules/new-model.ts'
import { removeSchema } from './schemas.ts'
import { removeWorkflow } from './workflows.ts'

type Making = { readonly origin?: ChangeOrigin }

/** @throws VALIDATION_ERROR, CONFLICT for a part that exists */
export async function makeModel(
  tx: Transaction,
  system: System,
  caller: Caller,
  parts: NewModel,
  how: Making = {},
): Promise<MadeModel> {
  const { dimensions, workflows, schemas, catalogs, categories } = planModel(
    parts,
    await tx.model(),
    system.now().toISOString(),
  )
  const grown = dimensions.filter(({ before, added }) => before === undefined || added.length > 0)
  for (const { before, after } of grown) {
    if (before !== undefined) {
      await growDimension(tx, system, caller, after, how.origin)
      continue
    }
    await tx.dimensions.insert(after)
    noteModelChange(tx, system, caller, { entityType: 'dimension', after, ...how })
  }
  for (const after of workflows) {
    await tx.workflows.insert(after)
    noteModelChange(tx, system, caller, { entityType: 'workflow', after, ...how })
  }
  for (const after of schemas) {
    await tx.schemas.insert(after)
    noteModelChange(tx, system, caller, { entityType: 'schema', after, ...how })
  }
  for (const after of catalogs) {
    await tx.catalogs.insert(after)
    noteModelChange(tx, system, caller, { entityType: 'catalog', after, ...how })
  }
  for (const after of categories) {
    await tx.categories.insert(after)
    noteModelChange(tx, system, caller, { entityType: 'category', after, ...how })
  }
  const made = grown.map(({ before, after, added }) => ({ after, added, isNew: before === undefined }))
  const savedQueries = await makeViews(tx, caller, parts.savedQueries ?? [])
  return { dimensions: made, workflows, schemas, catalogs, categories, savedQueries }
}

/** Resolves to the made views. A view that an earlier undo left stays as it is. */
async function makeViews(tx: Transaction, { role }: Caller, views: readonly SavedQuery[]): Promise<SavedQuery[]> {
  if (!hasPermission(role, 'savedQueries.write')) return []
  const made: SavedQuery[] = []
  for (const view of views) {
    if ((await tx.savedQueries.get(view.id)) !== undefined) continue
    await tx.savedQueries.insert(view)
    made.push(view)
  }
  return made
}

interface TakingBack {
  readonly store: Store
  readonly system: System
  readonly modelChanges: ModelChanges
  readonly origin: ChangeOrigin
  /** Resolves to the caller who takes the parts back; undefined: the caller is gone. */
  readonly callerIn: (reads: Reads) => Promise<Caller | undefined>
}

/** Removes the parts that are as they were made and that nothing uses. @throws errors of `callerIn` */
export async function takeBackModel(deps: TakingBack, made: MadeModel): Promise<void> {
  const { system, origin } = deps
  for (const part of made.savedQueries ?? [])
    await removePart(
      deps,
      part,
      (tx) => tx.savedQueries,
      (tx) => removeSavedQuery(tx, part.id),
    )
  for (const part of referredFirst(made.schemas).toReversed())
    await removePart(
      deps,
      part,
      (tx) => tx.schemas,
      (tx, caller) => removeSchema(tx, system, caller, part.id, origin),
    )
  for (const part of made.workflows)
    await removePart(
      deps,
      part,
      (tx) => tx.workflows,
      (tx, caller) => removeWorkflow(tx, system, caller, part.id, origin),
    )
  for (const part of made.categories.toReversed())
    await removePart(
      deps,
      part,
      (tx) => tx.categories,
      (tx, caller) => removeEmptyCategory(tx, system, caller, part.id, origin),
    )
  for (const part of made.catalogs)
    await removePart(
      deps,
      part,
      (tx) => tx.catalogs,
      (tx, caller) => removeCatalog(tx, system, caller, part.id, origin),
    )
  for (const { after, added, isNew } of made.dimensions)
    if (!isNew) await shrink(deps, after, added)
    else
      await removePart(
        deps,
        after,
        (tx) => tx.dimensions,
        (tx, caller) => removeDimension(tx, system, caller, after.id, origin),
      )
}

type Part = object & { readonly id: string }

/** Removes one part, unless it has changed. */
async function removePart(
  { store, callerIn }: TakingBack,
  part: Part,
  placeOf: (tx: Transaction) => { get(id: string): Promise<Part | undefined> },
  remove: (tx: Transaction, caller: Caller) => Promise<void>,
): Promise<void> {
  await store.whenCalm()
  const removing = store.transaction(async (tx) => {
    const caller = await callerIn(tx)
    const present = await placeOf(tx).get(part.id)
    // Options that an import added, and its undo removed, leave only a later time.
    if (caller !== undefined && present !== undefined && diffMembers(part, present).length === 0)
      await remove(tx, caller)
  })
  await unlessUsed(removing)
}

/** Removes the segments that were added to a dimension. */
async function shrink(deps: TakingBack, { id }: Dimension, added: readonly string[]): Promise<void> {
  const { store, origin, callerIn } = deps
  await store.whenCalm()
  const [caller, present] = [await callerIn(store.read), await store.read.dimensions.get(id)]
  if (caller === undefined || present === undefined) return
  const segments = present.segments.filter((segment) => !added.includes(segment.id))
  await unlessUsed(replaceDimension(deps, caller, { ...present, segments }, origin))
}

/** Keeps a part that is in use by now. */
async function unlessUsed(removing: Promise<unknown>): Promise<void> {
  try {
    await removing
  } catch (error) {
    if (!(error instanceof PimletError) || error.code !== 'CONFLICT') throw error
  }
}
